import { cleanText } from './clean-text.ts';

const NEEDS_ESCAPING = /[&<>"]/;

/** Text made safe for an element's content or a double-quoted attribute (XML 1.0 §2.4); control characters are gone by `cleanText`. */
export function xmlText(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = cleanText(value);
  if (!NEEDS_ESCAPING.test(text)) return text;
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
