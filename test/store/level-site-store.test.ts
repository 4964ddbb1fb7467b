import { describe, expect, it } from 'vitest';
import { isOrbweaverError } from '../../src/base/errors.ts';
import { checkSite } from '../../src/store/check-store.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { LevelSiteStore } from '../../src/store/level-site-store.ts';
import { LevelCrawlStore } from '../../src/store/level-store.ts';
import type { SiteStore } from '../../src/store/site-store.ts';
import { readSite } from '../../src/store/site-codec.ts';
import { TABLE, textKey } from '../../src/store/tables.ts';
import { type BatchSource, WriteQueue } from '../../src/store/write-queue.ts';
import { makeState, seedCommit, treeCommit } from '../support/store-records.ts';
import { openTempStore, removeDirectory } from '../support/temp-store.ts';

const isWriteError = (error: unknown): boolean => isOrbweaverError(error, 'STORE_WRITE');
const isBug = (error: unknown): boolean => isOrbweaverError(error, 'INTERNAL');

describe('LevelSiteStore', () => {
  it('has, whichever write fails, exactly the commits of the batches before it', async () => {
    for (let failing = 2; failing <= 6; failing++) {
      const { directory, store } = await openTempStore();
      await store.createSite(makeState('site.test'));
      await store.close();

      const database = await openDatabase(`${directory}/db`);
      const queue = new WriteQueue(failingAt(database, failing), false);
      const entry = readSite(await database.get(textKey(TABLE.site, 'site.test')));
      const site = await LevelSiteStore.load({ database, queue, assertOpen: () => undefined }, entry);
      // The seed, which is written at once; then batches of two commits each, since a megabyte closes a batch.
      const written = [site.commit(seedCommit(site.state))];
      for (let page = 1; page <= 12; page++) {
        const commit = treeCommit(site.state);
        const detail = page % 2 === 0 ? 'x'.repeat(1_100_000) : '';
        const fates = commit.fates.map(([number, fate]) => [number, { ...fate, detail }] as const);
        written.push(site.commit({ ...commit, fates }));
      }
      const outcomes = (await Promise.allSettled(written)).map(({ status }) => status);
      const confirmed = 1 + 2 * (failing - 2);
      expect(outcomes).toEqual(outcomes.map((_, index) => (index < confirmed ? 'fulfilled' : 'rejected')));
      await expect(site.getUrl(1)).rejects.toSatisfy(isWriteError);
      await expect(site.commit(treeCommit(site.state))).rejects.toSatisfy(isWriteError);
      await expect(site.flush()).rejects.toSatisfy(isWriteError);
      expect(() => site.findUrls(['a'])).toThrow('planned');
      await database.close();

      const again = await LevelCrawlStore.open(directory);
      const reopened = (await again.openSite('site.test')) as SiteStore;
      expect(reopened.state.pages).toBe(confirmed - 1);
      expect(await checkSite(reopened)).toEqual([]);
      await again.close();
      await removeDirectory(directory);
    }
  });

  it('says when two new URLs have one key, and is of no use from then on', async () => {
    const under = await openTempStore();
    const site = await under.store.createSite(makeState('site.test'));
    await site.commit(seedCommit(site.state));
    const commit = treeCommit(site.state);
    const urls = commit.urls.map((url) => ({ ...url, key: 'same' }));
    await expect(site.commit({ ...commit, urls })).rejects.toSatisfy(isBug);
    await expect(site.commit(commit)).rejects.toSatisfy(isBug);
    const again = (await (await under.reopen()).openSite('site.test')) as SiteStore;
    expect(again.state.urls).toBe(1);
    await again.commit(commit);
    expect(await checkSite(again)).toEqual([]);
    await under.remove();
  });

  it('gives the rest from the database to a reader of new URLs that is slower than they come', async () => {
    const under = await openTempStore();
    const site = await under.store.createSite(makeState('site.test'));
    await site.commit(seedCommit(site.state));
    for (let page = 0; page < 400; page++) void site.commit(treeCommit(site.state));
    const numbers: number[] = [];
    for await (const url of site.urls()) {
      numbers.push(url.number);
      if (url.number === 10) for (let page = 0; page < 600; page++) void site.commit(treeCommit(site.state));
    }
    expect(numbers).toEqual(Array.from({ length: 801 }, (_, index) => index + 1));
    await under.remove();
  });
});

/** Batches of a database, of which the one with this number (from 1) cannot be written. */
function failingAt(database: Database, failing: number): BatchSource {
  let count = 0;
  return {
    batch() {
      const batch = database.batch();
      const isFailing = ++count === failing;
      return {
        put: (key, value) => batch.put(key, value),
        del: (key) => batch.del(key),
        write: async () => {
          if (isFailing) throw new Error('planned');
          await batch.write();
        },
      };
    },
  };
}
