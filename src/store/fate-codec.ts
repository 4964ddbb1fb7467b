import { ByteReader, decodeName, expectVersion } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import type { Fate, FateType } from './records.ts';

const VERSION = 1;
/** Codes on disk are places in this list: append only. */
const TYPES: readonly FateType[] = [
  'page',
  'duplicate',
  'redirect',
  'broken',
  'unreachable',
  'timeout',
  'robots',
  'not-html',
  'size',
  'address',
  'trap',
  'filter',
  'scope',
];

export function writeFate(writer: ByteWriter, fate: Fate): void {
  writer.byte(VERSION);
  writer.byte(TYPES.indexOf(fate.type));
  writer.varint(fate.status);
  writer.varint(fate.target);
  writer.text(fate.detail);
}

export function readFate(value: Buffer): Fate {
  const reader = new ByteReader(value);
  expectVersion(reader, VERSION, 'fate');
  const type = decodeName(TYPES, reader.byte(), 'fate');
  const status = reader.varint();
  const target = reader.varint();
  const detail = reader.text();
  reader.end();
  return { type, status, target, detail };
}
