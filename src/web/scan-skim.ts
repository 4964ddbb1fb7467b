import { NAME_BYTES } from './html-names.ts';

/** Gaps up to this long are searched byte by byte: a native search costs more than that to call. */
const SHORT_GAP = 12;
/** Bytes that are looked at without asking whether the page goes on: `<` and three more. */
const LOOKED_AT = 4;

const LETTER = new Uint8Array(256);
for (let byte = 0x61; byte <= 0x7a; byte++) LETTER[byte] = LETTER[byte - 0x20] = 1;
/** What ends an unquoted value (WHATWG HTML 13.2.5.38). */
const VALUE_END = new Uint8Array(256);
for (const byte of [0x09, 0x0a, 0x0c, 0x0d, 0x20, 0x3e]) VALUE_END[byte] = 1;

/** Low five bits are the same for both cases of a letter. */
const CASELESS = 31;
/** Second bytes of `<a`: it has no other letter. */
const NAME_ENDS = [0x09, 0x0a, 0x0c, 0x0d, 0x20, 0x2f, 0x3e];

/** Tells by the first three bytes of a tag name whether it may be one of some names: 1 where it may. */
export function beginningsOf(names: readonly Uint8Array[]): Uint8Array {
  const table = new Uint8Array(1 << 15);
  for (const name of names) {
    const [first = 0, second, third] = name;
    if (second !== undefined && third !== undefined) table[slotOf(first, second, third)] = 1;
    else for (const end of NAME_ENDS) for (let any = 0; any <= CASELESS; any++) table[slotOf(first, end, any)] = 1;
  }
  return table;
}

function slotOf(first: number, second: number, third: number): number {
  return ((first & CASELESS) << 10) | ((second & CASELESS) << 5) | (third & CASELESS);
}

/**
 * Goes over text and over tags that are plain and mean nothing to the caller; most of a page is that.
 * @param from where a tag, a comment or text begins
 * @param notable of `beginningsOf`, for names of one letter or of three and more
 * @returns the `<` of what the reader of the standard's rules must see: a start tag that may be notable, `</te` (a template's
 * end), a comment, anything not plain or not whole; or the page's length
 */
export function skim(bytes: Buffer, from: number, notable: Uint8Array): number {
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
    const third = bytes[start + 3] as number;
    let p = start + 2;
    if (first === 0x2f) {
      if (LETTER[second] === 0 || ((second | 0x20) === 0x74 && (third | 0x20) === 0x65)) return start;
      p++;
    } else if (LETTER[first] === 0 || notable[slotOf(first, second, third)] === 1) return start;
    while (p < length && NAME_BYTES[bytes[p] as number] !== 0) p++;
    if (bytes[p] !== 0x3e) {
      p = skipPlainAttributes(bytes, p);
      if (p < 0) return start;
    }
    start = p + 1;
  }
}

/** The `>` of a tag whose name ends at `from`; -1 when it is not there or not found by the simple rules below. */
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
      const soon = ++p + SHORT_GAP < length ? p + SHORT_GAP : length;
      while (p < soon && bytes[p] !== quote) p++;
      if (p === soon) {
        p = bytes.indexOf(quote, p);
        if (p < 0) return -1;
      }
      p++;
    } else if (quote !== 0x3e && VALUE_END[quote] === 1) return -1;
    else while (p < length && VALUE_END[bytes[p] as number] === 0) p++;
  }
  return -1;
}
