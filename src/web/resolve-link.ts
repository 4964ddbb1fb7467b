import { trimControls } from './ascii-trim.ts';
import { createPlainResolver } from './url-plain-link.ts';

/** A link made absolute: an http(s) URL without fragment, user name and password, or why there is none. */
export type Resolved = string | OtherLink;

export type OtherLink =
  /** Another scheme (`mailto`, `javascript`, `data` …), lower case. The text is not checked further. */
  | { readonly type: 'scheme'; readonly scheme: string; readonly text: string }
  /** The URL parser refuses it. */
  | { readonly type: 'invalid'; readonly text: string };

/** Percent-encodes a query in the encoding of its page (WHATWG URL §4.4, query state). `encodeQuery` of `charset.ts`. */
export type EncodeQuery = (text: string, encoding: string) => string;

const SCHEME = /^([a-zA-Z][a-zA-Z0-9+.-]*):/;
const NON_ASCII = /[^\0-\x7f]/;

/**
 * Makes the function that resolves the links of one page. Its answers are those of `new URL(href, base)` without fragment, with the
 * query encoded in the page's encoding (WHATWG HTML §2.4.3), and without user name and password: credentials in a link are
 * never sent to a server and never part of a URL key. Usual links (plain ASCII) are resolved by text alone, the rest by the parser.
 * `href=""` is the base itself.
 * @param baseUrl absolute URL; one that does not parse leaves only absolute links valid
 * @param encoding WHATWG name of the page's encoding, lower case
 */
export function createLinkResolver(
  baseUrl: string,
  encoding: string,
  encodeQuery: EncodeQuery,
): (href: string) => Resolved {
  const base = parseUrl(baseUrl, undefined);
  const resolvePlain = createPlainResolver(base);
  return (href) => {
    const text = trimControls(href);
    const plain = resolvePlain(text);
    if (plain !== undefined) return plain;
    const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
    // Not given to the parser: data: links can be megabytes.
    if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') return { type: 'scheme', scheme, text };
    return resolveByParser(text, base, encoding, encodeQuery);
  };
}

/**
 * The URL without fragment, user name and password: what may be sent to a server and stored.
 * @param url its fragment and credentials are cleared in place
 */
export function toFetchUrl(url: URL): string {
  if (url.username !== '' || url.password !== '') {
    url.username = '';
    url.password = '';
  }
  const { href } = url;
  const hash = href.indexOf('#');
  return hash < 0 ? href : href.slice(0, hash);
}

function resolveByParser(text: string, base: URL | undefined, encoding: string, encodeQuery: EncodeQuery): Resolved {
  // The parser drops these anywhere; dropped here too, so that the query below is found where the parser finds it.
  const clean = text.replace(/[\t\n\r]/g, '');
  let url = parseUrl(clean, base);
  if (url === undefined) return { type: 'invalid', text };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { type: 'scheme', scheme: url.protocol.slice(0, -1), text: url.href };
  }
  if (encoding !== 'utf-8') {
    const hash = clean.indexOf('#');
    const end = hash < 0 ? clean.length : hash;
    const mark = clean.indexOf('?');
    if (mark >= 0 && mark < end && NON_ASCII.test(clean.slice(mark, end))) {
      const query = encodeQuery(clean.slice(mark + 1, end), encoding);
      url = parseUrl(`${clean.slice(0, mark)}?${query}`, base) ?? url;
    }
  }
  return toFetchUrl(url);
}

function parseUrl(text: string, base: URL | undefined): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
