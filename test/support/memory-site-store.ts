import { OrbweaverError } from '../../src/base/errors.ts';
import type { Fate, PageRecord, RobotsRecord, SiteState, UrlRecord } from '../../src/store/records.ts';
import type { Commit, CrawlStore, SiteStore } from '../../src/store/site-store.ts';

/** A store in memory, for tests that need no disk; it passes the conformance suite of stores. */
export class MemoryCrawlStore implements CrawlStore {
  readonly #sites: Map<string, MemorySiteStore>;
  #isClosed = false;

  constructor(sites = new Map<string, MemorySiteStore>()) {
    this.#sites = sites;
  }

  /** A second store with the same sites, as after closing and opening again. */
  reopen(): MemoryCrawlStore {
    const sites = new Map<string, MemorySiteStore>();
    for (const [name, site] of this.#sites) sites.set(name, site.copy());
    void this.close();
    return new MemoryCrawlStore(sites);
  }

  async openSite(name: string): Promise<SiteStore | undefined> {
    this.#assertOpen();
    return this.#sites.get(name);
  }

  async createSite(state: SiteState): Promise<SiteStore> {
    this.#assertOpen();
    this.#sites.get(state.name)?.close();
    const site = new MemorySiteStore(state);
    this.#sites.set(state.name, site);
    return site;
  }

  async replaceSite(name: string, as: string): Promise<SiteStore> {
    this.#assertOpen();
    const former = this.#sites.get(name);
    if (former === undefined) throw new OrbweaverError('SITE_UNKNOWN', `no site ${name}`);
    const site = former.copy(as);
    this.#sites.get(as)?.close();
    former.close();
    this.#sites.delete(name);
    this.#sites.set(as, site);
    return site;
  }

  async dropSite(name: string): Promise<void> {
    this.#assertOpen();
    this.#sites.get(name)?.close();
    this.#sites.delete(name);
  }

  async sites(): Promise<readonly SiteState[]> {
    this.#assertOpen();
    return [...this.#sites.values()].map((site) => site.state).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const site of this.#sites.values()) site.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new OrbweaverError('STORE_CLOSED', 'closed');
  }
}

export class MemorySiteStore implements SiteStore {
  #state: SiteState;
  #isClosed = false;
  #urls: UrlRecord[] = [];
  #keys = new Map<string, number>();
  #fates = new Map<number, Fate>();
  #pages: PageRecord[] = [];
  #robots = new Map<string, RobotsRecord>();
  #digests = new Map<string, number>();

  constructor(state: SiteState) {
    this.#state = { ...state };
  }

  get state(): SiteState {
    return this.#state;
  }

  copy(name = this.#state.name): MemorySiteStore {
    const copy = new MemorySiteStore({ ...this.#state, name });
    copy.#urls = [...this.#urls];
    copy.#keys = new Map(this.#keys);
    copy.#fates = new Map(this.#fates);
    copy.#pages = [...this.#pages];
    copy.#robots = new Map(this.#robots);
    copy.#digests = new Map(this.#digests);
    return copy;
  }

  close(): void {
    this.#isClosed = true;
  }

  findUrls(keys: readonly string[]): Uint32Array {
    this.#assertOpen();
    return Uint32Array.from(keys, (key) => this.#keys.get(key) ?? 0);
  }

  findDigest(digest: Uint8Array): number {
    this.#assertOpen();
    return this.#digests.get(Buffer.from(digest).toString('hex')) ?? 0;
  }

  async commit({ urls, fates, pages, site }: Commit): Promise<void> {
    this.#assertOpen();
    const known = this.#state;
    const isNext =
      urls.every((url, index) => url.number === known.urls + index + 1) &&
      pages.every((page, index) => page.id === known.pages + index + 1) &&
      pages.every((page) => page.digest.length === 32 && isAscending(page.links.numbers)) &&
      site.urls === known.urls + urls.length &&
      site.pages === known.pages + pages.length &&
      site.name === known.name;
    if (!isNext) throw new OrbweaverError('INTERNAL', 'a commit that does not follow the last one');
    for (const { key, ...record } of urls) {
      this.#urls.push(record);
      this.#keys.set(key, record.number);
    }
    for (const [number, fate] of fates) this.#fates.set(number, { ...fate });
    for (const page of pages) {
      const digest = Buffer.from(page.digest).toString('hex');
      if (!this.#digests.has(digest)) this.#digests.set(digest, page.id);
      this.#pages.push({ ...page, digest: page.digest.slice() });
    }
    this.#state = { ...site };
  }

  async flush(): Promise<void> {
    this.#assertOpen();
  }

  async getUrl(number: number): Promise<UrlRecord | undefined> {
    this.#assertOpen();
    return this.#urls[number - 1];
  }

  async getFate(number: number): Promise<Fate | undefined> {
    this.#assertOpen();
    return this.#fates.get(number);
  }

  async getPage(id: number): Promise<PageRecord | undefined> {
    this.#assertOpen();
    return this.#pages[id - 1];
  }

  async *urls(options: { readonly from?: number; readonly limit?: number } = {}): AsyncGenerator<UrlRecord> {
    this.#assertOpen();
    const from = Math.max(1, options.from ?? 1);
    const end = Math.min(this.#urls.length, from - 1 + (options.limit ?? Infinity));
    for (let number = from; number <= end; number++) {
      yield this.#urls[number - 1] as UrlRecord;
      this.#assertOpen();
    }
  }

  async *fates(options: { readonly from?: number } = {}): AsyncGenerator<readonly [number, Fate]> {
    this.#assertOpen();
    const numbers = [...this.#fates.keys()].filter((number) => number >= (options.from ?? 1));
    for (const number of numbers.toSorted((a, b) => a - b)) {
      yield [number, this.#fates.get(number) as Fate];
      this.#assertOpen();
    }
  }

  async *pages(options: { readonly withLinks?: boolean } = {}): AsyncGenerator<PageRecord> {
    this.#assertOpen();
    const none = { numbers: new Uint32Array(), counts: new Uint32Array() };
    for (const page of this.#pages.slice()) {
      yield options.withLinks === false ? { ...page, links: none } : page;
      this.#assertOpen();
    }
  }

  async forgetFates(numbers: readonly number[], site: SiteState): Promise<void> {
    this.#assertOpen();
    for (const number of numbers) this.#fates.delete(number);
    this.#state = { ...site };
  }

  async getRobots(origin: string): Promise<RobotsRecord | undefined> {
    this.#assertOpen();
    return this.#robots.get(origin);
  }

  async putRobots(record: RobotsRecord): Promise<void> {
    this.#assertOpen();
    this.#robots.set(record.origin, { ...record });
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new OrbweaverError('STORE_CLOSED', 'closed');
  }
}

function isAscending(numbers: Uint32Array): boolean {
  return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] as number));
}
