import type { Fate, FateType, PageRecord, SiteState, UrlOrigin, UrlRecord } from '../store/records.ts';
import type { Commit, SiteStore } from '../store/site-store.ts';
import { findUrl } from '../store/find-url.ts';
import type { Frontier } from './frontier.ts';
import type { UrlJudge } from './url-judge.ts';
import type { Hop, LinkType, ParsedPage, ResolvedLinks, VisitResult } from './visit-result.ts';

const PLACES = 2 ** 20;

type NewUrl = UrlRecord & { readonly key: string };

/** Who names a URL. */
interface Referrer {
  readonly url: string;
  /** Page id of a link, URL number of a redirect. */
  readonly from: number;
  readonly origin: UrlOrigin;
  /** Of the URL that is named. */
  readonly level: number;
}

interface Draft {
  readonly urls: NewUrl[];
  readonly fates: [number, Fate][];
  readonly pages: PageRecord[];
  bytes: number;
}

/**
 * Turns the results of visits into records, strictly in frontier order: here ids, levels and duplicates are decided, so they
 * are those of a sequential breadth-first walk whatever was downloaded when. Everything a result changes goes into one batch.
 */
export class Committer {
  readonly #store: SiteStore;
  readonly #frontier: Frontier;
  readonly #judge: UrlJudge;
  readonly #keepDuplicates: boolean;

  constructor(options: {
    readonly store: SiteStore;
    readonly frontier: Frontier;
    readonly judge: UrlJudge;
    readonly keepDuplicates: boolean;
  }) {
    this.#store = options.store;
    this.#frontier = options.frontier;
    this.#judge = options.judge;
    this.#keepDuplicates = options.keepDuplicates;
  }

  /** Resolves to the promise of the write, wrapped so that the caller need not wait for the disk. */
  async commit(result: VisitResult): Promise<{ readonly written: Promise<void> }> {
    const draft: Draft = { urls: [], fates: [], pages: [], bytes: 0 };
    // While it was under way, a redirect that came before it in the order may have led here and settled it.
    if (!this.#frontier.hasFate(result.number)) await this.#settleChain(result, draft);
    const { state } = this.#store;
    const site: SiteState = {
      ...state,
      urls: state.urls + draft.urls.length,
      queued: state.queued + countIf(draft.urls, ({ kind }) => kind === 'visit') - draft.fates.length,
      failures: state.failures + countIf(draft.fates, ([, { type }]) => isFailure(type)),
      pages: state.pages + draft.pages.length,
      bytes: state.bytes + draft.bytes,
      committed: result.number,
      traps: state.traps + countIf(draft.urls, ({ kind }) => kind === 'trap'),
    };
    const commit: Commit = { urls: draft.urls, fates: draft.fates, pages: draft.pages, site };
    const written = this.#store.commit(commit);
    for (const [number] of draft.fates) if (number > result.number) this.#frontier.settle(number);
    for (const url of draft.urls) this.#frontier.add(url);
    return { written };
  }

  async #settleChain(visited: VisitResult, draft: Draft): Promise<void> {
    const result = await this.#cutAtSettled(visited);
    const { hops } = result;
    if (result.end === 'loop' || result.end === 'too-many') {
      // The others of the chain are judged on their own turn: from there the chain is shorter.
      const status = statusOf(hops[hops.length - 1]);
      const detail = result.end === 'loop' ? 'redirects in a loop' : 'more than 10 redirects';
      draft.fates.push([result.number, { type: 'broken', status, target: 0, detail }]);
      return;
    }
    let number = result.number;
    const chain = withoutDetours(hops);
    for (let index = 0; index < chain.length; index++) {
      const { outcome, url } = chain[index] as Hop;
      if (outcome.type === 'redirect') {
        const next = chain[index + 1] ?? result.next;
        if (next === undefined) throw new TypeError('a redirect without its target');
        const target = await this.#numberOf(
          next.url,
          next.key,
          { url, from: number, origin: 'redirect', level: result.level },
          draft,
        );
        draft.fates.push([number, { type: 'redirect', status: outcome.status, target: target.number, detail: '' }]);
        if (!target.isOpen) return;
        number = target.number;
      } else if (outcome.type === 'page') {
        await this.#addPage(number, url, result.level, outcome.page, draft);
      } else if (outcome.type === 'end') {
        draft.fates.push([number, outcome.fate]);
      }
    }
  }

  /**
   * A chain without an end that was followed while an earlier URL of it was under way: by now that one has its fate, and a visit made
   * in order would have stopped there.
   */
  async #cutAtSettled(result: VisitResult): Promise<VisitResult> {
    if (result.end !== 'loop' && result.end !== 'too-many') return result;
    for (const [index, { url, key }] of result.hops.entries()) {
      const number = index === 0 ? 0 : await findUrl(this.#store, key);
      if (number === 0 || number === result.number || !this.#frontier.hasFate(number)) continue;
      return { ...result, end: 'next', hops: result.hops.slice(0, index), next: { url, key } };
    }
    return result;
  }

  async #addPage(number: number, url: string, level: number, page: ParsedPage, draft: Draft): Promise<void> {
    draft.bytes += page.bytes;
    if (!this.#keepDuplicates) {
      const found = this.#store.findDigest(page.digest);
      const original = typeof found === 'number' ? found : await found;
      if (original !== 0) {
        const lost = await this.#countOwnLinks(original, page.links, number);
        draft.fates.push([number, { type: 'duplicate', status: 200, target: original, detail: String(lost) }]);
        return;
      }
    }
    const id = this.#store.state.pages + 1;
    const links = await this.#numberLinks(page.links, { url, from: id, origin: 'link', level: level + 1 }, draft);
    draft.pages.push({
      id,
      urlNumber: number,
      url,
      level,
      title: page.title,
      bytes: page.bytes,
      digest: page.digest,
      linksCut: page.linksCut,
      flags: page.flags,
      links,
    });
    draft.fates.push([number, { type: 'page', status: 200, target: id, detail: '' }]);
  }

  /** Numbers for the links of a page; those never seen become URL records, in the order of the page. */
  async #numberLinks(links: ResolvedLinks, referrer: Referrer, draft: Draft): Promise<PageRecord['links']> {
    const found = this.#store.findUrls(links.keys);
    const known = found instanceof Uint32Array ? found : await found;
    const drafted = draft.urls.length === 0 ? undefined : new Map(draft.urls.map((url) => [url.key, url.number]));
    const count = links.keys.length;
    const numbers = new Uint32Array(count);
    for (let index = 0; index < count; index++) {
      const key = links.keys[index] as string;
      numbers[index] =
        (known[index] as number) ||
        (drafted?.get(key) ??
          this.#addUrl(
            { url: links.urls[index] as string, key, type: links.types[index] as LinkType },
            referrer,
            draft,
          ));
    }
    return sortLinks(numbers, links.counts);
  }

  #addUrl(link: { url: string; key: string; type: LinkType }, referrer: Referrer, draft: Draft): number {
    const { url, key, type } = link;
    const { origin, from, level } = referrer;
    const { kind, rule } = type === 'http' ? this.#judge.admit(url, referrer.url) : { kind: type, rule: '' };
    const number = this.#store.state.urls + draft.urls.length + 1;
    draft.urls.push({ number, url, key, kind, level, origin, from, rule });
    return number;
  }

  /** The record of a redirect target; `isOpen` when it takes the redirecting URL's place in the order. */
  async #numberOf(
    url: string,
    key: string,
    referrer: Referrer,
    draft: Draft,
  ): Promise<{ number: number; isOpen: boolean }> {
    const known = await findUrl(this.#store, key);
    if (known !== 0) {
      if (this.#frontier.hasFate(known) || draft.fates.some(([number]) => number === known)) {
        return { number: known, isOpen: false };
      }
      const record = await this.#store.getUrl(known);
      return { number: known, isOpen: record?.kind === 'visit' };
    }
    const drafted = draft.urls.find((record) => record.key === key);
    if (drafted !== undefined) return { number: drafted.number, isOpen: false };
    const number = this.#addUrl({ url, key, type: 'http' }, referrer, draft);
    return { number, isOpen: draft.urls.at(-1)?.kind === 'visit' };
  }

  /** How many links of a duplicate lead to URLs its original does not link to: what folding loses. */
  async #countOwnLinks(original: number, links: ResolvedLinks, self: number): Promise<number> {
    const [page, found] = await Promise.all([this.#store.getPage(original), this.#store.findUrls(links.keys)]);
    const shared = new Set(page?.links.numbers);
    if (page !== undefined) shared.add(page.urlNumber);
    shared.add(self);
    let own = 0;
    for (const number of found) if (number === 0 || !shared.has(number)) own++;
    return own;
  }
}

function countIf<T>(items: readonly T[], is: (item: T) => boolean): number {
  let found = 0;
  for (const item of items) if (is(item)) found++;
  return found;
}

function isFailure(type: FateType): boolean {
  return type === 'broken' || type === 'unreachable' || type === 'timeout';
}

/** A chain that comes back to a URL, in another spelling or with a cookie, counts as if it had answered so at once. */
function withoutDetours(hops: readonly Hop[]): readonly Hop[] {
  if (hops.length < 2) return hops;
  const chain: Hop[] = [];
  for (const hop of hops) {
    const before = chain.findIndex((earlier) => earlier.key === hop.key);
    if (before >= 0) chain.length = before;
    chain.push(hop);
  }
  return chain;
}

function statusOf(hop: Hop | undefined): number {
  return hop?.outcome.type === 'redirect' ? hop.outcome.status : 0;
}

/** Sorts by number. Number and place are packed into one double (2^32 · 2^20 < 2^53), as a native sort needs no comparator. */
function sortLinks(numbers: Uint32Array, counts: readonly number[]): PageRecord['links'] {
  const packed = new Float64Array(numbers.length);
  for (let index = 0; index < numbers.length; index++) packed[index] = (numbers[index] as number) * PLACES + index;
  packed.sort();
  const sorted = new Uint32Array(numbers.length);
  const sortedCounts = new Uint32Array(numbers.length);
  for (let index = 0; index < packed.length; index++) {
    const value = packed[index] as number;
    const number = Math.floor(value / PLACES);
    sorted[index] = number;
    sortedCounts[index] = counts[value - number * PLACES] as number;
  }
  return { numbers: sorted, counts: sortedCounts };
}
