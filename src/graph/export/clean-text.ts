/** Code points XML 1.0 does not allow (production [2] Char): C0 controls, lone surrogates (all that `\p{Cs}` matches with the `u` flag), U+FFFE, U+FFFF. */
const FORBIDDEN = /(?![\u007f-\u009f])[\p{Cc}\p{Cs}\ufffe\uffff]/gu;
const BREAKS = /\r\n|[\t\n\r\u0085\u2028\u2029]/g;
const MAY_NEED_CLEANING = /[\p{Cc}\p{Cs}\u2028\u2029\ufffe\uffff]/u;

/**
 * Text as every result file holds it, so that all files say the same: what XML 1.0 forbids becomes U+FFFD, and each tab or
 * line break a space (Gephi and most spreadsheets accept line breaks in a quoted CSV field, line-based tools do not: one row, one line).
 * Nothing else is changed. In particular a text that a spreadsheet would take for a formula (`=…`, `+…`, `@…`) stays as the site has it:
 * a quoted apostrophe would falsify the data; who opens the files in a spreadsheet should import these columns as text.
 */
export function cleanText(text: string): string {
  if (!MAY_NEED_CLEANING.test(text)) return text;
  return text.replace(BREAKS, ' ').replace(FORBIDDEN, '\ufffd');
}

/** A title: cleaned, every run of ASCII white space one space, none at the ends (as `document.title` does; other spaces are text). */
export function cleanTitle(title: string): string {
  return cleanText(title)
    .replace(/[\t\n\f\r ]+/g, ' ')
    .replace(/^ | $/g, '');
}
