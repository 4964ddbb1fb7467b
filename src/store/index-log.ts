import { ByteWriter } from './byte-writer.ts';
import { writeIndexEntry } from './index-codec.ts';
import { numberKey, TABLE } from './tables.ts';
import type { LateRecord, WritableBatch } from './write-queue.ts';

/** A record this full is left, and the next one begun. */
const RECORD_BYTES = 1024;

/**
 * Writes down what is added to the indexes in memory. One record takes many commits: each commit writes it again, longer, which
 * costs some hundred bytes, and makes reading a million entries back a matter of thousands of records.
 */
export class IndexLog {
  readonly #site: number;
  #record: OpenRecord | undefined;

  constructor(site: number) {
    this.#site = site;
  }

  /**
   * Adds the fingerprints of new URLs, numbered from `firstUrl`, and of new pages from `firstPage`; returns the record to write.
   * Of several for one record, the last is enough.
   */
  append(firstUrl: number, urlHalves: Int32Array, firstPage: number, pageHalves: Int32Array): LateRecord {
    this.#record ??= { firstUrl, firstPage, urlHalves: [], digestHalves: [] };
    const record = this.#record;
    for (const half of urlHalves) record.urlHalves.push(half);
    for (const half of pageHalves) record.digestHalves.push(half);
    const [urlCount, digestCount] = [record.urlHalves.length, record.digestHalves.length];
    if ((urlCount + digestCount) * 4 >= RECORD_BYTES) this.#record = undefined;
    // Encoded when it is written; later commits only append, so the lengths of now say what belongs to this one.
    return { owner: record, put: (batch) => put(batch, this.#site, record, urlCount, digestCount) };
  }
}

interface OpenRecord {
  readonly firstUrl: number;
  readonly firstPage: number;
  readonly urlHalves: number[];
  readonly digestHalves: number[];
}

function put(batch: WritableBatch, site: number, record: OpenRecord, urlCount: number, digestCount: number): void {
  const { firstUrl, firstPage } = record;
  const key = new ByteWriter(16);
  key.bytes(numberKey(TABLE.index, site, firstUrl - 1));
  key.uint32(firstPage - 1);
  const value = new ByteWriter(2 * RECORD_BYTES);
  writeIndexEntry(value, {
    firstUrl,
    urlHalves: Int32Array.from(record.urlHalves.slice(0, urlCount)),
    firstPage,
    digestHalves: Int32Array.from(record.digestHalves.slice(0, digestCount)),
  });
  batch.put(key.slice(0, key.length), value.slice(0, value.length));
}
