import { OrbweaverError } from '../base/errors.ts';
import { ByteReader } from './byte-reader.ts';
import { type Database, getMany } from './database.ts';
import { FingerprintIndex } from './fingerprint-index.ts';
import type { SiteEntry } from './site-codec.ts';
import { fingerprintKey, TABLE } from './tables.ts';
import { UrlFingerprint } from './url-fingerprint.ts';
import type { WriteQueue } from './write-queue.ts';

/** Keys of about 100 bytes each. */
const MAX_RECENT = 16_384;

/**
 * Which URL keys of a site are known, and their numbers. Up to `maxEntries` are in memory; with more, those that found no room
 * are asked of the database, and answers become promises. See UrlFingerprint for what is taken as equal.
 */
export class SeenUrls {
  readonly #database: Database;
  readonly #queue: WriteQueue;
  readonly #site: number;
  readonly #maxEntries: number;
  readonly #index = new FingerprintIndex();
  readonly #fingerprint: UrlFingerprint;
  /** Keys asked for lately: what pages link to again and again is found without a fingerprint. */
  readonly #recent = new Map<string, number>();
  /** Number of the last URL known. */
  #last = 0;

  constructor(database: Database, queue: WriteQueue, entry: SiteEntry) {
    this.#database = database;
    this.#queue = queue;
    this.#site = entry.number;
    this.#maxEntries = entry.maxIndexEntries;
    this.#fingerprint = new UrlFingerprint(entry.seed);
  }

  /** Makes room for this many URLs at once. */
  reserve(urls: number): void {
    this.#index.reserve(Math.min(urls, this.#maxEntries));
  }

  /** Numbers by key, 0 for one never seen. */
  find(keys: readonly string[]): Uint32Array | Promise<Uint32Array> {
    const numbers = new Uint32Array(keys.length);
    const asked: string[] = [];
    const places: number[] = [];
    for (let place = 0; place < keys.length; place++) {
      const key = keys[place] as string;
      const number = this.#recent.get(key);
      if (number !== undefined) {
        numbers[place] = number;
      } else {
        asked.push(key);
        places.push(place);
      }
    }
    return asked.length === 0 ? numbers : this.#findByFingerprint(asked, places, numbers);
  }

  #findByFingerprint(
    keys: readonly string[],
    places: readonly number[],
    numbers: Uint32Array,
  ): Uint32Array | Promise<Uint32Array> {
    const index = this.#index;
    const halves = this.#fingerprint.compute(keys);
    let missing = 0;
    for (let asked = 0; asked < keys.length; asked++) {
      const number = index.get(halves[asked * 2] as number, halves[asked * 2 + 1] as number);
      numbers[places[asked] as number] = number;
      if (number === 0) missing++;
      else this.#remember(keys[asked] as string, number);
    }
    return missing === 0 || this.#last <= this.#maxEntries ? numbers : this.#findStored(halves, places, numbers);
  }

  /** A number never changes, so what is remembered stays true. */
  #remember(key: string, number: number): void {
    if (this.#recent.size >= MAX_RECENT) this.#recent.clear();
    this.#recent.set(key, number);
  }

  /** The halves of new keys' fingerprints, for `add`. */
  fingerprint(keys: readonly string[]): Int32Array {
    return this.#fingerprint.compute(keys);
  }

  /** Whether the URL with this number has to be written to the fingerprint table. */
  isBeyondMemory(number: number): boolean {
    return number > this.#maxEntries;
  }

  /** Takes new URLs, numbered on from the last; throws INTERNAL when one is known already. */
  add(halves: Int32Array): void {
    for (let place = 0; place < halves.length; place += 2) {
      const [high, low] = [halves[place] as number, halves[place + 1] as number];
      const number = ++this.#last;
      const known = number <= this.#maxEntries ? this.#index.add(high, low, number) : this.#index.get(high, low);
      if (known !== 0) throw new OrbweaverError('INTERNAL', `URL ${number} has the key of URL ${known}.`);
    }
  }

  async #findStored(halves: Int32Array, places: readonly number[], numbers: Uint32Array): Promise<Uint32Array> {
    const missing: number[] = [];
    const keys: Buffer[] = [];
    for (const [asked, place] of places.entries()) {
      if (numbers[place] !== 0) continue;
      missing.push(place);
      const [high, low] = [halves[asked * 2] as number, halves[asked * 2 + 1] as number];
      keys.push(fingerprintKey(TABLE.fingerprint, this.#site, high, low));
    }
    await this.#queue.settled();
    const values = await getMany(this.#database, keys);
    for (const [index, place] of missing.entries()) {
      const value = values[index];
      if (value !== undefined) numbers[place] = new ByteReader(value).varint();
    }
    return numbers;
  }
}
