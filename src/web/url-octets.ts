/** Which of the two octet rules of RFC 3986 §6.2.2 are applied. */
export interface OctetRules {
  /** `%3a` → `%3A` (§6.2.2.1). */
  readonly upperCase: boolean;
  /** `%7E` → `~`: letters, digits, `-`, `.`, `_`, `~` (§6.2.2.2, §2.3). */
  readonly decodeUnreserved: boolean;
}

export const ALL_OCTET_RULES: OctetRules = { upperCase: true, decodeUnreserved: true };

/** The first group is a stray `%`, or a stray `%` and one hex digit, right before an escape. */
const ESCAPE = /(%[0-9a-fA-F]?(?=%))?%([0-9a-fA-F]{2})/g;
const UNRESERVED = /^[0-9A-Za-z._~-]$/;

/**
 * Normalises the percent-escapes of a part of a URL; what is no escape stays as it is.
 * Idempotent: an escape right after a stray `%` is left alone, for its decoded digit could complete a new escape (`%%32%65`).
 */
export function normalizeOctets(text: string, rules: OctetRules = ALL_OCTET_RULES): string {
  if (!text.includes('%')) return text;
  return text.replace(ESCAPE, (escape: string, stray: string | undefined, hex: string) => {
    if (rules.decodeUnreserved && stray === undefined) {
      const character = String.fromCharCode(Number.parseInt(hex, 16));
      if (UNRESERVED.test(character)) return character;
    }
    return rules.upperCase ? `${stray ?? ''}%${hex.toUpperCase()}` : escape;
  });
}

/**
 * What a reader would call the text: escapes decoded as UTF-8 where they are valid, else left.
 * For matching only, never for making a URL.
 */
export function decodeForMatching(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => {
      try {
        return decodeURIComponent(run);
      } catch {
        return run;
      }
    });
  }
}
