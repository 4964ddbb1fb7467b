import { createHash } from 'node:crypto';

/** Longest text kept of any link, characters (design section 11). `data:` links can be megabytes. */
export const MAX_LISTED_LENGTH = 16_384;

/** Cuts an over-long text, with its length and digest so that different texts stay different. */
export function boundText(text: string): string {
  if (text.length <= MAX_LISTED_LENGTH) return text;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return `${text.slice(0, 256)}…(${text.length} characters, sha256 ${digest})`;
}
