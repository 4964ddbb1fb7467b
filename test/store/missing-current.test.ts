import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { LevelCrawlStore } from '../../src/store/level-store.ts';
import { makeTempDirectory, removeDirectory } from '../support/temp-store.ts';

it('refuses a store whose CURRENT file is missing, and deletes nothing', async () => {
  const directory = await makeTempDirectory();
  try {
    await (await LevelCrawlStore.open(directory)).close();
    const db = path.join(directory, 'db');
    await rm(path.join(db, 'CURRENT'));
    const before = await readdir(db);
    await expect(LevelCrawlStore.open(directory)).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
    expect(await readdir(db)).toEqual(before);
  } finally {
    await removeDirectory(directory);
  }
});
