import { OrbweaverError } from '../base/errors.ts';
import type { GivenCookie } from './given-cookie.ts';

/** What must not get into a Cookie field: it would end the pair or the field. */
// oxlint-disable-next-line no-control-regex -- control characters are the point
const UNSAFE = /[\0-\x1f\x7f;]/;
const HTTP_ONLY = '#HttpOnly_';

/**
 * Reads a cookie file in the Netscape format, as curl, wget and browser extensions write it: seven fields with tabs between them a line
 * (domain, subdomains TRUE or FALSE, path, secure, expiry in seconds, name, value); `#` starts a comment, except for `#HttpOnly_`.
 * Throws INPUT_INVALID with the line.
 */
export function parseCookieFile(text: string): GivenCookie[] {
  const cookies: GivenCookie[] = [];
  for (const [index, raw] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const line = raw.startsWith(HTTP_ONLY) ? raw.slice(HTTP_ONLY.length) : raw;
    if (line.trim() === '' || line.startsWith('#')) continue;
    cookies.push(parseLine(line, index + 1));
  }
  return cookies;
}

function parseLine(line: string, number: number): GivenCookie {
  const fail = (what: string): never => {
    throw new OrbweaverError('INPUT_INVALID', `cookie file, line ${number}: ${what}`, { context: { line: number } });
  };
  const fields = line.split('\t');
  // Some writers leave out an empty value together with its tab.
  if (fields.length !== 7 && fields.length !== 6) fail(`${fields.length} fields instead of 7 (separated by tabs)`);
  const [domain = '', subdomains = '', path = '', secure = '', expires = '', name = '', value = ''] = fields;
  if (!/^-?\d+(?:\.\d+)?$/.test(expires)) fail(`the expiry "${expires}" is no number of seconds`);
  if (!path.startsWith('/')) fail(`the path "${path}" does not begin with /`);
  if (UNSAFE.test(name) || name.includes('=') || UNSAFE.test(value))
    fail('the name or value holds a forbidden character');
  if (name === '' && value === '') fail('neither name nor value');
  return {
    domain: readHost(domain) ?? fail(`"${domain}" is no host name`),
    includeSubdomains: readFlag(subdomains) ?? fail(`"${subdomains}" is neither TRUE nor FALSE`),
    path,
    secure: readFlag(secure) ?? fail(`"${secure}" is neither TRUE nor FALSE`),
    expires: Math.max(0, Math.floor(Number(expires))),
    name,
    value,
  };
}

function readFlag(text: string): boolean | undefined {
  const flag = text.toUpperCase();
  return flag === 'TRUE' ? true : flag === 'FALSE' ? false : undefined;
}

/** Host name as the URL standard writes it (lower case, punycode). */
function readHost(text: string): string | undefined {
  const bare = text.replace(/^\./, '');
  if (bare === '' || /[/?#@\s:]/.test(bare.replace(/^\[[\da-f:.]+\]$/i, ''))) return undefined;
  return URL.canParse(`http://${bare}/`) ? new URL(`http://${bare}/`).hostname : undefined;
}
