import type { UrlRecord } from './records.ts';

/**
 * The last URL records, by number: while the frontier is short, what was just found is visited next, and need not be read back
 * from the database. A ring; numbers are dense and rise.
 */
export class RecentUrls {
  readonly #ring: UrlRecord[] = [];
  readonly #capacity: number;
  #last: number;

  /** @param last number of the last URL known; the ones up to it are not held. */
  constructor(capacity: number, last: number) {
    this.#capacity = capacity;
    this.#last = last;
  }

  /** Takes the record after the last one. */
  push(record: UrlRecord): void {
    this.#last = record.number;
    this.#ring[record.number % this.#capacity] = record;
  }

  get(number: number): UrlRecord | undefined {
    const record = this.#ring[number % this.#capacity];
    return record?.number === number ? record : undefined;
  }

  /** Whether all records from this number to the last one are here. */
  covers(from: number): boolean {
    return from > this.#last || this.get(from) !== undefined;
  }
}
