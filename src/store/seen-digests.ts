import { type Database, get, scan } from './database.ts';
import { FingerprintIndex } from './fingerprint-index.ts';
import { halvesOf } from './index-codec.ts';
import { NO_LINKS } from './links-codec.ts';
import { DIGEST_BYTES, readPage } from './page-codec.ts';
import type { SiteEntry } from './site-codec.ts';
import { bytesKey, numberKey, SITE_PREFIX_BYTES, TABLE } from './tables.ts';
import type { WriteQueue } from './write-queue.ts';

/** No id is as long as this: the end of the keys `[digest][page id]` of one digest. */
const AFTER_IDS = Buffer.alloc(5, 0xff);

/**
 * Which contents a site has. Memory holds the first 64 bits of each digest and answers the usual question, "never seen", at once;
 * a hit is compared with the page's full digest, so the answer is exact even for contents made to agree in 64 bits: the later
 * ones of those are in a table under their full digest.
 */
export class SeenDigests {
  readonly #database: Database;
  readonly #queue: WriteQueue;
  readonly #site: number;
  readonly #maxEntries: number;
  readonly #index = new FingerprintIndex();
  /** Id of the last page known. */
  #last = 0;

  constructor(database: Database, queue: WriteQueue, entry: SiteEntry) {
    this.#database = database;
    this.#queue = queue;
    this.#site = entry.number;
    this.#maxEntries = entry.maxIndexEntries;
  }

  /** Makes room for this many pages at once. */
  reserve(pages: number): void {
    this.#index.reserve(Math.min(pages, this.#maxEntries));
  }

  /** Lowest id of a page with this digest, 0 if none. */
  find(digest: Uint8Array): number | Promise<number> {
    const candidate = this.#index.get(...halvesOf(digest));
    return candidate === 0 && this.#last <= this.#maxEntries ? 0 : this.#findStored(digest, candidate);
  }

  /** Takes the next page; true when it has to be written to the digest table, since memory does not lead to it. */
  add(high: number, low: number): boolean {
    const id = ++this.#last;
    return id > this.#maxEntries || this.#index.add(high, low, id) !== 0;
  }

  async #findStored(digest: Uint8Array, candidate: number): Promise<number> {
    // The caller may use its buffer again while we wait.
    const wanted = Buffer.from(digest);
    await this.#queue.settled();
    if (candidate !== 0) {
      const value = await get(this.#database, numberKey(TABLE.page, this.#site, candidate));
      if (value !== undefined && wanted.equals(readPage(value, candidate, NO_LINKS).digest)) return candidate;
    }
    const gte = bytesKey(TABLE.digest, this.#site, wanted);
    const range = { gte, lt: Buffer.concat([gte, AFTER_IDS]) };
    for await (const entries of scan(this.#database, range, 1)) {
      for (const [key] of entries) return key.readUInt32BE(SITE_PREFIX_BYTES + DIGEST_BYTES);
    }
    return 0;
  }
}
