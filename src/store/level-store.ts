import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { OrbweaverError } from '../base/errors.ts';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { type Database, get, openDatabase, scan } from './database.ts';
import { LevelSiteStore, type SiteHost } from './level-site-store.ts';
import type { SiteState } from './records.ts';
import { readSite, SEED_BYTES, type SiteEntry, writeSite } from './site-codec.ts';
import type { CrawlStore, SiteStore } from './site-store.ts';
import { numberKey, SITE_TABLES, siteRange, TABLE, tableRange, textKey } from './tables.ts';
import { type WritableBatch, WriteQueue } from './write-queue.ts';

/** Version of the layout described in `tables.ts`. A higher one is refused, a lower one is migrated here when there is one. */
export const SCHEMA_VERSION = 1;

const VERSION_KEY = textKey(TABLE.meta, 'version');
const NEXT_SITE_KEY = textKey(TABLE.meta, 'next-site');

/** How a store is opened. */
export interface LevelStoreOptions {
  /** Wait for the disk itself with every batch; default false: a power cut may lose the last seconds, a killed process nothing. */
  readonly sync?: boolean;
  /** Commits that nobody waits for may be joined for this long before they are written, milliseconds; default 0. */
  readonly lingerMs?: number;
  /**
   * Entries each in-memory index of a site created from now on may hold, 18 to 36 bytes each; default 8 million. What is beyond is
   * asked of the database.
   */
  readonly maxIndexEntries?: number;
}

/** The store of one data directory, in LevelDB under `db/`. One process at a time. */
export class LevelCrawlStore implements CrawlStore {
  readonly #host: SiteHost;
  readonly #lifetime: Lifetime;
  /** Open sites by name, so that each has one index; held weakly, since a list of sites is crawled one after the other. */
  readonly #sites = new Map<string, WeakRef<LevelSiteStore>>();
  readonly #maxIndexEntries: number;
  #nextSite: number;
  /** Opening and creating sites happen one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  private constructor(host: SiteHost, lifetime: Lifetime, nextSite: number, maxIndexEntries: number) {
    this.#maxIndexEntries = maxIndexEntries;
    this.#host = host;
    this.#lifetime = lifetime;
    this.#nextSite = nextSite;
  }

  /**
   * Opens or creates the store; makes the directory when there is none. Throws STORE_LOCKED when another process has it,
   * STORE_CORRUPT when it is damaged or something else, STORE_VERSION when it is newer, STORE_WRITE when the disk refuses.
   */
  static async open(dataDirectory: string, options: LevelStoreOptions = {}): Promise<LevelCrawlStore> {
    const directory = join(dataDirectory, 'db');
    try {
      await mkdir(directory, { recursive: true });
    } catch (cause) {
      throw new OrbweaverError('STORE_WRITE', `The directory ${directory} cannot be made.`, { cause });
    }
    const database = await openDatabase(directory);
    try {
      const nextSite = await prepare(database, directory);
      const lifetime: Lifetime = { closed: false };
      const host: SiteHost = {
        database,
        queue: new WriteQueue(database, options.sync ?? false, options.lingerMs ?? 0),
        assertOpen: () => assertOpen(lifetime),
      };
      return new LevelCrawlStore(host, lifetime, nextSite, options.maxIndexEntries ?? 8_000_000);
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  async openSite(name: string): Promise<SiteStore | undefined> {
    this.#host.assertOpen();
    return this.#exclusive(async () => {
      const open = this.#sites.get(name)?.deref();
      if (open !== undefined) return open;
      const entry = await this.#read(name);
      return entry && this.#load(entry);
    });
  }

  async createSite(state: SiteState): Promise<SiteStore> {
    this.#host.assertOpen();
    if (state.urls !== 0 || state.pages !== 0 || state.committed !== 0) {
      throw new OrbweaverError(
        'INTERNAL',
        `A new site starts empty; ${state.name} says ${state.urls} URLs, ${state.pages} pages.`,
      );
    }
    return this.#exclusive(async () => {
      const former = await this.#release(state.name);
      const entry: SiteEntry = {
        number: this.#nextSite++,
        seed: new Uint8Array(randomBytes(SEED_BYTES)),
        maxIndexEntries: this.#maxIndexEntries,
        state: { ...state },
      };
      await this.#assign(former, (batch) => {
        batch.put(NEXT_SITE_KEY, encodeNumber(this.#nextSite));
        batch.put(textKey(TABLE.site, state.name), encodeSite(entry));
      });
      return this.#load(entry);
    });
  }

  /** Throws SITE_UNKNOWN when there is no site `name`. */
  async replaceSite(name: string, as: string): Promise<SiteStore> {
    this.#host.assertOpen();
    return this.#exclusive(async () => {
      const key = textKey(TABLE.site, name);
      if ((await this.#read(name)) === undefined) throw new OrbweaverError('SITE_UNKNOWN', `There is no site ${name}.`);
      const former = name === as ? undefined : await this.#release(as);
      const moved = await this.#release(name);
      if (moved === undefined) throw new OrbweaverError('SITE_UNKNOWN', `There is no site ${name}.`);
      const entry = { ...moved, state: { ...moved.state, name: as } };
      await this.#assign(former, (batch) => {
        batch.del(key);
        batch.put(textKey(TABLE.site, as), encodeSite(entry));
      });
      return this.#load(entry);
    });
  }

  async dropSite(name: string): Promise<void> {
    this.#host.assertOpen();
    await this.#exclusive(async () => {
      const former = await this.#release(name);
      if (former !== undefined) await this.#assign(former, (batch) => batch.del(textKey(TABLE.site, name)));
    });
  }

  /** States of all sites, sorted by name. */
  async sites(): Promise<readonly SiteState[]> {
    this.#host.assertOpen();
    await this.#host.queue.settled();
    const states: SiteState[] = [];
    for await (const entries of scan(this.#host.database, tableRange(TABLE.site))) {
      for (const [, value] of entries) states.push(readSite(value).state);
    }
    return states;
  }

  /** Writes what is waiting and closes; again: nothing. Rejects with STORE_WRITE when not all could be written, closed all the same. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    this.#lifetime.closed = true;
    try {
      await this.#turn;
      await this.#host.queue.settled();
    } finally {
      await this.#host.database.close();
    }
  }

  async #read(name: string): Promise<SiteEntry | undefined> {
    await this.#host.queue.settled();
    const value = await get(this.#host.database, textKey(TABLE.site, name));
    return value && readSite(value);
  }

  async #load(entry: SiteEntry): Promise<LevelSiteStore> {
    const store = await LevelSiteStore.load(this.#host, entry);
    this.#sites.set(entry.state.name, new WeakRef(store));
    return store;
  }

  /** Ends the handle of a site, since its name is about to mean something else; returns the site as last written. */
  async #release(name: string): Promise<SiteEntry | undefined> {
    this.#sites.get(name)?.deref()?.retire();
    this.#sites.delete(name);
    return this.#read(name);
  }

  /**
   * Changes what the names mean in one batch. The records of the site that lost its name are unreachable from then on, and cleared
   * now, or at the next open when the process is killed before.
   */
  async #assign(former: SiteEntry | undefined, change: (batch: WritableBatch) => void): Promise<void> {
    const { database, queue } = this.#host;
    await queue.add((batch) => {
      change(batch);
      if (former !== undefined) batch.put(droppedKey(former.number), Buffer.alloc(0));
    }, 1024);
    if (former !== undefined) await clearSite(database, former.number);
  }

  #exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}

/** Shared between a store and what it hands out: whether it was closed. */
interface Lifetime {
  closed: boolean;
}

function assertOpen(lifetime: Lifetime): void {
  if (lifetime.closed) throw new OrbweaverError('STORE_CLOSED', 'The store was used after it was closed.');
}

/** Checks the version, or writes it into an empty database; ends what a killed process left half cleared. Returns the next site number. */
async function prepare(database: Database, directory: string): Promise<number> {
  const stored = await get(database, VERSION_KEY);
  if (stored === undefined) {
    for await (const key of database.keys({ limit: 1 })) {
      throw new OrbweaverError(
        'STORE_CORRUPT',
        `${directory} is a LevelDB, but no store of Orbweaver (first key ${key.toString('hex')}).`,
      );
    }
    await database.put(VERSION_KEY, encodeNumber(SCHEMA_VERSION));
    return 1;
  }
  const version = new ByteReader(stored).varint();
  if (version > SCHEMA_VERSION) {
    throw new OrbweaverError(
      'STORE_VERSION',
      `The store in ${directory} has version ${version}; this Orbweaver knows ${SCHEMA_VERSION}.`,
    );
  }
  for await (const key of database.keys(tableRange(TABLE.dropped))) await clearSite(database, key.readUInt32BE(1));
  const next = await get(database, NEXT_SITE_KEY);
  return next === undefined ? 1 : new ByteReader(next).varint();
}

/** Clears all records of a site number nobody refers to, then the note that it is to be cleared. */
async function clearSite(database: Database, site: number): Promise<void> {
  for (const table of SITE_TABLES) await database.clear(siteRange(table, site));
  await database.del(droppedKey(site));
}

function droppedKey(site: number): Buffer {
  return numberKey(TABLE.dropped, site, 0).subarray(0, 5);
}

function encodeSite(entry: SiteEntry): Buffer {
  const writer = new ByteWriter(1024);
  writeSite(writer, entry);
  return writer.toBuffer();
}

function encodeNumber(number: number): Buffer {
  const writer = new ByteWriter(16);
  writer.varint(number);
  return writer.toBuffer();
}
