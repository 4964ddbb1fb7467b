import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkSite } from '../../src/store/check-store.ts';
import { openDatabase, scan } from '../../src/store/database.ts';
import { LevelCrawlStore } from '../../src/store/level-store.ts';
import type { SiteStore } from '../../src/store/site-store.ts';
import { SITE_TABLES, TABLE, tableRange } from '../../src/store/tables.ts';
import { type CompiledProgram, compileProgram } from '../support/compile.ts';
import { keyOf, makeDigest, makeState, makeUrl, seedCommit, treeCommit } from '../support/store-records.ts';
import { makeTempDirectory, removeDirectory } from '../support/temp-store.ts';

let program: CompiledProgram;
beforeAll(async () => {
  program = await compileProgram('test/support/store-child.ts');
});
afterAll(() => program.remove());

describe('A store whose process is killed', () => {
  it('holds every commit that was confirmed, and a prefix of all, after each of 20 kills', async () => {
    const directory = await makeTempDirectory();
    let pages = 0;
    for (let kill = 1; kill <= 20; kill++) {
      const lines = await runChild(['commit', directory], Math.random() * 120);
      const confirmed = Math.max(pages, ...lines.map(Number).filter(Number.isInteger));
      await using store = await LevelCrawlStore.open(directory);
      const site = await store.openSite('site.test');
      if (site === undefined) {
        expect(confirmed).toBe(0);
        continue;
      }
      expect(await checkSite(site), `after kill ${kill}`).toEqual([]);
      expect(site.state.pages).toBeGreaterThanOrEqual(confirmed);
      pages = site.state.pages;
      await expectTree(site);
    }
    expect(pages).toBeGreaterThan(100);
    await removeDirectory(directory);
  });

  it('has the whole former site or the new one, and no records of others, when it was killed while replacing a site', async () => {
    const directory = await makeTempDirectory();
    for (let kill = 1; kill <= 10; kill++) {
      await runChild(['replace', directory], Math.random() * 100);
      const store = await LevelCrawlStore.open(directory);
      const names = (await store.sites()).map(({ name }) => name);
      for (const name of names) {
        const site = (await store.openSite(name)) as SiteStore;
        expect(await checkSite(site), `${name} after kill ${kill}`).toEqual([]);
        await expectTree(site);
      }
      await store.close();
      expect((await siteNumbers(directory)).size, 'numbers of sites with records').toBeLessThanOrEqual(names.length);
    }
    await removeDirectory(directory);
  });

  it('reports a full disk as STORE_WRITE from then on, and holds a prefix of all commits', async () => {
    const directory = await makeTempDirectory();
    // A limit on the size of files (in 512 or 1,024 bytes) stands for the disk: writes fail in the middle of a record.
    const lines = await runChild(['commit', directory], undefined, 'ulimit -f 6000; ');
    expect(lines.slice(-2)).toEqual(['STORE_WRITE', 'STORE_WRITE']);
    const confirmed = Number(lines.at(-3));
    expect(confirmed).toBeGreaterThan(0);
    await using store = await LevelCrawlStore.open(directory);
    const site = (await store.openSite('site.test')) as SiteStore;
    expect(await checkSite(site)).toEqual([]);
    expect(site.state.pages).toBeGreaterThanOrEqual(confirmed);
    await expectTree(site);
    await site.commit(treeCommit(site.state));
    await store.close();
    await removeDirectory(directory);
  });
});

/** Runs the child until it ends, or for some milliseconds after it has opened the store. Returns what it said. */
async function runChild(args: string[], killAfterMs: number | undefined, setup = ''): Promise<string[]> {
  const child = spawn('/bin/sh', ['-c', `${setup}exec "$0" "$@"`, process.execPath, program.path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const exit = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line === 'open' && killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  }
  const [, signal] = (await exit) as [number | null, string | null];
  expect(signal).toBe(killAfterMs === undefined ? null : 'SIGKILL');
  return lines;
}

/** Checks that a site is exactly what the first commits of the endless tree make it. */
async function expectTree(site: SiteStore): Promise<void> {
  const { name, seed, urls, pages, committed } = site.state;
  if (urls === 0) return;
  let expected = seedCommit(makeState(name, { seed })).site;
  let id = 0;
  for await (const page of site.pages()) {
    const commit = treeCommit(expected);
    if (++id % 50 === 1) expect(page).toEqual(commit.pages[0]);
    expected = commit.site;
  }
  expect({ urls, pages, committed }).toEqual({ urls: 2 * id + 1, pages: id, committed: id });
  expect(site.state).toEqual(expected);
  const keys = Array.from({ length: urls + 2 }, (_, index) => keyOf(index + 1));
  const numbers = await site.findUrls(keys);
  expect(Array.from(numbers.subarray(0, urls))).toEqual(Array.from({ length: urls }, (_, index) => index + 1));
  expect(Array.from(numbers.subarray(urls))).toEqual([0, 0]);
  expect(await site.findDigest(makeDigest(`page ${id + 1}`))).toBe(0);
  expect(await site.getUrl(urls)).toMatchObject({ url: makeUrl(urls).url });
}

/** Site numbers that occur in any table but those of the store itself. */
async function siteNumbers(directory: string): Promise<Set<number>> {
  const database = await openDatabase(`${directory}/db`);
  const numbers = new Set<number>();
  for (const table of [...SITE_TABLES, TABLE.dropped]) {
    for await (const entries of scan(database, tableRange(table))) {
      for (const [key] of entries) numbers.add(key.readUInt32BE(1));
    }
  }
  await database.close();
  return numbers;
}
