import { encodeQuery } from '../web/charset.ts';
import { createLinkResolver, type Resolved } from '../web/resolve-link.ts';
import { LinkMemo } from './link-memo.ts';
import type { LinkType, ResolvedLinks } from './visit-result.ts';

/** Pages with more links are read without the memo of the site: they would leave nothing else in it. */
const MAX_MEMO_LINKS = 5_000;
/** Longer links are not kept. */
const MAX_MEMO_LENGTH = 2_048;
const HASH = 0x23;

const IS_HTTP = /^https?:\/\//;
/**
 * Links whose meaning may depend on more than the folder of the page: those of fragment or query alone, with a scheme and no
 * host, and such with characters that the parser drops.
 */
const MAY_BE_OF_PAGE = /^(?:[\0- ?#]|https?:(?!\/\/)|$)|[\t\n\r]/i;

/** By the key function, which a site has one of. */
const memos = new WeakMap<(url: string) => string, LinkMemo>();

/**
 * Makes the links of a page absolute and counts them by URL key.
 * @param baseUrl what relative links are resolved against (the page's URL or its `<base>`), as the WHATWG parser serialises it
 * @param urlKey always the same for a site: what links mean is remembered by it
 */
export function resolvePageLinks(
  hrefs: readonly string[],
  baseUrl: string,
  encoding: string,
  urlKey: (url: string) => string,
): ResolvedLinks {
  const memo = hrefs.length > MAX_MEMO_LINKS ? new LinkMemo(urlKey) : memoOf(urlKey);
  const page = memo.beginPage();
  const isHttp = IS_HTTP.test(baseUrl);
  const folder = memo.folder(isHttp ? folderOf(baseUrl) : baseUrl, encoding);
  const { meanings } = folder;
  const keys: string[] = [];
  const urls: string[] = [];
  const counts: number[] = [];
  const types: LinkType[] = [];
  let resolve: ((href: string) => Resolved) | undefined;
  // Links into the page itself are many on some, and all mean the same.
  let itself: number | undefined;
  for (const href of hrefs) {
    const isItself = isHttp && href.charCodeAt(0) === HASH;
    if (isItself && itself !== undefined) {
      counts[itself] = (counts[itself] as number) + 1;
      continue;
    }
    let meaning = isItself ? undefined : meanings.get(href);
    if (meaning === undefined) {
      if (!MAY_BE_OF_PAGE.test(href) && href.length <= MAX_MEMO_LENGTH) meaning = memo.add(folder, href);
      else {
        resolve ??= createLinkResolver(baseUrl, encoding, encodeQuery);
        meaning = memo.read(resolve(href));
      }
    }
    const { place } = meaning;
    if (place.page === page) counts[place.index] = (counts[place.index] as number) + 1;
    else {
      place.page = page;
      place.index = keys.length;
      keys.push(meaning.key);
      urls.push(meaning.url);
      counts.push(1);
      types.push(meaning.type);
    }
    if (isItself) itself = place.index;
  }
  return { keys, urls, counts, types };
}

function memoOf(urlKey: (url: string) => string): LinkMemo {
  let memo = memos.get(urlKey);
  if (memo === undefined) {
    memo = new LinkMemo(urlKey);
    memos.set(urlKey, memo);
  }
  return memo;
}

/** The URL up to the last slash of its path. */
function folderOf(url: string): string {
  const mark = url.indexOf('?');
  const hash = url.indexOf('#');
  const end = mark < 0 ? hash : hash < 0 ? mark : Math.min(mark, hash);
  return url.slice(0, url.lastIndexOf('/', end < 0 ? undefined : end) + 1);
}
