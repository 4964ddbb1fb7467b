import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LevelCrawlStore, type LevelStoreOptions } from '../../src/store/level-store.ts';

/** A store in a directory of its own. */
export interface TempStore {
  /** The data directory; it lasts until `remove`. */
  readonly directory: string;
  readonly store: LevelCrawlStore;
  /** Closes the store and opens it again. */
  reopen(): Promise<LevelCrawlStore>;
  /** Closes the store and deletes the directory. */
  remove(): Promise<void>;
}

/** Opens a store in a new directory under the system's temporary one. Call `remove` at the end. */
export async function openTempStore(options: LevelStoreOptions = {}): Promise<TempStore> {
  const directory = await makeTempDirectory();
  let store = await LevelCrawlStore.open(directory, options);
  return {
    directory,
    get store() {
      return store;
    },
    async reopen() {
      await store.close();
      store = await LevelCrawlStore.open(directory, options);
      return store;
    },
    async remove() {
      await store.close();
      await removeDirectory(directory);
    },
  };
}

export async function makeTempDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'orbweaver-store-'));
}

export async function removeDirectory(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true, maxRetries: 3 });
}
