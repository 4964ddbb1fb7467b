import { isIP } from 'node:net';
import type { GivenCookie } from './given-cookie.ts';
import { defaultPath, parseSetCookie, type ParsedCookie } from './set-cookie.ts';

export { parseCookieFile } from './cookie-file.ts';
export type { GivenCookie } from './given-cookie.ts';

interface StoredCookie {
  readonly domain: string;
  readonly hostOnly: boolean;
  readonly path: string;
  readonly secure: boolean;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
  readonly name: string;
  readonly value: string;
}

/** RFC 6265 §6.1 asks for 50 a domain; a chain of a few redirects needs no more in all. */
const MAX_COOKIES = 50;
/** Servers refuse longer header sections; what does not fit is left out. */
const MAX_HEADER_BYTES = 8 * 1024;

/**
 * Cookies (RFC 6265) of one visit. What a site sets lives only within one chain of redirects and never reaches another page, so that
 * the result of a page does not depend on what was fetched before it. Given cookies are sent to the hosts they were given for.
 * There is no list of public suffixes here: `Domain=co.uk` is accepted, within this one chain; a domain without a dot is not.
 */
export class CookieJar {
  readonly #given: readonly GivenCookie[];
  readonly #now: () => number;
  #cookies: StoredCookie[] | undefined;
  #version = 0;

  /** `now` in milliseconds since the epoch. */
  constructor(given: readonly GivenCookie[] = [], now: () => number = Date.now) {
    this.#given = given;
    this.#now = now;
  }

  /** Grows with every change: equal versions mean that the same URL would be asked with the same cookies. */
  get version(): number {
    return this.#version;
  }

  /** Value of the Cookie field for a request to this URL, undefined for none (RFC 6265 §5.4). */
  headerFor(url: string): string | undefined {
    if (this.#cookies === undefined && this.#given.length === 0) return undefined;
    const cookies = this.#load();
    const target = new URL(url);
    const now = this.#now();
    // Longer paths first; the sort is stable, so that equal ones keep the order they were made in.
    const matching = cookies.filter((cookie) => isMatch(cookie, target, now));
    matching.sort((a, b) => b.path.length - a.path.length);
    let header = '';
    for (const { name, value } of matching) {
      const pair = name === '' ? value : `${name}=${value}`;
      if (header.length + pair.length + 2 > MAX_HEADER_BYTES) continue;
      header += header === '' ? pair : `; ${pair}`;
    }
    return header === '' ? undefined : header;
  }

  /** Takes the Set-Cookie fields of an answer from this URL (RFC 6265 §5.3). What is not allowed is ignored. */
  store(url: string, setCookies: readonly string[]): void {
    if (setCookies.length === 0) return;
    const source = new URL(url);
    for (const text of setCookies) {
      const parsed = parseSetCookie(text, this.#now());
      const cookie = parsed === undefined ? undefined : admit(parsed, source);
      if (cookie !== undefined) this.#put(cookie);
    }
  }

  #put(cookie: StoredCookie): void {
    const cookies = this.#load();
    const index = cookies.findIndex(
      ({ name, domain, path }) => name === cookie.name && domain === cookie.domain && path === cookie.path,
    );
    const old = cookies[index];
    if (cookie.expiresAtMs <= this.#now()) {
      if (old === undefined) return;
      cookies.splice(index, 1);
    } else if (old === undefined) {
      if (cookies.length >= MAX_COOKIES) return;
      cookies.push(cookie);
    } else {
      cookies[index] = cookie;
      if (old.value === cookie.value && old.secure === cookie.secure && old.hostOnly === cookie.hostOnly) return;
    }
    this.#version++;
  }

  #load(): StoredCookie[] {
    this.#cookies ??= this.#given.map((cookie) => ({
      domain: cookie.domain,
      hostOnly: !cookie.includeSubdomains,
      path: cookie.path,
      secure: cookie.secure,
      expiresAtMs: cookie.expires === 0 ? Infinity : cookie.expires * 1000,
      name: cookie.name,
      value: cookie.value,
    }));
    return this.#cookies;
  }
}

function admit(parsed: ParsedCookie, source: URL): StoredCookie | undefined {
  const host = source.hostname;
  const isSecureSource = source.protocol === 'https:';
  if (parsed.secure && !isSecureSource) return undefined;
  if (parsed.domain !== '' && parsed.domain !== host) {
    if (!parsed.domain.includes('.') || !isInDomain(host, parsed.domain)) return undefined;
  }
  const hostOnly = parsed.domain === '';
  const path = parsed.path ?? defaultPath(source.pathname);
  // Prefixes: RFC 6265bis §4.1.3.
  if (parsed.name.startsWith('__Secure-') && !parsed.secure) return undefined;
  if (parsed.name.startsWith('__Host-') && !(parsed.secure && hostOnly && parsed.path === '/')) return undefined;
  const { name, value, secure, expiresAtMs } = parsed;
  return { domain: hostOnly ? host : parsed.domain, hostOnly, path, secure, expiresAtMs, name, value };
}

function isMatch(cookie: StoredCookie, url: URL, nowMs: number): boolean {
  if (cookie.secure && url.protocol !== 'https:') return false;
  if (cookie.expiresAtMs <= nowMs) return false;
  const host = url.hostname;
  if (host !== cookie.domain && (cookie.hostOnly || !isInDomain(host, cookie.domain))) return false;
  return isInPath(url.pathname, cookie.path);
}

/** RFC 6265 §5.1.3: names only, an address has no subdomains. */
function isInDomain(host: string, domain: string): boolean {
  return host.endsWith(`.${domain}`) && isIP(host) === 0 && !host.startsWith('[');
}

/** RFC 6265 §5.1.4. */
function isInPath(requestPath: string, cookiePath: string): boolean {
  if (!requestPath.startsWith(cookiePath)) return false;
  return requestPath.length === cookiePath.length || cookiePath.endsWith('/') || requestPath[cookiePath.length] === '/';
}
