import { NAME_BYTES } from './html-names.ts';

/** Gaps up to this long are searched byte by byte: a native search costs more than that to call. */
const SHORT_GAP = 8;
/** Bytes that are looked at without asking whether the page goes on: `<` and three more. */
const LOOKED_AT = 4;

const LETTER = new Uint8Array(256);
for (let byte = 0x61; byte <= 0x7a; byte++) LETTER[byte] = LETTER[byte - 0x20] = 1;
const SPACES = [0x09, 0x0a, 0x0c, 0x0d, 0x20];
/** What ends an unquoted value (WHATWG HTML 13.2.5.38). */
const VALUE_END = new Uint8Array(256);
for (const byte of [...SPACES, 0x3e]) VALUE_END[byte] = 1;
const SPACE = new Uint8Array(256);
for (const byte of SPACES) SPACE[byte] = 1;
/** What may stand in an attribute's name here: letters, digits, `-`, `:`, `_`. */
const PLAIN_NAME = Uint8Array.from(LETTER);
for (const character of '0123456789-:_') PLAIN_NAME[character.charCodeAt(0)] = 1;

/** Low five bits are the same for both cases of a letter. */
const CASELESS = 31;

/** Tells by the first three bytes of a tag name whether it may be one of some names, of three letters and more: 1 where it may. */
export function beginningsOf(names: readonly Uint8Array[]): Uint8Array {
  const table = new Uint8Array(1 << 15);
  for (const [first = 0, second = 0, third = 0] of names) table[slotOf(first, second, third)] = 1;
  return table;
}

function slotOf(first: number, second: number, third: number): number {
  return ((first & CASELESS) << 10) | ((second & CASELESS) << 5) | (third & CASELESS);
}

/**
 * Goes over text, plain links, and tags that are plain and mean nothing to the caller; nearly all of a page is that.
 * @param from where a tag, a comment or text begins
 * @param notable of `beginningsOf`
 * @param hrefs gets begin and end of the `href` of each `<a>` on the way
 * @returns the `<` of what is to be read by all rules: a start tag that may be notable, `</te` (a template's end), a comment,
 * anything not plain or not whole; or the page's length
 */
export function skim(bytes: Buffer, from: number, notable: Uint8Array, hrefs: number[]): number {
  const { length } = bytes;
  const lastWhole = length - LOOKED_AT;
  let start = from;
  for (;;) {
    const soon = start + SHORT_GAP < length ? start + SHORT_GAP : length;
    while (start < soon && bytes[start] !== 0x3c) start++;
    if (start === soon) {
      start = soon < length ? bytes.indexOf(0x3c, soon) : -1;
      if (start < 0) return length;
    }
    if (start > lastWhole) return start;
    const first = bytes[start + 1] as number;
    const second = bytes[start + 2] as number;
    let p = start + 2;
    if (first === 0x2f) {
      if (LETTER[second] === 0 || ((second | 0x20) === 0x74 && ((bytes[p + 1] as number) | 0x20) === 0x65))
        return start;
      p++;
    } else if (LETTER[first] === 0) return start;
    else if (NAME_BYTES[second] === 0) {
      if ((first | 0x20) === 0x61) {
        p = readPlainLink(bytes, p, hrefs);
        if (p < 0) return start;
      }
    } else if (notable[slotOf(first, second, bytes[p + 1] as number)] === 1) return start;
    while (p < length && NAME_BYTES[bytes[p] as number] !== 0) p++;
    if (bytes[p] !== 0x3e) {
      p = skipPlainAttributes(bytes, p);
      if (p < 0) return start;
    }
    start = p + 1;
  }
}

/** The `>` of a tag whose name or value ends at `from`; -1 when it is not there or not found by the simple rules below. */
function skipPlainAttributes(bytes: Buffer, from: number): number {
  const { length } = bytes;
  let p = from;
  while (p < length) {
    const byte = bytes[p] as number;
    if (byte === 0x3e) return p;
    if (byte !== 0x3d) {
      p++;
      continue;
    }
    // After a letter, `=` can only end an attribute's name: names of tags and values are gone over elsewhere.
    if (LETTER[bytes[p - 1] as number] === 0 || ++p >= length) return -1;
    const quote = bytes[p] as number;
    if (quote === 0x22 || quote === 0x27) {
      p = findQuote(bytes, quote, p + 1) + 1;
      if (p === 0) return -1;
    } else if (SPACE[quote] === 1) return -1;
    else while (p < length && VALUE_END[bytes[p] as number] === 0) p++;
  }
  return -1;
}

function findQuote(bytes: Buffer, quote: number, from: number): number {
  let p = from;
  const soon = p + SHORT_GAP < bytes.length ? p + SHORT_GAP : bytes.length;
  while (p < soon && bytes[p] !== quote) p++;
  return p < soon ? p : bytes.indexOf(quote, p);
}

/** Reads the attributes after `<a`, each one space and `name="value"`, as far as the `href`. As `skipPlainAttributes`. */
function readPlainLink(bytes: Buffer, from: number, hrefs: number[]): number {
  const { length } = bytes;
  let p = from;
  while (p < length && bytes[p] !== 0x3e) {
    if (SPACE[bytes[p] as number] === 0) return -1;
    const nameStart = ++p;
    while (p < length && PLAIN_NAME[bytes[p] as number] === 1) p++;
    if (p === nameStart || p + 1 >= length || bytes[p] !== 0x3d) return -1;
    const quote = bytes[p + 1] as number;
    if (quote !== 0x22 && quote !== 0x27) return -1;
    const isHref =
      p - nameStart === 4 &&
      ((bytes[nameStart] as number) | 0x20) === 0x68 &&
      ((bytes[nameStart + 1] as number) | 0x20) === 0x72 &&
      ((bytes[nameStart + 2] as number) | 0x20) === 0x65 &&
      ((bytes[nameStart + 3] as number) | 0x20) === 0x66;
    const valueStart = p + 2;
    const valueEnd = isHref ? bytes.indexOf(quote, valueStart) : findQuote(bytes, quote, valueStart);
    if (valueEnd < 0) return -1;
    p = valueEnd + 1;
    if (!isHref) continue;
    // None of the other attributes matters; the first `href` holds.
    if (bytes[p] !== 0x3e) p = skipPlainAttributes(bytes, p);
    if (p >= 0) hrefs.push(valueStart, valueEnd);
    return p;
  }
  return p < length ? p : -1;
}
