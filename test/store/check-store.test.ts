import { describe, expect, it } from 'vitest';
import { checkSite, type ProblemType } from '../../src/store/check-store.ts';
import { openDatabase } from '../../src/store/database.ts';
import type { Fate, PageRecord, SiteState, UrlRecord } from '../../src/store/records.ts';
import { LevelCrawlStore } from '../../src/store/level-store.ts';
import type { SiteStore } from '../../src/store/site-store.ts';
import { numberKey, TABLE } from '../../src/store/tables.ts';
import {
  makeDigest,
  makeFate,
  makeLinks,
  makePage,
  makeState,
  makeUrl,
  seedCommit,
  treeCommit,
} from '../support/store-records.ts';
import { openTempStore, removeDirectory } from '../support/temp-store.ts';

/** A small site with a redirect, a duplicate, an external link, a broken one and one not yet visited. */
const URLS: readonly UrlRecord[] = [
  makeUrl(1, { from: 0 }),
  makeUrl(2, { from: 1 }),
  makeUrl(3, { from: 1 }),
  makeUrl(4, { from: 1, kind: 'external' }),
  makeUrl(5, { from: 3, origin: 'redirect' }),
  makeUrl(6, { from: 2 }),
  makeUrl(7, { from: 2, kind: 'trap' }),
];
const FATES: readonly (readonly [number, Fate])[] = [
  [1, makeFate({ target: 1 })],
  [2, makeFate({ type: 'broken', status: 404 })],
  [3, makeFate({ type: 'redirect', status: 301, target: 5 })],
  [5, makeFate({ target: 2 })],
];
const PAGES: readonly PageRecord[] = [
  makePage(1, {
    links: makeLinks([
      [1, 1],
      [2, 1],
      [3, 2],
      [4, 1],
    ]),
  }),
  makePage(2, {
    urlNumber: 5,
    links: makeLinks([
      [6, 1],
      [7, 1],
    ]),
  }),
];
const STATE: SiteState = makeState('site.test', { urls: 7, pages: 2, committed: 5, queued: 1, failures: 1, traps: 1 });

/** The part of a site store that is read by a check. */
function siteOf(change: {
  state?: SiteState;
  urls?: readonly UrlRecord[];
  fates?: typeof FATES;
  pages?: readonly PageRecord[];
  digests?: ReadonlyMap<string, number>;
}): SiteStore {
  const { state = STATE, urls = URLS, fates = FATES, pages = PAGES } = change;
  const firstIds = change.digests ?? new Map(pages.toReversed().map((page) => [hex(page.digest), page.id]));
  return {
    state,
    urls: () => iterate(urls),
    fates: () => iterate(fates),
    pages: () => iterate(pages),
    findDigest: (digest: Uint8Array) => firstIds.get(hex(digest)) ?? 0,
  } as unknown as SiteStore;
}

function hex(digest: Uint8Array): string {
  return Buffer.from(digest).toString('hex');
}

async function* iterate<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

function replace<Item>(items: readonly Item[], index: number, item: Item): Item[] {
  return items.map((old, place) => (place === index ? item : old));
}

const url = (index: number): UrlRecord => URLS[index] as UrlRecord;
const page = (index: number): PageRecord => PAGES[index] as PageRecord;
const sameDigest = [page(0), { ...page(1), digest: page(0).digest }];

describe('checkSite', () => {
  it('finds nothing wrong with a sound site', async () => {
    expect(await checkSite(siteOf({}))).toEqual([]);
    const keeping = { ...STATE, graphOptions: { keepDuplicates: true } };
    expect(await checkSite(siteOf({ state: keeping, pages: sameDigest }))).toEqual([]);
  });

  const damages: Record<string, readonly [Parameters<typeof siteOf>[0], ProblemType, string]> = {
    'a URL is missing': [{ urls: URLS.toSpliced(3, 1) }, 'gap', 'URL 5 stands where 4'],
    'the last URL is missing': [{ urls: URLS.slice(0, -1) }, 'count', '7 urls, stored are 6'],
    'a page is missing': [{ pages: PAGES.slice(1) }, 'gap', 'Page 2 stands where 1'],
    'a counter of URLs is too low': [{ state: { ...STATE, urls: 6 } }, 'count', '6 urls'],
    'a counter of pages is too high': [{ state: { ...STATE, pages: 3 } }, 'count', '3 pages'],
    'the queue is counted wrong': [{ state: { ...STATE, queued: 2 } }, 'count', '2 queued'],
    'failures are counted wrong': [{ state: { ...STATE, failures: 0 } }, 'count', '0 failures'],
    'traps are counted wrong': [{ state: { ...STATE, traps: 0 } }, 'count', '0 traps'],
    'more is committed than there is': [{ state: { ...STATE, committed: 8 } }, 'count', '8 URLs are committed'],
    'a committed URL has no fate': [{ fates: FATES.toSpliced(1, 1) }, 'fate', 'URL 2 has no fate'],
    'an external URL has a fate': [
      { fates: FATES.toSpliced(3, 0, [4, makeFate({ type: 'broken' })]) },
      'fate',
      'URL 4 has a fate',
    ],
    'a fate belongs to no URL': [{ fates: [...FATES, [8, makeFate()]] }, 'reference', 'URL 8'],
    'a fate names a page that is not there': [
      { fates: replace(FATES, 0, [1, makeFate({ target: 3 })]) },
      'reference',
      'became page 3',
    ],
    'a duplicate names page 0': [
      { fates: replace(FATES, 1, [2, makeFate({ type: 'duplicate' })]) },
      'reference',
      'became page 0',
    ],
    'a redirect leads to no URL': [
      { fates: replace(FATES, 2, [3, makeFate({ type: 'redirect', target: 9 })]) },
      'reference',
      'redirects to URL 9',
    ],
    'a redirect leads to itself': [
      { fates: replace(FATES, 2, [3, makeFate({ type: 'redirect', target: 3 })]) },
      'redirect',
      'from URL 3',
    ],
    'redirects go in a circle': [
      {
        fates: [
          FATES[0] as readonly [number, Fate],
          [2, makeFate({ type: 'redirect', target: 3 })],
          [3, makeFate({ type: 'redirect', target: 5 })],
          [5, makeFate({ type: 'redirect', target: 2 })],
        ],
      },
      'redirect',
      'from URL 2 come back to URL 2',
    ],
    'a page links to a URL that is not there': [
      { pages: replace(PAGES, 1, { ...page(1), links: makeLinks([[8, 1]]) }) },
      'reference',
      'Page 2 links to URL 8',
    ],
    'a page is no URL': [{ pages: replace(PAGES, 1, { ...page(1), urlNumber: 8 }) }, 'reference', 'Page 2 is URL 8'],
    'a page is a URL that became something else': [
      { pages: replace(PAGES, 1, { ...page(1), urlNumber: 2 }) },
      'fate',
      'Page 2 is URL 2',
    ],
    'a URL comes from a page that is not there': [
      { urls: replace(URLS, 5, { ...url(5), from: 3 }) },
      'reference',
      'URL 6 comes from page 3',
    ],
    'a URL comes from a redirect that is not there': [
      { urls: replace(URLS, 4, { ...url(4), from: 0 }) },
      'reference',
      'URL 5 comes from URL 0',
    ],
    'two pages have one content': [{ pages: sameDigest }, 'duplicate', 'Page 2 has the content of page 1'],
    'a digest leads nowhere': [{ digests: new Map() }, 'digest', 'page 1 leads to nothing'],
    'a digest leads to a later page': [
      { digests: new Map([[Buffer.from(makeDigest('page 1')).toString('hex'), 2]]) },
      'digest',
      'page 1 leads to 2',
    ],
  };
  for (const [damage, [change, type, words]] of Object.entries(damages)) {
    it(`says so when ${damage}`, async () => {
      const problems = await checkSite(siteOf(change));
      expect(problems).toContainEqual({ type, message: expect.stringContaining(words) });
    });
  }

  it('lists no more than a thousand problems', async () => {
    const state = makeState('site.test', { urls: 5000, committed: 5000 });
    const urls = Array.from({ length: 5000 }, (_, index) => makeUrl(index + 1, { from: 1, origin: 'redirect' }));
    expect((await checkSite(siteOf({ state, urls, fates: [], pages: [] }))).length).toBe(1000);
  });

  it('finds records that were taken out of the database', async () => {
    const tables: readonly (readonly [keyof typeof TABLE, number, ProblemType])[] = [
      ['url', 7, 'gap'],
      ['fate', 3, 'fate'],
      ['page', 5, 'gap'],
    ];
    for (const [table, number, type] of tables) {
      const { directory, store } = await openTempStore();
      const site = await store.createSite(makeState('site.test'));
      await site.commit(seedCommit(site.state));
      for (let count = 0; count < 10; count++) await site.commit(treeCommit(site.state));
      expect(await checkSite(site)).toEqual([]);
      await store.close();
      const database = await openDatabase(`${directory}/db`);
      await database.del(numberKey(TABLE[table], 1, number));
      await database.close();
      const again = await LevelCrawlStore.open(directory);
      const problems = await checkSite((await again.openSite('site.test')) as SiteStore);
      expect(
        problems.map((problem) => problem.type),
        table,
      ).toContain(type);
      await again.close();
      await removeDirectory(directory);
    }
  });
});
