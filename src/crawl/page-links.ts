import { createHash } from 'node:crypto';
import { encodeQuery } from '../web/charset.ts';
import { createLinkResolver } from '../web/resolve-link.ts';
import type { LinkType, ResolvedLinks } from './visit-result.ts';

/** Longest text kept of any link, characters (design section 11). `data:` links can be megabytes. */
export const MAX_LISTED_LENGTH = 16_384;

/**
 * Makes the links of a page absolute and counts them by URL key.
 * @param baseUrl what relative links are resolved against (the page's URL or its `<base>`)
 */
export function resolvePageLinks(
  hrefs: readonly string[],
  baseUrl: string,
  encoding: string,
  urlKey: (url: string) => string,
): ResolvedLinks {
  const resolve = createLinkResolver(baseUrl, encoding, encodeQuery);
  const byHref = new Map<string, number>();
  const byKey = new Map<string, number>();
  const keys: string[] = [];
  const urls: string[] = [];
  const counts: number[] = [];
  const types: LinkType[] = [];
  for (const href of hrefs) {
    const same = byHref.get(href);
    if (same !== undefined) {
      counts[same] = (counts[same] ?? 0) + 1;
      continue;
    }
    const resolved = resolve(href);
    let type: LinkType = 'http';
    let url: string;
    let key: string;
    if (typeof resolved === 'string' && resolved.length <= MAX_LISTED_LENGTH) {
      url = resolved;
      key = urlKey(url);
    } else {
      type = typeof resolved === 'string' ? 'too-long' : resolved.type;
      url = boundText(typeof resolved === 'string' ? resolved : resolved.text);
      key = url;
    }
    let index = byKey.get(key);
    if (index === undefined) {
      index = keys.length;
      byKey.set(key, index);
      keys.push(key);
      urls.push(url);
      counts.push(1);
      types.push(type);
    } else {
      counts[index] = (counts[index] ?? 0) + 1;
    }
    byHref.set(href, index);
  }
  return { keys, urls, counts, types };
}

/** Cuts an over-long text, with its length and digest so that different texts stay different. */
export function boundText(text: string): string {
  if (text.length <= MAX_LISTED_LENGTH) return text;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return `${text.slice(0, 256)}…(${text.length} characters, sha256 ${digest})`;
}
