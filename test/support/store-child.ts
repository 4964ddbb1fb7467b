import { writeSync } from 'node:fs';
import { isOrbweaverError } from '../../src/base/errors.ts';
import { LevelCrawlStore } from '../../src/store/level-store.ts';
import type { Commit, SiteStore } from '../../src/store/site-store.ts';
import { makeState, seedCommit, treeCommit } from './store-records.ts';

/**
 * A program that works on a store until it is killed, for tests of what is left then: `store-child.js MODE DIRECTORY`.
 * What it has been told is written, it says on standard output, a line each.
 * - `commit`: page after page to one site, continuing what is there; some commits are waited for, some joined.
 * - `replace`: creates the site anew, commits a few pages, and so on.
 */
const [mode, directory] = process.argv.slice(2);
if (directory === undefined) throw new TypeError('usage: store-child.js commit|replace DIRECTORY');

try {
  const store = await LevelCrawlStore.open(directory);
  say('open');
  if (mode === 'replace') await replaceForEver(store);
  else await commitForEver((await store.openSite('site.test')) ?? (await store.createSite(makeState('site.test'))));
} catch (error) {
  say(isOrbweaverError(error) ? error.code : String(error));
}

async function commitForEver(site: SiteStore): Promise<void> {
  if (site.state.urls === 0) await site.commit(seedCommit(site.state));
  try {
    for (;;) {
      const joined = Math.floor(Math.random() * 12);
      for (let count = 0; count < joined; count++) void site.commit(nextCommit(site));
      await site.commit(nextCommit(site));
      say(String(site.state.pages));
    }
  } catch (error) {
    say(isOrbweaverError(error) ? error.code : String(error));
    await site.getUrl(1);
  }
}

/** Some are so large that what waits is more than one batch. */
function nextCommit(site: SiteStore): Commit {
  const commit = treeCommit(site.state);
  if (Math.random() < 0.95) return commit;
  const detail = 'x'.repeat(300_000);
  return { ...commit, fates: commit.fates.map(([number, fate]) => [number, { ...fate, detail }] as const) };
}

async function replaceForEver(store: LevelCrawlStore): Promise<void> {
  for (let round = 1; ; round++) {
    // Anew under its own name, or beside it and then in its place.
    const name = round % 2 === 0 ? 'site.test' : 'new.test';
    let site = await store.createSite(makeState(name, { seed: `http://site.test/${round}` }));
    await site.commit(seedCommit(site.state));
    for (let page = 0; page < 200; page++) void site.commit(treeCommit(site.state));
    if (name !== 'site.test') site = await store.replaceSite(name, 'site.test');
    await site.flush();
    say(String(round));
  }
}

function say(line: string): void {
  writeSync(1, `${line}\n`);
}
