import { ByteReader, decodeName, expectVersion } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import type { RobotsRecord } from './records.ts';

const VERSION = 1;
/** Codes on disk are places in this list: append only. */
const STATES: readonly RobotsRecord['state'][] = ['found', 'unavailable', 'unreachable'];

/** The origin is stored too: it is the key, but a key is UTF-8 and need not give the same text back. */
export function writeRobots(writer: ByteWriter, record: RobotsRecord): void {
  writer.byte(VERSION);
  writer.byte(STATES.indexOf(record.state));
  writer.varint(record.status);
  writer.varint(record.fetchedAt);
  writer.text(record.origin);
  writer.text(record.text);
  writer.text(record.detail);
}

export function readRobots(value: Buffer): RobotsRecord {
  const reader = new ByteReader(value);
  expectVersion(reader, VERSION, 'robots');
  const state = decodeName(STATES, reader.byte(), 'robots');
  const status = reader.varint();
  const fetchedAt = reader.varint();
  const origin = reader.text();
  const text = reader.text();
  const detail = reader.text();
  reader.end();
  return { origin, state, status, text, detail, fetchedAt };
}
