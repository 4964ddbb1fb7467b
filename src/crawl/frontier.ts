import type { UrlRecord } from '../store/records.ts';
import type { SiteStore } from '../store/site-store.ts';

/** A URL that waits for its visit. */
export interface FrontierEntry {
  readonly number: number;
  readonly url: string;
  readonly level: number;
}

const MAX_IN_MEMORY = 20_000;
const READ_CHUNK = 5_000;
const PRUNE_EVERY = 10_000;

/**
 * The frontier in breadth-first order: the `visit` URLs of the store by number, from the commit point on. The store is the
 * truth; memory holds the next entries only, so a frontier of millions costs no more than one of thousands.
 * `next` yields nothing twice, and nothing that got its fate before its turn (as the target of a redirect).
 */
export class Frontier {
  readonly #store: SiteStore;
  #queue: FrontierEntry[] = [];
  #head = 0;
  /** First URL number that is not in memory though known; 0 when memory holds all there is. */
  #spilledFrom: number;
  readonly #settledAhead = new Set<number>();

  private constructor(store: SiteStore, from: number) {
    this.#store = store;
    this.#spilledFrom = from;
  }

  /** Opens the frontier at the store's commit point. */
  static async open(store: SiteStore): Promise<Frontier> {
    const from = store.state.committed + 1;
    const frontier = new Frontier(store, from <= store.state.urls ? from : 0);
    for await (const [number] of store.fates({ from })) frontier.#settledAhead.add(number);
    return frontier;
  }

  /** A newly found URL. Call in number order, after (or together with) the commit that stores it. */
  add(record: Pick<UrlRecord, 'number' | 'url' | 'level' | 'kind'>): void {
    if (this.#spilledFrom !== 0) return;
    if (this.#queue.length - this.#head >= MAX_IN_MEMORY) {
      this.#spilledFrom = record.number;
      return;
    }
    if (record.kind === 'visit') this.#queue.push({ number: record.number, url: record.url, level: record.level });
  }

  /** The URL got its fate before its turn: it will not be yielded. */
  settle(number: number): void {
    this.#settledAhead.add(number);
    if (this.#settledAhead.size % PRUNE_EVERY === 0) {
      for (const settled of this.#settledAhead)
        if (settled <= this.#store.state.committed) this.#settledAhead.delete(settled);
    }
  }

  hasFate(number: number): boolean {
    return number <= this.#store.state.committed || this.#settledAhead.has(number);
  }

  /** The next entry, undefined when nothing is known to be left. A promise only when the store must be read. */
  next(): FrontierEntry | undefined | Promise<FrontierEntry | undefined> {
    while (this.#head < this.#queue.length) {
      const entry = this.#queue[this.#head++] as FrontierEntry;
      if (this.#head > 1_024 && this.#head * 2 > this.#queue.length) {
        this.#queue = this.#queue.slice(this.#head);
        this.#head = 0;
      }
      if (!this.#settledAhead.has(entry.number)) return entry;
    }
    return this.#spilledFrom === 0 ? undefined : this.#refill();
  }

  async #refill(): Promise<FrontierEntry | undefined> {
    this.#queue = [];
    this.#head = 0;
    while (this.#spilledFrom !== 0 && this.#queue.length === 0) {
      let last = 0;
      for await (const record of this.#store.urls({ from: this.#spilledFrom, limit: READ_CHUNK })) {
        last = record.number;
        if (record.kind === 'visit') this.#queue.push({ number: record.number, url: record.url, level: record.level });
      }
      this.#spilledFrom = last === 0 || last >= this.#store.state.urls ? 0 : last + 1;
    }
    return this.next();
  }
}
