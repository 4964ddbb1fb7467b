import { OrbweaverError } from '../base/errors.ts';
import { ByteReader, expectVersion } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import type { SiteState } from './records.ts';

const VERSION = 1;

/** Bytes of the secret key of a site's URL fingerprints. */
export const SEED_BYTES = 8;

/** What stands under a site's name: where its records are, the key of its fingerprints, and its state. */
export interface SiteEntry {
  readonly number: number;
  readonly seed: Uint8Array;
  /**
   * URLs up to this number, and pages up to this id, are in the indexes in memory; the ones beyond in tables. Fixed when the site
   * is created, so that it always holds which is where.
   */
  readonly maxIndexEntries: number;
  readonly state: SiteState;
}

/** The state is JSON: small, rewritten as a whole, and its `graphOptions` belong to another floor. */
export function writeSite(writer: ByteWriter, entry: SiteEntry): void {
  writer.byte(VERSION);
  writer.varint(entry.number);
  writer.bytes(entry.seed);
  writer.varint(entry.maxIndexEntries);
  writer.text(JSON.stringify(entry.state));
}

export function readSite(value: Buffer): SiteEntry {
  const reader = new ByteReader(value);
  expectVersion(reader, VERSION, 'site');
  const number = reader.varint();
  const seed = reader.bytes(SEED_BYTES);
  const maxIndexEntries = reader.varint();
  const text = reader.text();
  reader.end();
  try {
    return { number, seed, maxIndexEntries, state: JSON.parse(text) as SiteState };
  } catch (cause) {
    throw new OrbweaverError('STORE_CORRUPT', 'The state of a site is not JSON.', { cause });
  }
}
