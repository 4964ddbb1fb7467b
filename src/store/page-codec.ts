import { ByteReader, expectVersion } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import type { PageLinks, PageRecord } from './records.ts';

const VERSION = 1;

/** Length of a SHA-256. */
export const DIGEST_BYTES = 32;

/** Writes a page without its id, which is the key, and without its links, which are a record of their own. */
export function writePage(writer: ByteWriter, page: PageRecord): void {
  writer.byte(VERSION);
  writer.varint(page.urlNumber);
  writer.varint(page.level);
  writer.varint(page.bytes);
  writer.varint(page.linksCut);
  writer.varint(page.flags);
  writer.bytes(page.digest);
  writer.text(page.url);
  writer.text(page.title);
}

export function readPage(value: Buffer, id: number, links: PageLinks): PageRecord {
  const reader = new ByteReader(value);
  expectVersion(reader, VERSION, 'page');
  const urlNumber = reader.varint();
  const level = reader.varint();
  const bytes = reader.varint();
  const linksCut = reader.varint();
  const flags = reader.varint();
  const digest = reader.bytes(DIGEST_BYTES);
  const url = reader.text();
  const title = reader.text();
  reader.end();
  return { id, urlNumber, url, level, title, bytes, digest, linksCut, flags, links };
}
