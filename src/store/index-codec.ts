import { OrbweaverError } from '../base/errors.ts';
import { ByteReader, expectVersion } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';

const VERSION = 1;

/**
 * What some commits in a row added to the two indexes kept in memory: fingerprints of new URL keys and the first 64 bits of
 * pages' digests. Reading them back is a walk over neighbours, and writing them never makes LevelDB sort random keys.
 */
export interface IndexEntry {
  /** Number of the first new URL. */
  readonly firstUrl: number;
  /** High and low half for each new URL, as signed 32-bit numbers. */
  readonly urlHalves: Int32Array;
  /** Id of the first new page. */
  readonly firstPage: number;
  /** High and low half for each new page. */
  readonly digestHalves: Int32Array;
}

export function writeIndexEntry(writer: ByteWriter, entry: IndexEntry): void {
  writer.byte(VERSION);
  writer.varint(entry.firstUrl);
  writer.varint(entry.urlHalves.length);
  for (const word of entry.urlHalves) writer.uint32(word);
  writer.varint(entry.firstPage);
  writer.varint(entry.digestHalves.length);
  for (const word of entry.digestHalves) writer.uint32(word);
}

export function readIndexEntry(value: Buffer): IndexEntry {
  const reader = new ByteReader(value);
  expectVersion(reader, VERSION, 'index');
  const firstUrl = reader.varint();
  const urlHalves = readHalves(reader);
  const firstPage = reader.varint();
  const digestHalves = readHalves(reader);
  reader.end();
  return { firstUrl, urlHalves, firstPage, digestHalves };
}

/** The first 64 bits of a digest. */
export function halvesOf(digest: Uint8Array): readonly [high: number, low: number] {
  return [wordAt(digest, 0), wordAt(digest, 4)];
}

function wordAt(digest: Uint8Array, at: number): number {
  return (
    ((digest[at] as number) << 24) |
    ((digest[at + 1] as number) << 16) |
    ((digest[at + 2] as number) << 8) |
    (digest[at + 3] as number)
  );
}

function readHalves(reader: ByteReader): Int32Array {
  const count = reader.varint();
  if (count % 2 !== 0 || count * 4 > reader.remaining) {
    throw new OrbweaverError('STORE_CORRUPT', 'An index record ends too early.');
  }
  const halves = new Int32Array(count);
  for (let index = 0; index < count; index++) halves[index] = reader.uint32();
  return halves;
}
