import type { Fate, PageRecord } from '../store/records.ts';
import type { SiteStore } from '../store/site-store.ts';
import { findUrl } from '../store/find-url.ts';
import type { HopOutcome, LinkType, ResolvedLinks } from './visit-result.ts';

/** Addresses of a former crawl kept in memory while its pages are gone through again; texts of about 100 bytes. */
const MAX_CACHED_URLS = 50_000;

/** Fates that another day may change: for these the site is asked again. */
export function isWorthRetrying({ type, status }: Fate): boolean {
  return type === 'unreachable' || type === 'timeout' || (type === 'broken' && (status >= 500 || status === 429));
}

/**
 * Answers from a former crawl of the same site, so that it can be walked again with only the failed URLs fetched anew. Walking all of
 * it again, and not just the failed URLs, is what keeps levels and duplicates those of one undisturbed crawl. (The links of a page are stored by number, so
 * the order of ids within a level can differ from it.)
 */
export class RememberedAnswers {
  readonly #former: SiteStore;
  readonly #urlKey: (url: string) => string;
  readonly #links = new Map<number, { readonly url: string; readonly key: string; readonly type: LinkType }>();

  constructor(former: SiteStore, urlKey: (url: string) => string) {
    this.#former = former;
    this.#urlKey = urlKey;
  }

  /** Undefined when the site must be asked: a URL that is new, failed, or was folded as a duplicate (whose links were not kept). */
  async find(url: string, key: string): Promise<HopOutcome | undefined> {
    const number = await findUrl(this.#former, key);
    const fate = number === 0 ? undefined : await this.#former.getFate(number);
    if (fate === undefined || isWorthRetrying(fate)) return undefined;
    // A chain that was too long or came back may be shorter now.
    if (fate.type === 'broken' && fate.status < 400) return undefined;
    // Another spelling of the same URL has its own base for relative links.
    if ((await this.#former.getUrl(number))?.url !== url) return undefined;
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- every other fate stands as it is
    switch (fate.type) {
      case 'page': {
        const page = await this.#former.getPage(fate.target);
        return page === undefined ? undefined : { type: 'page', page: { ...page, links: await this.#linksOf(page) } };
      }
      case 'redirect': {
        const target = await this.#former.getUrl(fate.target);
        if (target === undefined) return undefined;
        return { type: 'redirect', status: fate.status, url: target.url, setCookies: [] };
      }
      case 'duplicate':
        return undefined;
      default:
        return { type: 'end', fate };
    }
  }

  async #linksOf(page: PageRecord): Promise<ResolvedLinks> {
    const links: { keys: string[]; urls: string[]; counts: number[]; types: LinkType[] } = {
      keys: [],
      urls: [],
      counts: [],
      types: [],
    };
    // By number is the order in which they were first seen: the order of the page, among those seen first on it.
    for (let index = 0; index < page.links.numbers.length; index++) {
      const link = await this.#link(page.links.numbers[index] as number);
      if (link === undefined) continue;
      links.keys.push(link.key);
      links.urls.push(link.url);
      links.types.push(link.type);
      links.counts.push(page.links.counts[index] as number);
    }
    return links;
  }

  async #link(number: number): Promise<{ url: string; key: string; type: LinkType } | undefined> {
    const known = this.#links.get(number);
    if (known !== undefined) return known;
    const record = await this.#former.getUrl(number);
    if (record === undefined) return undefined;
    const { url, kind } = record;
    const isListed = kind === 'scheme' || kind === 'invalid' || (kind === 'too-long' && !/^https?:\/\/\S*$/.test(url));
    const type: LinkType = isListed ? kind : 'http';
    const link = { url, type, key: isListed ? url : this.#urlKey(url) };
    if (this.#links.size >= MAX_CACHED_URLS) this.#links.clear();
    this.#links.set(number, link);
    return link;
  }
}
