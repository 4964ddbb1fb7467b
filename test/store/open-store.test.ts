import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, isOrbweaverError } from '../../src/base/errors.ts';
import { openDatabase } from '../../src/store/database.ts';
import { LevelCrawlStore } from '../../src/store/level-store.ts';
import type { SiteStore } from '../../src/store/site-store.ts';
import { numberKey, TABLE, textKey } from '../../src/store/tables.ts';
import { makeState, seedCommit, treeCommit } from '../support/store-records.ts';
import { makeTempDirectory, openTempStore, removeDirectory } from '../support/temp-store.ts';

const refusedWith = (code: ErrorCode, ...parts: string[]) =>
  expect.toSatisfy(
    (error: unknown) => isOrbweaverError(error, code) && parts.every((part) => error.message.includes(part)),
    `is ${code} and names ${parts.join(', ')}`,
  );

describe('Opening a store', () => {
  it('makes the directories that are missing', () =>
    inDirectory(async (directory) => {
      const store = await LevelCrawlStore.open(join(directory, 'a', 'b'));
      await store.close();
      expect(await readdir(join(directory, 'a', 'b', 'db'))).toContain('CURRENT');
    }));

  it('fails with STORE_LOCKED and the directory while another has it, and leaves the other one working', async () => {
    const under = await openTempStore();
    const { store, directory } = under;
    await expect(LevelCrawlStore.open(directory)).rejects.toEqual(refusedWith('STORE_LOCKED', directory));
    const site = await store.createSite(makeState('site.test'));
    await site.commit(seedCommit(site.state));
    await under.remove();
  });

  it('fails with STORE_WRITE where no directory can be made', () =>
    inDirectory(async (directory) => {
      await writeFile(join(directory, 'file'), '');
      await expect(LevelCrawlStore.open(join(directory, 'file'))).rejects.toEqual(refusedWith('STORE_WRITE', 'file'));
    }));

  it('fails with STORE_CORRUPT when files are damaged or gone', () =>
    inDirectory(async (directory) => {
      const damages: readonly ((db: string) => Promise<void>)[] = [
        (db) => writeFile(join(db, 'CURRENT'), 'nonsense'),
        async (db) => rm(join(db, await fileOf(db, 'MANIFEST'))),
        async (db) => writeFile(join(db, await fileOf(db, 'MANIFEST')), 'x'.repeat(1000)),
      ];
      for (const [index, damage] of damages.entries()) {
        const data = join(directory, String(index));
        await fillStore(data);
        await damage(join(data, 'db'));
        await expect(LevelCrawlStore.open(data), String(index)).rejects.toEqual(refusedWith('STORE_CORRUPT', data));
      }
    }));

  it('fails with STORE_CORRUPT on a LevelDB of somebody else, and does not change it', () =>
    inDirectory(async (directory) => {
      await (await LevelCrawlStore.open(join(directory, 'unrelated'))).close();
      const database = await openDatabase(join(directory, 'unrelated', 'db'));
      await database.clear();
      await database.put(Buffer.from('theirs'), Buffer.from('value'));
      await database.close();
      await expect(LevelCrawlStore.open(join(directory, 'unrelated'))).rejects.toEqual(
        refusedWith('STORE_CORRUPT', 'unrelated'),
      );
      const again = await openDatabase(join(directory, 'unrelated', 'db'));
      expect((await again.keys().all()).map(String)).toEqual(['theirs']);
      await again.close();
    }));

  it('fails with STORE_VERSION on a newer store, and can be tried again', () =>
    inDirectory(async (directory) => {
      await fillStore(directory);
      await change(directory, async (database) => database.put(textKey(TABLE.meta, 'version'), Buffer.of(2)));
      await expect(LevelCrawlStore.open(directory)).rejects.toEqual(refusedWith('STORE_VERSION', directory, '2'));
      await change(directory, async (database) => database.put(textKey(TABLE.meta, 'version'), Buffer.of(1)));
      await (await LevelCrawlStore.open(directory)).close();
    }));

  it('fails with STORE_CORRUPT on a site whose index does not fit its state', () =>
    inDirectory(async (directory) => {
      await fillStore(directory);
      await change(directory, async (database) => {
        const key = numberKey(TABLE.index, 1, 0);
        for await (const [found] of database.iterator({ gte: key, limit: 1 })) await database.del(found);
      });
      await using store = await LevelCrawlStore.open(directory);
      await expect(store.openSite('site.test')).rejects.toEqual(refusedWith('STORE_CORRUPT', 'site.test'));
    }));

  it('ends what a killed process had left half cleared', () =>
    inDirectory(async (directory) => {
      await fillStore(directory);
      await change(directory, async (database) => {
        // As after a kill between the batch that gives the name away and the clearing.
        await database.put(numberKey(TABLE.dropped, 1, 0).subarray(0, 5), Buffer.alloc(0));
        await database.del(textKey(TABLE.site, 'site.test'));
      });
      await (await LevelCrawlStore.open(directory)).close();
      await change(directory, async (database) => {
        const left = (await database.keys().all()).map((key) => key[0]);
        expect(left).toEqual([TABLE.meta, TABLE.meta]);
      });
    }));

  it('never gives a site number twice', () =>
    inDirectory(async (directory) => {
      const numbers = new Set<number>();
      for (let round = 0; round < 3; round++) {
        await using store = await LevelCrawlStore.open(directory);
        for (const name of ['a.test', 'b.test']) {
          const site = await store.createSite(makeState(name));
          numbers.add((site as SiteStore & { siteNumber: number }).siteNumber);
        }
      }
      expect(numbers.size).toBe(6);
    }));
});

describe('A store with little room in memory', () => {
  it('answers at once while all is in memory, and by a promise, as exactly, beyond', async () => {
    const under = await openTempStore({ maxIndexEntries: 9 });
    const site = await under.store.createSite(makeState('site.test'));
    await site.commit(seedCommit(site.state));
    for (let page = 1; page <= 4; page++) void site.commit(treeCommit(site.state));
    expect(site.findUrls(['unknown'])).toBeInstanceOf(Uint32Array);
    void site.commit(treeCommit(site.state));
    expect(site.findUrls(['unknown'])).toBeInstanceOf(Promise);
    await under.remove();
  });

  it('keeps to the limit a site was created with, whatever it is opened with', async () => {
    const directory = await makeTempDirectory();
    for (const [round, maxIndexEntries] of [5, 1000, 1, 8].entries()) {
      await using store = await LevelCrawlStore.open(directory, { maxIndexEntries });
      const site = (await store.openSite('site.test')) ?? (await store.createSite(makeState('site.test')));
      if (site.state.urls === 0) await site.commit(seedCommit(site.state));
      for (let page = 0; page < 20; page++) void site.commit(treeCommit(site.state));
      const keys = Array.from({ length: site.state.urls + 1 }, (_, index) => treeKey(index + 1));
      const expected = keys.map((_, index) => (index < site.state.urls ? index + 1 : 0));
      expect(Array.from(await site.findUrls(keys)), `round ${round}`).toEqual(expected);
    }
    await removeDirectory(directory);
  });
});

function treeKey(number: number): string {
  return treeCommit(makeState('site.test', { urls: number - 1, pages: 1 })).urls[0]?.key ?? '';
}

async function fillStore(directory: string): Promise<void> {
  await using store = await LevelCrawlStore.open(directory);
  const site = await store.createSite(makeState('site.test'));
  await site.commit(seedCommit(site.state));
  for (let page = 0; page < 20; page++) await site.commit(treeCommit(site.state));
}

async function change(directory: string, work: (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<void>) {
  const database = await openDatabase(join(directory, 'db'));
  await work(database);
  await database.close();
}

async function fileOf(db: string, prefix: string): Promise<string> {
  const name = (await readdir(db)).find((file) => file.startsWith(prefix));
  expect((await readFile(join(db, name ?? ''))).length).toBeGreaterThan(0);
  return name ?? '';
}

async function inDirectory(work: (directory: string) => Promise<void>): Promise<void> {
  const directory = await makeTempDirectory();
  try {
    await work(directory);
  } finally {
    await removeDirectory(directory);
  }
}
