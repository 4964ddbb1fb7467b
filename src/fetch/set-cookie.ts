/** A Set-Cookie field taken apart (RFC 6265 §5.2). */
export interface ParsedCookie {
  readonly name: string;
  readonly value: string;
  /** Lower case, without leading dot; empty when there is none. */
  readonly domain: string;
  /** undefined: the default path of the URL. */
  readonly path: string | undefined;
  readonly secure: boolean;
  /** Milliseconds since the epoch; Infinity for the session, in the past to delete. */
  readonly expiresAtMs: number;
}

/** RFC 6265bis §5.6: longer pairs and attributes are ignored. */
const MAX_PAIR_BYTES = 4_096;
const MAX_ATTRIBUTE_BYTES = 1_024;

/** Takes a Set-Cookie field apart; undefined when it must be ignored. */
export function parseSetCookie(text: string, nowMs: number): ParsedCookie | undefined {
  // oxlint-disable-next-line no-control-regex -- RFC 6265bis §5.6 step 1: control characters void the cookie
  if (/[\0-\x08\x0a-\x1f\x7f]/.test(text)) return undefined;
  const [pair = '', ...attributes] = text.split(';');
  const [name, value] = splitPair(pair);
  if (name === '' && value === '') return undefined;
  if (name.length + value.length > MAX_PAIR_BYTES) return undefined;
  let domain = '';
  let path: string | undefined;
  let secure = false;
  let expires: number | undefined;
  let maxAge: number | undefined;
  for (const attribute of attributes) {
    const [key, data] = attribute.includes('=') ? splitPair(attribute) : [attribute.trim(), ''];
    if (data.length > MAX_ATTRIBUTE_BYTES) continue;
    switch (key.toLowerCase()) {
      case 'domain':
        domain = data.toLowerCase().replace(/^\./, '');
        break;
      case 'path':
        path = data.startsWith('/') ? data : undefined;
        break;
      case 'secure':
        secure = true;
        break;
      case 'expires':
        expires = readDate(data) ?? expires;
        break;
      case 'max-age':
        if (/^-?\d+$/.test(data)) maxAge = Number(data);
        break;
      default:
    }
  }
  const byAge = maxAge === undefined ? undefined : maxAge <= 0 ? 0 : nowMs + maxAge * 1000;
  return { name, value, domain, path, secure, expiresAtMs: byAge ?? expires ?? Infinity };
}

/** RFC 6265 §5.1.4: the directory of the URL's path. */
export function defaultPath(pathname: string): string {
  const slash = pathname.lastIndexOf('/');
  return slash <= 0 ? '/' : pathname.slice(0, slash);
}

/** A pair without `=` is a value without name. */
function splitPair(text: string): [name: string, value: string] {
  const equals = text.indexOf('=');
  return equals < 0 ? ['', text.trim()] : [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The lenient date of RFC 6265 §5.1.1: time, day, month and year in any order. */
function readDate(text: string): number | undefined {
  let time: number[] | undefined;
  let day: number | undefined;
  let month: number | undefined;
  let year: number | undefined;
  // RFC 6265 §5.1.1 names these delimiters.
  for (const token of text.split(/[\t\x20-/;-@[-`{-~]+/)) {
    const clock = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\D|$)/.exec(token);
    const monthIndex = MONTHS.indexOf(token.slice(0, 3).toLowerCase());
    if (time === undefined && clock !== null) time = clock.slice(1).map(Number);
    else if (day === undefined && /^\d{1,2}(?:\D|$)/.test(token)) day = Number.parseInt(token, 10);
    else if (month === undefined && monthIndex >= 0) month = monthIndex;
    else if (year === undefined && /^\d{2,4}(?:\D|$)/.test(token)) year = Number.parseInt(token, 10);
  }
  if (time === undefined || day === undefined || month === undefined || year === undefined) return undefined;
  if (year < 100) year += year >= 70 ? 1900 : 2000;
  const [hour = 0, minute = 0, second = 0] = time;
  if (year < 1601 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 59) return undefined;
  return Date.UTC(year, month, day, hour, minute, second);
}
