/** What a Content-Type header says, as far as a crawler needs it. */
export interface ContentType {
  /** `type/subtype` in lower case; empty when the header is missing or cannot be read. */
  readonly essence: string;
  /** Value of the `charset` parameter as sent, without quotes. */
  readonly charset: string | undefined;
}

const UNKNOWN: ContentType = { essence: '', charset: undefined };
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// RFC 9110's field-value bytes: what a quoted string may hold.
const QUOTED_STRING_TEXT = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/** Sites send few different values, but send one with each page. */
const CACHE_SIZE = 64;
const cache = new Map<string, ContentType>();

/**
 * Reads a Content-Type value: the last media type of the list that can be read holds, and it inherits the charset of one
 * before it with the same essence (Fetch 2.2.2 "extract a MIME type"; one media type by MIME Sniffing 4.4).
 * Never throws. Several header lines are to be joined by `, `.
 */
export function parseContentType(value: string | undefined): ContentType {
  if (value === undefined) return UNKNOWN;
  const known = cache.get(value);
  if (known !== undefined) return known;
  const parsed = extract(value);
  if (value.length <= 256) {
    if (cache.size >= CACHE_SIZE) cache.clear();
    cache.set(value, parsed);
  }
  return parsed;
}

function extract(value: string): ContentType {
  let result = UNKNOWN;
  for (const part of splitList(value)) {
    const type = parseMediaType(part);
    if (type === undefined || type.essence === '*/*') continue;
    const inherits = type.charset === undefined && type.essence === result.essence;
    result = inherits ? result : type;
  }
  return result;
}

/** Splits at commas outside quoted strings (Fetch "get, decode, and split"). */
function splitList(value: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (code === 0x22) isQuoted = !isQuoted;
    else if (isQuoted && code === 0x5c) i++;
    else if (code === 0x2c && !isQuoted) {
      parts.push(value.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(value.slice(start));
  return parts;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

/** `text` without HTTP white space at its ends; a loop, since a pattern would be quadratic on a hostile header. */
function trimSpace(text: string, atStart = true): string {
  let start = 0;
  let end = text.length;
  if (atStart) while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function parseMediaType(part: string): ContentType | undefined {
  const input = trimSpace(part);
  const slash = input.indexOf('/');
  if (slash <= 0) return undefined;
  let semicolon = input.indexOf(';', slash);
  if (semicolon < 0) semicolon = input.length;
  const type = input.slice(0, slash);
  const subtype = trimSpace(input.slice(slash + 1, semicolon), false);
  if (!TOKEN.test(type) || !TOKEN.test(subtype)) return undefined;
  return { essence: `${type}/${subtype}`.toLowerCase(), charset: findCharset(input, semicolon) };
}

/** First usable `charset` parameter from the semicolon at `position` on. */
function findCharset(input: string, position: number): string | undefined {
  while (position < input.length) {
    position++;
    while (position < input.length && isSpace(input.charCodeAt(position))) position++;
    const nameStart = position;
    while (position < input.length && input.charCodeAt(position) !== 0x3b && input.charCodeAt(position) !== 0x3d)
      position++;
    const name = input.slice(nameStart, position).toLowerCase();
    if (position >= input.length) return undefined;
    if (input.charCodeAt(position) === 0x3b) continue;
    position++;
    let value = '';
    let isEmpty = false;
    if (input.charCodeAt(position) === 0x22) {
      for (position++; position < input.length && input.charCodeAt(position) !== 0x22; position++) {
        if (input.charCodeAt(position) === 0x5c && position + 1 < input.length) position++;
        value += input.charAt(position);
      }
      // What follows the closing quote up to the next semicolon is skipped.
      position = input.indexOf(';', position);
      if (position < 0) position = input.length;
    } else {
      let end = input.indexOf(';', position);
      if (end < 0) end = input.length;
      value = trimSpace(input.slice(position, end), false);
      position = end;
      isEmpty = value === '';
    }
    if (name === 'charset' && !isEmpty && QUOTED_STRING_TEXT.test(value)) return value;
  }
  return undefined;
}
