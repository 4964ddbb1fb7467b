import { ByteReader, decodeName, expectVersion } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import type { UrlKind, UrlOrigin, UrlRecord } from './records.ts';

const VERSION = 1;
/** Codes on disk are places in these lists: append only. */
const KINDS: readonly UrlKind[] = ['visit', 'external', 'scheme', 'invalid', 'scope', 'filter', 'too-long', 'trap'];
const ORIGINS: readonly UrlOrigin[] = ['seed', 'link', 'redirect'];

/** Writes a URL record without its number, which is the key. */
export function writeUrl(writer: ByteWriter, record: UrlRecord): void {
  writer.byte(VERSION);
  writer.byte(KINDS.indexOf(record.kind));
  writer.byte(ORIGINS.indexOf(record.origin));
  writer.varint(record.level);
  writer.varint(record.from);
  writer.text(record.url);
  writer.text(record.rule);
}

export function readUrl(value: Buffer, number: number): UrlRecord {
  const reader = new ByteReader(value);
  expectVersion(reader, VERSION, 'URL');
  const kind = decodeName(KINDS, reader.byte(), 'URL');
  const origin = decodeName(ORIGINS, reader.byte(), 'URL');
  const level = reader.varint();
  const from = reader.varint();
  const url = reader.text();
  const rule = reader.text();
  reader.end();
  return { number, url, kind, level, origin, from, rule };
}
