import type { UrlRecord } from './records.ts';

/**
 * The last URL records, by number: while the frontier is short, what was just found is visited next, and need not be read back
 * from the database. A ring: a record makes way for the one a whole capacity later.
 */
export class RecentUrls {
  readonly #ring: UrlRecord[] = [];
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  push(record: UrlRecord): void {
    this.#ring[record.number % this.#capacity] = record;
  }

  get(number: number): UrlRecord | undefined {
    const record = this.#ring[number % this.#capacity];
    return record?.number === number ? record : undefined;
  }
}
