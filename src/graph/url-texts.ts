import { OrbweaverError } from '../base/errors.ts';
import type { UrlRecord } from '../store/records.ts';
import type { SiteStore } from '../store/site-store.ts';

/** Characters kept in each of the two generations. */
const MAX_GENERATION_CHARS = 8 * 1024 * 1024;

/**
 * URL texts by number, for numbers asked for in roughly ascending order of their first use. Pages name their new URLs in number order,
 * so one pass over the store, advanced as far as needed, meets nearly all of them; the texts that come again stay in a cache of
 * two generations (at most about 16 million characters), and those that fell out of it are read singly.
 */
export class UrlTexts {
  readonly #store: SiteStore;
  readonly #isWanted: (number: number) => boolean;
  #cursor: AsyncIterator<UrlRecord> | undefined;
  /** Every URL up to this number has been passed. */
  #passed = 0;
  #young = new Map<number, string>();
  #old = new Map<number, string>();
  #youngChars = 0;

  /** @param isWanted whether a URL can be asked for at all; others are not cached */
  constructor(store: SiteStore, isWanted: (number: number) => boolean) {
    this.#store = store;
    this.#isWanted = isWanted;
  }

  /** @throws OrbweaverError STORE_CORRUPT when there is no such URL. */
  get(number: number): string | Promise<string> {
    const young = this.#young.get(number);
    if (young !== undefined) return young;
    const old = this.#old.get(number);
    if (old === undefined) return number > this.#passed ? this.#advance(number) : this.#read(number);
    this.#keep(number, old);
    return old;
  }

  /** Ends the pass over the store. */
  async close(): Promise<void> {
    await this.#cursor?.return?.();
    this.#cursor = undefined;
  }

  async #advance(number: number): Promise<string> {
    this.#cursor ??= this.#store.urls({ from: this.#passed + 1 })[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.#cursor.next();
      if (next.done === true) throw missing(number);
      const record = next.value;
      this.#passed = record.number;
      if (this.#isWanted(record.number)) this.#keep(record.number, record.url);
      if (record.number === number) return record.url;
      if (record.number > number) throw missing(number);
    }
  }

  async #read(number: number): Promise<string> {
    const record = await this.#store.getUrl(number);
    if (record === undefined) throw missing(number);
    this.#keep(number, record.url);
    return record.url;
  }

  #keep(number: number, text: string): void {
    this.#young.set(number, text);
    this.#youngChars += text.length;
    if (this.#youngChars < MAX_GENERATION_CHARS) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngChars = 0;
  }
}

function missing(number: number): OrbweaverError {
  return new OrbweaverError('STORE_CORRUPT', `URL ${number} is linked but not there`);
}
