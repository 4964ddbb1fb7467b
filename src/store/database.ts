import { readdir } from 'node:fs/promises';
import { Level } from 'level';
import { OrbweaverError } from '../base/errors.ts';
import type { KeyRange } from './tables.ts';

/** LevelDB with binary keys and values. */
export type Database = Level<Buffer, Buffer>;

const KIBIBYTES = 1024;
const MEBIBYTES = 1024 * KIBIBYTES;

/**
 * Chosen by measuring 150,000 pages with 25 links: compression takes the disk from 78 to 30 MB at the same processor time; larger
 * blocks make walks over a table faster (2.0 s instead of 4.2 s for pages with links); a write buffer of 16 MiB gained nothing
 * over 8. About 40 MiB of native memory at most, beside the table files that are mapped.
 */
const OPTIONS = {
  keyEncoding: 'buffer',
  valueEncoding: 'buffer',
  compression: true,
  writeBufferSize: 8 * MEBIBYTES,
  cacheSize: 16 * MEBIBYTES,
  blockSize: 16 * KIBIBYTES,
  maxFileSize: 4 * MEBIBYTES,
  // LevelDB maps the table files it has open into memory, and what was read of them counts as ours: 30 files, 120 MiB.
  maxOpenFiles: 40,
} as const;

/** Bytes an iterator may hold; with the default of 16 KiB a walk over a table spends its time crossing threads. */
const SCAN_BYTES = 256 * KIBIBYTES;
const SCAN_ENTRIES = 2000;

/** Opens the LevelDB in a directory that exists. Throws STORE_LOCKED, STORE_CORRUPT, STORE_WRITE. */
export async function openDatabase(directory: string): Promise<Database> {
  await assertNotHeadless(directory);
  const database: Database = new Level(directory, OPTIONS);
  try {
    await database.open();
    return database;
  } catch (error) {
    throw openError(directory, error);
  }
}

/** Where CURRENT is missing LevelDB takes the folder for an empty one and deletes what it finds there. */
async function assertNotHeadless(directory: string): Promise<void> {
  const names = await readdir(directory);
  if (names.includes('CURRENT') || !names.some((name) => /^(?:MANIFEST-|\d+\.(?:ldb|sst|log)$)/.test(name))) return;
  throw new OrbweaverError(
    'STORE_CORRUPT',
    `The store in ${directory} is damaged: it has tables or logs, but the file CURRENT is missing.`,
  );
}

/** The value of a key, if there is one. Throws STORE_CLOSED, STORE_CORRUPT. */
export async function get(database: Database, key: Buffer): Promise<Buffer | undefined> {
  try {
    return await database.get(key);
  } catch (error) {
    throw readError(error);
  }
}

/** The values of keys, in their order. Throws as `get`. */
export async function getMany(database: Database, keys: Buffer[]): Promise<readonly (Buffer | undefined)[]> {
  try {
    return await database.getMany(keys);
  } catch (error) {
    throw readError(error);
  }
}

/** Entries of a range in key order, in chunks, from a snapshot taken at the first step. Throws as `get`. */
export async function* scan(database: Database, range: KeyRange, limit = Infinity): AsyncGenerator<[Buffer, Buffer][]> {
  if (limit <= 0) return;
  const most = limit === Infinity ? -1 : limit;
  const iterator = attempt(() => database.iterator({ ...range, limit: most, highWaterMarkBytes: SCAN_BYTES }));
  try {
    for (;;) {
      const entries = await iterator.nextv(Math.min(limit, SCAN_ENTRIES)).catch(rethrowRead);
      if (entries.length === 0) return;
      yield entries;
    }
  } finally {
    await iterator.close();
  }
}

/** Values of a range in key order, in chunks; cheaper than `scan` where the keys are not needed. Throws as `get`. */
export async function* scanValues(database: Database, range: KeyRange): AsyncGenerator<Buffer[]> {
  const iterator = attempt(() => database.values({ ...range, highWaterMarkBytes: SCAN_BYTES }));
  try {
    for (;;) {
      const values = await iterator.nextv(SCAN_ENTRIES).catch(rethrowRead);
      if (values.length === 0) return;
      yield values;
    }
  } finally {
    await iterator.close();
  }
}

function attempt<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw readError(error);
  }
}

function rethrowRead(error: unknown): never {
  throw readError(error);
}

/** A read that was under way when the store was closed is the caller's fault; any other failure is damage. */
function readError(error: unknown): OrbweaverError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'LEVEL_DATABASE_NOT_OPEN' || code === 'LEVEL_ITERATOR_NOT_OPEN') {
    return new OrbweaverError('STORE_CLOSED', 'The store was closed while it was being read.', { cause: error });
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new OrbweaverError('STORE_CORRUPT', `The store cannot be read: ${reason}`, { cause: error });
}

function openError(directory: string, error: unknown): OrbweaverError {
  // abstract-level wraps: the outer error says "not open", its cause why.
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const options = { context: { directory, reason }, cause };
  if (code === 'LEVEL_LOCKED') {
    return new OrbweaverError('STORE_LOCKED', `The store in ${directory} is in use by another process.`, options);
  }
  // LevelDB knows one kind of I/O error. A file that its own lists name and that is gone is damage; the rest is the disk or its permissions.
  if (code === 'LEVEL_IO_ERROR' && !reason.includes('No such file')) {
    return new OrbweaverError('STORE_WRITE', `The store in ${directory} cannot be opened: ${reason}`, options);
  }
  return new OrbweaverError('STORE_CORRUPT', `The store in ${directory} is damaged: ${reason}`, options);
}
