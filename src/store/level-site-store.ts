import { OrbweaverError } from '../base/errors.ts';
import { ByteWriter } from './byte-writer.ts';
import { CommitEncoder } from './commit-encoder.ts';
import { type Database, get, getMany, scan, scanValues } from './database.ts';
import { readFate } from './fate-codec.ts';
import { halvesOf, readIndexEntry } from './index-codec.ts';
import { IndexLog } from './index-log.ts';
import { NO_LINKS, readLinks } from './links-codec.ts';
import { readPage } from './page-codec.ts';
import { RecentUrls } from './recent-urls.ts';
import type { Fate, PageRecord, RobotsRecord, SiteState, UrlRecord } from './records.ts';
import { readRobots, writeRobots } from './robots-codec.ts';
import { SeenDigests } from './seen-digests.ts';
import { SeenUrls } from './seen-urls.ts';
import { type SiteEntry, writeSite } from './site-codec.ts';
import type { Commit, SiteStore } from './site-store.ts';
import { bytesKey, type KeyRange, numberKey, numberOfKey, numberRange, siteRange, TABLE, textKey } from './tables.ts';
import { readUrl } from './url-codec.ts';
import type { AddOptions, LateRecord, WritableBatch, WriteQueue } from './write-queue.ts';

/** URL records kept for the reader of the frontier; about 300 bytes each. */
const RECENT_URLS = 1024;

/** What a site store shares with the store it belongs to, which owns and closes all of it. */
export interface SiteHost {
  readonly database: Database;
  readonly queue: WriteQueue;
  /** Throws STORE_CLOSED after close. */
  assertOpen(): void;
}

/** The store of one site in LevelDB. Made by LevelCrawlStore, of which there is one per data directory. */
export class LevelSiteStore implements SiteStore {
  readonly #host: SiteHost;
  readonly #site: number;
  readonly #entry: SiteEntry;
  readonly #key: Buffer;
  readonly #urls: SeenUrls;
  readonly #digests: SeenDigests;
  readonly #recent: RecentUrls;
  readonly #log: IndexLog;
  readonly #encoder: CommitEncoder;
  #state: SiteState;
  /** Set when the site was replaced, or memory and database no longer agree: every later call throws it. */
  #ended: OrbweaverError | undefined;

  private constructor(host: SiteHost, entry: SiteEntry) {
    this.#host = host;
    this.#site = entry.number;
    this.#entry = entry;
    this.#state = entry.state;
    this.#key = textKey(TABLE.site, entry.state.name);
    this.#urls = new SeenUrls(host.database, host.queue, entry);
    this.#digests = new SeenDigests(host.database, host.queue, entry);
    this.#recent = new RecentUrls(RECENT_URLS);
    this.#log = new IndexLog(entry.number);
    this.#encoder = new CommitEncoder(entry.number);
  }

  /** Reads the indexes into memory: about a second per million URLs. Throws STORE_CORRUPT when they do not fit the state. */
  static async load(host: SiteHost, entry: SiteEntry): Promise<LevelSiteStore> {
    const store = new LevelSiteStore(host, entry);
    await store.#loadIndexes();
    return store;
  }

  get state(): SiteState {
    return this.#state;
  }

  /** Number of the site within the database; never used again for another. */
  get siteNumber(): number {
    return this.#site;
  }

  /** Called when a new site takes the name: this one must write nothing more. */
  retire(): void {
    this.#ended ??= new OrbweaverError('STORE_CLOSED', `The site ${this.#state.name} was replaced by a new one.`);
  }

  findUrls(keys: readonly string[]): Uint32Array | Promise<Uint32Array> {
    this.#assertUsable();
    return this.#urls.find(keys);
  }

  findDigest(digest: Uint8Array): number | Promise<number> {
    this.#assertUsable();
    return this.#digests.find(digest);
  }

  /** Throws nothing, rejects with STORE_CLOSED, STORE_WRITE, or INTERNAL for a commit that does not follow the last one. */
  commit(commit: Commit): Promise<void> {
    try {
      this.#assertUsable();
      this.#assertFollows(commit);
      const encoder = this.#encoder;
      encoder.reset();
      for (const url of commit.urls) encoder.url(url);
      for (const [number, fate] of commit.fates) encoder.fate(number, fate);
      for (const page of commit.pages) encoder.page(page);
      const late = this.#remember(commit);
      return this.#write((batch) => encoder.put(batch), encoder.bytes, commit.site, { late });
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async flush(options: { readonly sync?: boolean } = {}): Promise<void> {
    this.#assertUsable();
    // LevelDB syncs with a write; the state is at hand and writing it again changes nothing.
    await (options.sync === true
      ? this.#write(() => undefined, 0, this.#state, { sync: true })
      : this.#host.queue.settled());
  }

  async getUrl(number: number): Promise<UrlRecord | undefined> {
    this.#assertUsable();
    const recent = this.#recent.get(number);
    if (recent !== undefined) return recent;
    const value = await this.#get(numberKey(TABLE.url, this.#site, number));
    return value && readUrl(value, number);
  }

  async getFate(number: number): Promise<Fate | undefined> {
    const value = await this.#get(numberKey(TABLE.fate, this.#site, number));
    return value && readFate(value);
  }

  async getPage(id: number): Promise<PageRecord | undefined> {
    this.#assertUsable();
    await this.#host.queue.settled();
    const keys = [numberKey(TABLE.page, this.#site, id), numberKey(TABLE.links, this.#site, id)];
    const [page, links] = await getMany(this.#host.database, keys);
    return page && readPage(page, id, links === undefined ? NO_LINKS : readLinks(links));
  }

  urls(options: { readonly from?: number; readonly limit?: number } = {}): AsyncIterable<UrlRecord> {
    this.#assertUsable();
    const from = Math.max(1, options.from ?? 1);
    return this.#readUrls(from, Math.min(this.#state.urls, from - 1 + (options.limit ?? Infinity)));
  }

  fates(options: { readonly from?: number } = {}): AsyncIterable<readonly [urlNumber: number, fate: Fate]> {
    this.#assertUsable();
    return this.#readFates(Math.max(1, options.from ?? 1));
  }

  pages(options: { readonly withLinks?: boolean } = {}): AsyncIterable<PageRecord> {
    this.#assertUsable();
    return this.#readPages(options.withLinks ?? true);
  }

  async forgetFates(numbers: readonly number[], site: SiteState): Promise<void> {
    this.#assertUsable();
    this.#assertCounts(site, this.#state.urls, this.#state.pages);
    const keys = numbers.map((number) => numberKey(TABLE.fate, this.#site, number));
    await this.#write(
      (batch) => {
        for (const key of keys) batch.del(key);
      },
      9 * keys.length,
      site,
    );
  }

  async getRobots(origin: string): Promise<RobotsRecord | undefined> {
    const value = await this.#get(this.#robotsKey(origin));
    return value && readRobots(value);
  }

  async putRobots(record: RobotsRecord): Promise<void> {
    this.#assertUsable();
    const writer = new ByteWriter();
    writeRobots(writer, record);
    const key = this.#robotsKey(record.origin);
    await this.#host.queue.add((batch) => batch.put(key, writer.slice(0, writer.length)), writer.length);
  }

  async *#readUrls(from: number, to: number): AsyncGenerator<UrlRecord> {
    let next = from;
    for (; next <= to; next++) {
      this.#assertUsable();
      const record = this.#recent.get(next);
      // Too old to be at hand, or the reader was slower than the ring: the rest is in the database.
      if (record === undefined) break;
      yield record;
    }
    if (next > to) return;
    for await (const entries of this.#scan(numberRange(TABLE.url, this.#site, next, to), to - next + 1)) {
      for (const [key, value] of entries) yield readUrl(value, numberOfKey(key));
    }
  }

  async *#readFates(from: number): AsyncGenerator<readonly [number, Fate]> {
    for await (const entries of this.#scan(numberRange(TABLE.fate, this.#site, from, 0xffff_ffff))) {
      for (const [key, value] of entries) yield [numberOfKey(key), readFate(value)];
    }
  }

  async *#readPages(withLinks: boolean): AsyncGenerator<PageRecord> {
    for await (const entries of this.#scan(siteRange(TABLE.page, this.#site))) {
      const links = withLinks ? await this.#linksOf(entries) : undefined;
      for (const [key, value] of entries) {
        const id = numberOfKey(key);
        const stored = links?.get(id);
        yield readPage(value, id, stored === undefined ? NO_LINKS : readLinks(stored));
      }
    }
  }

  /** Stored links of the pages of one chunk, read as one range. */
  async #linksOf(entries: readonly [Buffer, Buffer][]): Promise<Map<number, Buffer>> {
    const found = new Map<number, Buffer>();
    const [first, last] = [entries[0], entries.at(-1)];
    if (first === undefined || last === undefined) return found;
    const range = numberRange(TABLE.links, this.#site, numberOfKey(first[0]), numberOfKey(last[0]));
    for await (const chunk of this.#scan(range)) {
      for (const [key, value] of chunk) found.set(numberOfKey(key), value);
    }
    return found;
  }

  async *#scan(range: KeyRange, limit = Infinity): AsyncGenerator<[Buffer, Buffer][]> {
    this.#assertUsable();
    await this.#host.queue.settled();
    for await (const entries of scan(this.#host.database, range, limit)) {
      yield entries;
      this.#assertUsable();
    }
  }

  async #get(key: Buffer): Promise<Buffer | undefined> {
    this.#assertUsable();
    await this.#host.queue.settled();
    return get(this.#host.database, key);
  }

  #robotsKey(origin: string): Buffer {
    return bytesKey(TABLE.robots, this.#site, Buffer.from(origin, 'utf8'));
  }

  async #loadIndexes(): Promise<void> {
    const { urls, pages, name } = this.#state;
    this.#urls.reserve(urls);
    this.#digests.reserve(pages);
    let [knownUrls, knownPages] = [0, 0];
    for await (const values of scanValues(this.#host.database, siteRange(TABLE.index, this.#site))) {
      for (const value of values) {
        const { firstUrl, urlHalves, firstPage, digestHalves: halves } = readIndexEntry(value);
        if (firstUrl !== knownUrls + 1 || firstPage !== knownPages + 1) {
          throw new OrbweaverError(
            'STORE_CORRUPT',
            `The index of ${name} has a gap after URL ${knownUrls}, page ${knownPages}.`,
          );
        }
        knownUrls += urlHalves.length / 2;
        knownPages += halves.length / 2;
        this.#urls.add(urlHalves);
        for (let place = 0; place < halves.length; place += 2) {
          this.#digests.add(halves[place] as number, halves[place + 1] as number);
        }
      }
    }
    if (knownUrls === urls && knownPages === pages) return;
    throw new OrbweaverError(
      'STORE_CORRUPT',
      `${name} has ${urls} URLs and ${pages} pages; its index knows ${knownUrls} and ${knownPages}.`,
    );
  }

  /** Brings the memory up to a commit whose other records are encoded, and encodes what the indexes need on disk. */
  #remember(commit: Commit): readonly LateRecord[] {
    const { urls, pages } = commit;
    if (urls.length === 0 && pages.length === 0) return [];
    const firstUrl = this.#state.urls + 1;
    const firstPage = this.#state.pages + 1;
    const urlHalves = this.#urls.fingerprint(urls.map(({ key }) => key));
    const pageHalves = Int32Array.from(pages.flatMap(({ digest }) => halvesOf(digest)));
    try {
      this.#urls.add(urlHalves);
    } catch (error) {
      // Some of the keys are in memory and none on disk: only a new start is sure to agree.
      if (error instanceof OrbweaverError) this.#ended = error;
      throw error;
    }
    for (let place = 0; place < urls.length; place++) {
      const { number, url, kind, level, origin, from, rule } = urls[place] as UrlRecord;
      this.#recent.push({ number, url, kind, level, origin, from, rule });
      if (this.#urls.isBeyondMemory(number)) {
        this.#encoder.fingerprint(urlHalves[place * 2] as number, urlHalves[place * 2 + 1] as number, number);
      }
    }
    for (let place = 0; place < pages.length; place++) {
      const isBeyond = this.#digests.add(pageHalves[place * 2] as number, pageHalves[place * 2 + 1] as number);
      if (isBeyond) this.#encoder.digest(pages[place] as PageRecord);
    }
    return [this.#log.append(firstUrl, urlHalves, firstPage, pageHalves)];
  }

  #write(
    fill: (batch: WritableBatch) => void,
    bytes: number,
    site: SiteState,
    options: AddOptions = {},
  ): Promise<void> {
    // A copy: it is written later, when the caller's object may have moved on.
    const state = { ...site };
    this.#state = state;
    const put = (batch: WritableBatch): void => {
      const writer = new ByteWriter(1024);
      writeSite(writer, { ...this.#entry, state });
      batch.put(this.#key, writer.slice(0, writer.length));
    };
    return this.#host.queue.add(fill, bytes, { ...options, late: [...(options.late ?? []), { owner: this, put }] });
  }

  #assertFollows(commit: Commit): void {
    const { urls, pages } = this.#state;
    for (const [index, url] of commit.urls.entries()) {
      if (url.number !== urls + index + 1)
        throw new OrbweaverError('INTERNAL', `URL ${url.number} follows ${urls + index}.`);
    }
    for (const [index, page] of commit.pages.entries()) {
      if (page.id !== pages + index + 1)
        throw new OrbweaverError('INTERNAL', `Page ${page.id} follows ${pages + index}.`);
      if (page.digest.length !== 32)
        throw new OrbweaverError('INTERNAL', `The digest of page ${page.id} is no SHA-256.`);
    }
    this.#assertCounts(commit.site, urls + commit.urls.length, pages + commit.pages.length);
  }

  #assertCounts(site: SiteState, urls: number, pages: number): void {
    if (site.urls === urls && site.pages === pages && site.name === this.#state.name) return;
    throw new OrbweaverError(
      'INTERNAL',
      `The state of ${site.name} counts ${site.urls} URLs and ${site.pages} pages; stored are ${urls} and ${pages} of ${this.#state.name}.`,
    );
  }

  #assertUsable(): void {
    this.#host.assertOpen();
    if (this.#ended !== undefined) throw this.#ended;
    this.#host.queue.assertHealthy();
  }
}
