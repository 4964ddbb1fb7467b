import { OrbweaverError } from '../base/errors.ts';
import { ByteReader, expectVersion } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import type { PageLinks } from './records.ts';

const VERSION = 1;

export const NO_LINKS: PageLinks = { numbers: new Uint32Array(0), counts: new Uint32Array(0) };

/**
 * Writes links sorted by number: for each the distance to the one before, times two, plus one when it occurs more than once;
 * then, only in that case, its count. A link to a URL near the last one, linked once, takes one byte.
 * Throws INTERNAL when the numbers do not rise or a count is 0.
 */
export function writeLinks(writer: ByteWriter, links: PageLinks): void {
  const { numbers, counts } = links;
  if (numbers.length !== counts.length) throw new OrbweaverError('INTERNAL', 'Links with more numbers than counts.');
  writer.byte(VERSION);
  writer.varint(numbers.length);
  let last = 0;
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] ?? 0;
    const count = counts[index] ?? 0;
    if (number <= last || count === 0)
      throw new OrbweaverError('INTERNAL', 'Links that are not sorted, or without a count.');
    if (count === 1) {
      writer.varint((number - last) * 2);
    } else {
      writer.varint((number - last) * 2 + 1);
      writer.varint(count);
    }
    last = number;
  }
}

export function readLinks(value: Buffer): PageLinks {
  const reader = new ByteReader(value);
  expectVersion(reader, VERSION, 'links');
  const length = reader.varint();
  // Each link takes a byte or more; without this check a damaged length could ask for any amount of memory.
  if (length > reader.remaining) throw new OrbweaverError('STORE_CORRUPT', 'A links record ends too early.');
  const numbers = new Uint32Array(length);
  const counts = new Uint32Array(length);
  let last = 0;
  for (let index = 0; index < length; index++) {
    const head = reader.varint();
    last += Math.floor(head / 2);
    numbers[index] = last;
    counts[index] = head % 2 === 0 ? 1 : reader.varint();
  }
  reader.end();
  return { numbers, counts };
}
