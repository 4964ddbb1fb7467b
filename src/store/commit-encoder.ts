import { ByteWriter } from './byte-writer.ts';
import { writeFate } from './fate-codec.ts';
import { writeLinks } from './links-codec.ts';
import { writePage } from './page-codec.ts';
import type { Fate, PageRecord, UrlRecord } from './records.ts';
import { TABLE, type TableByte } from './tables.ts';
import { writeUrl } from './url-codec.ts';
import type { WritableBatch } from './write-queue.ts';

/**
 * Turns the records of one commit into keys and values, in one buffer that is used again for the next commit. Encoding ends
 * before anything is put into a batch: a record that cannot be encoded leaves no trace.
 */
export class CommitEncoder {
  readonly #writer = new ByteWriter(64 * 1024);
  readonly #site: number;
  /** For each record: start of the key, start of the value, end of the value. */
  readonly #bounds: number[] = [];
  #start = 0;
  #value = 0;

  constructor(site: number) {
    this.#site = site;
  }

  /** Begins the next commit; what was encoded before must have been put. */
  reset(): void {
    this.#writer.reset();
    this.#bounds.length = 0;
  }

  url(record: UrlRecord): void {
    this.#key(TABLE.url, record.number);
    writeUrl(this.#writer, record);
    this.#end();
  }

  /** Leads from a fingerprint to a URL that has no room in memory. */
  fingerprint(high: number, low: number, number: number): void {
    this.#prefix(TABLE.fingerprint);
    this.#writer.uint32(high);
    this.#writer.uint32(low);
    this.#value = this.#writer.length;
    this.#writer.varint(number);
    this.#end();
  }

  fate(number: number, fate: Fate): void {
    this.#key(TABLE.fate, number);
    writeFate(this.#writer, fate);
    this.#end();
  }

  page(page: PageRecord): void {
    this.#key(TABLE.page, page.id);
    writePage(this.#writer, page);
    this.#end();
    if (page.links.numbers.length > 0) {
      this.#key(TABLE.links, page.id);
      writeLinks(this.#writer, page.links);
      this.#end();
    }
  }

  /** Leads from a full digest to a page that memory does not lead to. */
  digest(page: PageRecord): void {
    this.#prefix(TABLE.digest);
    this.#writer.bytes(page.digest);
    this.#writer.uint32(page.id);
    this.#value = this.#writer.length;
    this.#end();
  }

  get bytes(): number {
    return this.#writer.length;
  }

  put(batch: WritableBatch): void {
    const bounds = this.#bounds;
    const writer = this.#writer;
    for (let index = 0; index < bounds.length; index += 3) {
      const value = bounds[index + 1] as number;
      batch.put(writer.slice(bounds[index] as number, value), writer.slice(value, bounds[index + 2] as number));
    }
  }

  #prefix(table: TableByte): void {
    this.#start = this.#writer.length;
    this.#writer.byte(table);
    this.#writer.uint32(this.#site);
  }

  #key(table: TableByte, number: number): void {
    this.#prefix(table);
    this.#writer.uint32(number);
    this.#value = this.#writer.length;
  }

  #end(): void {
    this.#bounds.push(this.#start, this.#value, this.#writer.length);
  }
}
