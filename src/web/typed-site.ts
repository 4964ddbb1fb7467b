import normalizeUrl from 'normalize-url';
import { OrbweaverError } from '../base/errors.ts';
import { trimControls } from './ascii-trim.ts';
import { toFetchUrl } from './resolve-link.ts';

/** Schemes people write without `//`; `tel:112` would else be a host with a port. */
const KNOWN_SCHEMES = new Set(['mailto', 'tel', 'sms', 'javascript', 'data', 'file', 'ftp', 'about', 'blob', 'urn']);
/** Letters of a host name after the parser (IDNA in punycode); an underscore occurs in practice. */
const HOST_NAME = /^[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?$/;

/**
 * Start URL for what a person types: `example.com`, `https://example.com/docs/`, `127.0.0.1:8080/git.html`, `[::1]:8080`,
 * `münchen.example`. Without a scheme it is http: a site that wants https redirects there, at no cost in levels and within the
 * same site, while the reverse fails on sites that have http only. `www.`, trailing slash, index file and query stay; the fragment goes.
 * @throws OPTIONS_INVALID for other schemes, user names and passwords, and what is no host name
 */
export function parseTypedSite(text: string): string {
  const typed = trimControls(text);
  const { scheme, rest } = splitScheme(typed);
  if (scheme !== 'http' && scheme !== 'https') throw invalid(typed, `${scheme}: is not crawled, only http and https`);
  const end = rest.search(/[/?#\\]/);
  const authority = end < 0 ? rest : rest.slice(0, end);
  const tail = end < 0 ? '' : rest.slice(end);
  if (authority === '') throw invalid(typed, 'there is no host name');
  if (authority.includes('@')) throw invalid(typed, 'user name and password do not belong into the URL; see --header');
  if (hasBlankOrControl(authority) || /[\t\n\r]/.test(tail)) throw invalid(typed, 'there is a blank in it');
  if (/^\d+$/.test(authority)) throw invalid(typed, 'a number is no host name');

  let url: URL;
  try {
    url = new URL(
      normalizeOrigin(`${scheme}://${authority}`) + (tail.startsWith('/') || tail === '' ? tail : `/${tail}`),
    );
  } catch {
    throw invalid(typed, 'this is no host name or no port');
  }
  checkHost(url, typed);
  return toFetchUrl(url);
}

/**
 * Only the origin goes through normalize-url: whatever its options, it would decode the path, collapse slashes in it and
 * rewrite `?a&b=`, which are differences a site may care about. What it does here: the trailing dot of the host goes.
 */
function normalizeOrigin(origin: string): string {
  return normalizeUrl(origin, {
    defaultProtocol: 'http',
    normalizeProtocol: true,
    forceHttp: false,
    forceHttps: false,
    stripAuthentication: false,
    stripHash: false,
    stripTextFragment: false,
    stripProtocol: false,
    stripWWW: false,
    removeQueryParameters: false,
    removeTrailingSlash: true,
    removeSingleSlash: true,
    removeDirectoryIndex: false,
    removeExplicitPort: false,
    sortQueryParameters: false,
    removePath: false,
    emptyQueryValue: 'preserve',
  });
}

function splitScheme(typed: string): { readonly scheme: string; readonly rest: string } {
  if (typed.startsWith('//')) return { scheme: 'http', rest: typed.slice(2) };
  const match = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(typed);
  if (match === null) return { scheme: 'http', rest: typed };
  const scheme = (match[1] as string).toLowerCase();
  const after = match[2] as string;
  if (scheme === 'http' || scheme === 'https') return { scheme, rest: after.replace(/^[/\\]{1,2}/, '') };
  // `localhost:8080/x` is a host with a port, `ftp://x` and `mailto:x` are other schemes.
  const isPort = /^\d{1,5}(?:[/?#\\]|$)/.test(after);
  return isPort && !KNOWN_SCHEMES.has(scheme) ? { scheme: 'http', rest: typed } : { scheme, rest: after };
}

function checkHost(url: URL, typed: string): void {
  if (url.port === '0') throw invalid(typed, 'port 0 cannot be reached');
  const { hostname } = url;
  if (hostname.startsWith('[')) return;
  const labels = hostname.split('.');
  if (hostname.length > 253 || !HOST_NAME.test(hostname) || labels.some((label) => label === '' || label.length > 63)) {
    throw invalid(typed, `"${hostname.slice(0, 80)}" is no host name`);
  }
}

function hasBlankOrControl(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) <= 0x20) return true;
  return false;
}

function invalid(typed: string, reason: string): OrbweaverError {
  const shown = typed.length > 100 ? `${typed.slice(0, 100)}…` : typed;
  // Quoted as JSON: what is typed may hold line breaks and control characters.
  return new OrbweaverError('OPTIONS_INVALID', `${JSON.stringify(shown)} is no site to crawl: ${reason}`);
}
