/** Bytes looked at for a declaration (WHATWG HTML 13.2.3.2). */
export const PRESCAN_BYTES = 1024;

/** Finds the WHATWG encoding (lower case) of a label; undefined for a label that names none. */
export type LabelLookup = (label: string) => string | undefined;

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x09 || byte === 0x0d || byte === 0x0c;
}

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
}

/** The position in a byte stream while it is searched; ended once the bytes ran out. */
class Cursor {
  readonly bytes: Uint8Array;
  readonly end: number;
  position = 0;
  name = '';
  value = '';

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.end = Math.min(bytes.length, PRESCAN_BYTES);
  }

  /**
   * Reads an attribute into `name` and `value`, lower case, or only goes over it; false when the tag or the bytes end
   * ("get an attribute").
   */
  readAttribute(isWanted: boolean): boolean {
    const { bytes, end } = this;
    let p = this.position;
    while (p < end && (isSpace(bytes[p]) || bytes[p] === 0x2f)) p++;
    this.position = p;
    if (p >= end || bytes[p] === 0x3e) return false;
    const nameStart = p;
    p++;
    while (p < end && bytes[p] !== 0x3d && bytes[p] !== 0x2f && bytes[p] !== 0x3e && !isSpace(bytes[p])) p++;
    if (isWanted) this.name = this.#slice(nameStart, p);
    this.value = '';
    while (p < end && isSpace(bytes[p])) p++;
    this.position = p;
    if (p >= end) return false;
    if (bytes[p] !== 0x3d) return true;
    p++;
    while (p < end && isSpace(bytes[p])) p++;
    const quote = bytes[p];
    if (quote === 0x22 || quote === 0x27) {
      const close = bytes.indexOf(quote, p + 1);
      this.position = close < 0 || close >= end ? end : close + 1;
      if (this.position >= end) return false;
      if (isWanted) this.value = this.#slice(p + 1, close);
      return true;
    }
    const valueStart = p;
    while (p < end && bytes[p] !== 0x3e && !isSpace(bytes[p])) p++;
    this.position = p;
    if (isWanted) this.value = this.#slice(valueStart, p);
    return p < end;
  }

  #slice(from: number, to: number): string {
    let text = '';
    for (let i = from; i < to; i++) text += String.fromCharCode(this.bytes[i] ?? 0);
    return text.toLowerCase();
  }
}

/**
 * Encoding that a page's first bytes declare, undefined for none: `<meta charset>`, the http-equiv form, or an XML declaration
 * (WHATWG HTML 13.2.3.2 "prescan a byte stream", "get an XML encoding").
 */
export function prescanEncoding(bytes: Uint8Array, lookUp: LabelLookup): string | undefined {
  const utf16 = findUtf16Declaration(bytes);
  if (utf16 !== undefined) return utf16;
  const cursor = new Cursor(bytes);
  const { end } = cursor;
  while (cursor.position < end) {
    const start = bytes.indexOf(0x3c, cursor.position);
    if (start < 0 || start >= end) break;
    const next = bytes[start + 1];
    cursor.position = start + 1;
    if (next === 0x21 && bytes[start + 2] === 0x2d && bytes[start + 3] === 0x2d) {
      // The dashes that open the comment may also close it.
      cursor.position = findCommentEnd(bytes, start + 2, end);
    } else if (isMetaTag(bytes, start)) {
      cursor.position = start + 6;
      const encoding = readMeta(cursor, lookUp);
      if (cursor.position >= end) break;
      if (encoding !== undefined) return encoding;
      cursor.position++;
    } else if (isLetter(next) || (next === 0x2f && isLetter(bytes[start + 2]))) {
      let p = start + 2;
      while (p < end && bytes[p] !== 0x3e && !isSpace(bytes[p])) p++;
      cursor.position = p;
      while (cursor.readAttribute(false));
      cursor.position++;
    } else if (next === 0x21 || next === 0x2f || next === 0x3f) {
      const close = bytes.indexOf(0x3e, start + 1);
      cursor.position = close < 0 ? end : close + 1;
    }
  }
  return findXmlEncoding(bytes, lookUp);
}

function isMetaTag(bytes: Uint8Array, start: number): boolean {
  return (
    ((bytes[start + 1] ?? 0) | 0x20) === 0x6d &&
    ((bytes[start + 2] ?? 0) | 0x20) === 0x65 &&
    ((bytes[start + 3] ?? 0) | 0x20) === 0x74 &&
    ((bytes[start + 4] ?? 0) | 0x20) === 0x61 &&
    (isSpace(bytes[start + 5]) || bytes[start + 5] === 0x2f)
  );
}

function findCommentEnd(bytes: Uint8Array, from: number, end: number): number {
  for (let p = bytes.indexOf(0x3e, from + 2); p >= 0 && p < end; p = bytes.indexOf(0x3e, p + 1)) {
    if (bytes[p - 1] === 0x2d && bytes[p - 2] === 0x2d) return p + 1;
  }
  return end;
}

function readMeta(cursor: Cursor, lookUp: LabelLookup): string | undefined {
  const seen = new Set<string>();
  let isPragma = false;
  let needsPragma: boolean | undefined;
  let charset: string | undefined;
  while (cursor.readAttribute(true)) {
    if (seen.has(cursor.name)) continue;
    seen.add(cursor.name);
    if (cursor.name === 'http-equiv') isPragma = cursor.value === 'content-type';
    else if (cursor.name === 'charset') {
      charset = lookUp(cursor.value);
      needsPragma = false;
    } else if (cursor.name === 'content' && charset === undefined) {
      const label = extractCharset(cursor.value);
      charset = label === undefined ? undefined : lookUp(label);
      if (charset !== undefined) needsPragma = true;
    }
  }
  if (needsPragma === undefined || (needsPragma && !isPragma)) return undefined;
  return charset === undefined ? undefined : metaEncoding(charset);
}

/** A declaration inside the page cannot mean UTF-16, for it was read as ASCII (WHATWG HTML 13.2.3.2, 13.2.3.4). */
export function metaEncoding(encoding: string): string {
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return 'utf-8';
  return encoding === 'x-user-defined' ? 'windows-1252' : encoding;
}

/** Label in the `content` of a `<meta http-equiv=content-type>` (WHATWG HTML 2.5.3 "extracting a character encoding"). */
export function extractCharset(content: string): string | undefined {
  const text = content.toLowerCase();
  let position = 0;
  for (;;) {
    position = text.indexOf('charset', position);
    if (position < 0) return undefined;
    position += 7;
    while (isSpace(text.charCodeAt(position))) position++;
    if (text.charCodeAt(position) === 0x3d) break;
  }
  position++;
  while (isSpace(text.charCodeAt(position))) position++;
  const quote = text.charAt(position);
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(quote, position + 1);
    return close < 0 ? undefined : text.slice(position + 1, close);
  }
  let end = position;
  while (end < text.length && text.charCodeAt(end) !== 0x3b && !isSpace(text.charCodeAt(end))) end++;
  return end === position ? undefined : text.slice(position, end);
}

function findUtf16Declaration(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0x3c && bytes[1] === 0 && bytes[2] === 0x3f && bytes[3] === 0 && bytes[4] === 0x78 && bytes[5] === 0)
    return 'utf-16le';
  if (bytes[0] === 0 && bytes[1] === 0x3c && bytes[2] === 0 && bytes[3] === 0x3f && bytes[4] === 0 && bytes[5] === 0x78)
    return 'utf-16be';
  return undefined;
}

/** Encoding of an XML declaration at the very start of the page. */
function findXmlEncoding(bytes: Uint8Array, lookUp: LabelLookup): string | undefined {
  if (bytes[0] !== 0x3c || bytes[1] !== 0x3f) return undefined;
  let text = '';
  for (let i = 0; i < bytes.length && i < PRESCAN_BYTES; i++) {
    const byte = bytes[i] ?? 0;
    if (byte === 0x3e) break;
    text += String.fromCharCode(byte);
  }
  if (!text.startsWith('<?xml')) return undefined;
  let position = text.indexOf('encoding');
  if (position < 0) return undefined;
  position += 8;
  while (text.charCodeAt(position) <= 0x20) position++;
  if (text.charAt(position) !== '=') return undefined;
  position++;
  while (text.charCodeAt(position) <= 0x20) position++;
  const quote = text.charAt(position);
  if (quote !== '"' && quote !== "'") return undefined;
  const close = text.indexOf(quote, position + 1);
  if (close < 0) return undefined;
  const label = text.slice(position + 1, close);
  for (let i = 0; i < label.length; i++) if (label.charCodeAt(i) <= 0x20) return undefined;
  const encoding = lookUp(label);
  return encoding === undefined ? undefined : metaEncoding(encoding);
}
