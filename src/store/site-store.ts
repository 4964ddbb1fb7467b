import type { Fate, PageRecord, RobotsRecord, SiteState, UrlRecord } from './records.ts';

/** Everything one step of the crawl changes; written as one atomic batch. */
export interface Commit {
  readonly urls: readonly (UrlRecord & { readonly key: string })[];
  readonly fates: readonly (readonly [urlNumber: number, fate: Fate])[];
  readonly pages: readonly PageRecord[];
  readonly site: SiteState;
}

/**
 * The store of one site: URLs, fates, pages with links, robots records. Implementations pass `test/conformance/site-store.ts`.
 * Reads see a commit from the moment `commit` was called; its promise resolves when it is on its way to disk.
 * Commits are applied in the order of the calls. Any call after `close` of the store throws STORE_CLOSED.
 */
export interface SiteStore {
  readonly state: SiteState;
  /**
   * Numbers of the URLs with these keys, 0 for a key never seen; same order as given.
   * Returns an array at once when memory can answer (the usual case), else a promise.
   */
  findUrls(keys: readonly string[]): Uint32Array | Promise<Uint32Array>;
  /** Page with this content, 0 if none. Exact: a hit is checked against the full digest. */
  findDigest(digest: Uint8Array): number | Promise<number>;
  commit(commit: Commit): Promise<void>;
  /** Resolves when every commit so far is written. With `sync`, when it is on the disk itself. */
  flush(options?: { readonly sync?: boolean }): Promise<void>;

  getUrl(number: number): Promise<UrlRecord | undefined>;
  getFate(number: number): Promise<Fate | undefined>;
  getPage(id: number): Promise<PageRecord | undefined>;
  /** URL records with number >= `from`, in order, at most `limit`. Reads in chunks; memory does not grow with the site. */
  urls(options?: { readonly from?: number; readonly limit?: number }): AsyncIterable<UrlRecord>;
  /** Fates in number order, of URLs with number >= `from` (default 1). */
  fates(options?: { readonly from?: number }): AsyncIterable<readonly [urlNumber: number, fate: Fate]>;
  /** Pages in id order. Without `withLinks` (default true) the links are left empty and are not decoded. */
  pages(options?: { readonly withLinks?: boolean }): AsyncIterable<PageRecord>;
  /** Removes fates (their URLs will be visited again); for --retry-broken. */
  forgetFates(numbers: readonly number[], site: SiteState): Promise<void>;

  getRobots(origin: string): Promise<RobotsRecord | undefined>;
  putRobots(record: RobotsRecord): Promise<void>;
}

/** One data directory. */
export interface CrawlStore {
  /** The stored site with this name (the name of its result files), if any. */
  openSite(name: string): Promise<SiteStore | undefined>;
  /** Creates an empty site, replacing a former one of the same name together with all its records. */
  createSite(state: SiteState): Promise<SiteStore>;
  /** Gives the site `name` the name `as`, in one step, and drops the site that had it. The former handles of both are closed. */
  replaceSite(name: string, as: string): Promise<SiteStore>;
  /** Forgets a site and all its records; nothing happens when there is none. */
  dropSite(name: string): Promise<void>;
  sites(): Promise<readonly SiteState[]>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
