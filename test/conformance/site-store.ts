import { describe, expect, it } from 'vitest';
import { isOrbweaverError } from '../../src/base/errors.ts';
import { FATES, type PageRecord, URL_KINDS, URL_ORIGINS } from '../../src/store/records.ts';
import type { CrawlStore, SiteStore } from '../../src/store/site-store.ts';
import {
  keyOf,
  makeDigest,
  makeFate,
  makeLinks,
  makePage,
  makeState,
  makeUrl,
  seedCommit,
  treeCommit,
} from '../support/store-records.ts';

/** A store under test, in a place that survives `reopen`. */
export interface StoreUnderTest {
  readonly store: CrawlStore;
  reopen(): Promise<CrawlStore>;
  remove(): Promise<void>;
}

/** What every implementation of CrawlStore and SiteStore must do. Call it within a test file. */
export function describeSiteStore(subject: string, open: () => Promise<StoreUnderTest>): void {
  const withStore = (work: StoreWork): Promise<void> => useStore(open, work);
  const withSite = (work: SiteWork): Promise<void> =>
    useStore(open, async (store, under) => work(await store.createSite(makeState('site.test')), under));

  describe(`${subject}, as every site store,`, () => {
    it('knows no site before one is created', () =>
      withStore(async (store) => {
        expect(await store.openSite('site.test')).toBeUndefined();
        expect(await store.sites()).toEqual([]);
      }));

    it('gives back the state of a site as it was created', () =>
      withStore(async (store, under) => {
        const state = makeState('127.0.0.1_8101', { graphOptions: { list: ['ä', '\u{1f577}'], nested: { a: null } } });
        expect((await store.createSite(state)).state).toEqual(state);
        const again = await under.reopen();
        expect((await again.openSite('127.0.0.1_8101'))?.state).toEqual(state);
      }));

    it('lists its sites sorted by name, with the state of the last commit even if unwritten', () =>
      withStore(async (store) => {
        const b = await store.createSite(makeState('b.test'));
        await store.createSite(makeState('a.test'));
        await store.createSite(makeState('c.test'));
        void b.commit(seedCommit(b.state));
        const states = await store.sites();
        expect(states.map((state) => [state.name, state.urls])).toEqual([
          ['a.test', 0],
          ['b.test', 1],
          ['c.test', 0],
        ]);
      }));

    it('answers every reading of an empty site with nothing', () =>
      withSite(async (site) => {
        expect(Array.from(await site.findUrls(['//a', '//b']))).toEqual([0, 0]);
        expect(Array.from(await site.findUrls([]))).toEqual([]);
        expect(await site.findDigest(makeDigest('x'))).toBe(0);
        expect(await site.getUrl(1)).toBeUndefined();
        expect(await site.getFate(1)).toBeUndefined();
        expect(await site.getPage(1)).toBeUndefined();
        expect(await site.getRobots('http://site.test')).toBeUndefined();
        expect(await collect(site.urls())).toEqual([]);
        expect(await collect(site.fates())).toEqual([]);
        expect(await collect(site.pages())).toEqual([]);
      }));

    it('lets every kind of read see a commit from the moment it was called', () =>
      withSite(async (site) => {
        const first = site.commit(seedCommit(site.state));
        expect(site.state.urls).toBe(1);
        expect(Array.from(await site.findUrls([keyOf(1), keyOf(2)]))).toEqual([1, 0]);
        const second = site.commit(treeCommit(site.state));
        expect(Array.from(await site.findUrls([keyOf(3), keyOf(4), keyOf(2)]))).toEqual([3, 0, 2]);
        expect(await site.getUrl(3)).toEqual(withoutKey(makeUrl(3)));
        void site.commit(treeCommit(site.state));
        expect(await site.findDigest(makeDigest('page 2'))).toBe(2);
        void site.commit(treeCommit(site.state));
        expect((await site.getPage(3))?.title).toBe('Page 3');
        void site.commit(treeCommit(site.state));
        expect(await site.getFate(4)).toEqual(makeFate({ target: 4 }));
        void site.commit(treeCommit(site.state));
        expect((await collect(site.urls())).length).toBe(11);
        void site.commit(treeCommit(site.state));
        expect((await collect(site.fates())).length).toBe(6);
        void site.commit(treeCommit(site.state));
        expect((await collect(site.pages())).length).toBe(7);
        await Promise.all([first, second]);
      }));

    it('keeps all of many commits, joined or awaited, over a reopening', () =>
      withSite(async (site, under) => {
        await site.commit(seedCommit(site.state));
        for (let page = 1; page <= 300; page++) {
          const written = site.commit(treeCommit(site.state));
          if (page % 50 === 0) await written;
        }
        const before = await contents(site);
        const again = await (await under.reopen()).openSite('site.test');
        expect(again).toBeDefined();
        expect(await contents(again as SiteStore)).toEqual(before);
        expect(before.state).toMatchObject({ urls: 601, pages: 300, committed: 300 });
        expect(before.urls.map((url) => url.number)).toEqual(Array.from({ length: 601 }, (_, index) => index + 1));
        const keys = Array.from({ length: 603 }, (_, index) => keyOf(index + 1));
        const expected = keys.map((_, index) => (index < 601 ? index + 1 : 0));
        expect(Array.from(await (again as SiteStore).findUrls(keys))).toEqual(expected);
        for (const id of [1, 7, 300]) expect(await (again as SiteStore).findDigest(makeDigest(`page ${id}`))).toBe(id);
        expect(await (again as SiteStore).findDigest(makeDigest('page 301'))).toBe(0);
      }));

    it('keeps every kind, origin and fate and the oddest texts as given', () =>
      withSite(async (site, under) => {
        const texts = ['', 'ü', '\u{1f577}\u{fe0f}', '\ud83d cut', '\0\t\n', 'x'.repeat(20_000), 'ж'.repeat(3_000)];
        const urls = [...URL_KINDS, ...URL_KINDS, ...URL_KINDS].map((kind, index) =>
          makeUrl(index + 1, {
            kind,
            origin: URL_ORIGINS[index % 3] ?? 'link',
            level: index * 1000,
            from: 4_294_967_295 - index,
            url: texts[index % texts.length] ?? '',
            rule: texts[(index + 1) % texts.length] ?? '',
          }),
        );
        const fates = FATES.map(
          (type, index) =>
            [
              index + 1,
              { type, status: index * 50, target: index * 1_000_003, detail: texts[index % texts.length] ?? '' },
            ] as const,
        );
        await site.commit({ urls, fates, pages: [], site: { ...site.state, urls: urls.length } });
        const records = urls.map(withoutKey);
        expect(await collect(site.urls())).toEqual(records);
        const again = (await (await under.reopen()).openSite('site.test')) as SiteStore;
        expect(await collect(again.urls())).toEqual(records);
        expect(await collect(again.fates())).toEqual(fates);
      }));

    it('keeps pages with no links, many links and large counts', () =>
      withSite(async (site, under) => {
        const many = Array.from({ length: 100_000 }, (_, index) => [index * 3 + 1, (index % 5) + 1] as const);
        const pages: PageRecord[] = [
          makePage(1),
          makePage(2, {
            links: makeLinks([
              [1, 4_000_000_000],
              [4_294_967_295, 1],
            ]),
            bytes: 9_000_000_000_000,
            linksCut: 5,
            flags: 31,
          }),
          makePage(3, { links: makeLinks(many), title: 'ü'.repeat(1024) }),
        ];
        await site.commit({ urls: [], fates: [], pages, site: { ...site.state, pages: 3 } });
        const again = (await (await under.reopen()).openSite('site.test')) as SiteStore;
        expect(await collect(again.pages())).toEqual(pages);
        expect(await again.getPage(2)).toEqual(pages[1]);
        const bare = await collect(again.pages({ withLinks: false }));
        expect(bare).toEqual(pages.map((page) => ({ ...page, links: makeLinks([]) })));
      }));

    it('yields URLs from any number on, up to any limit', () =>
      withSite(async (site, under) => {
        const urls = Array.from({ length: 5_000 }, (_, index) => makeUrl(index + 1));
        void site.commit({ urls, fates: [], pages: [], site: { ...site.state, urls: 5_000 } });
        await expectSlices(site);
        await expectSlices((await (await under.reopen()).openSite('site.test')) as SiteStore);
      }));

    it('lets a walk over URLs go on while commits are made, and ends it where the site ended when it began', () =>
      withSite(async (site) => {
        await site.commit(seedCommit(site.state));
        for (let page = 0; page < 50; page++) await site.commit(treeCommit(site.state));
        const numbers: number[] = [];
        for await (const url of site.urls()) {
          numbers.push(url.number);
          if (url.number % 10 === 0) void site.commit(treeCommit(site.state));
        }
        expect(numbers).toEqual(Array.from({ length: 101 }, (_, index) => index + 1));
      }));

    it('yields fates from any number on, and lets a walk be left early', () =>
      withSite(async (site) => {
        await site.commit(seedCommit(site.state));
        for (let page = 0; page < 20; page++) await site.commit(treeCommit(site.state));
        expect((await collect(site.fates({ from: 15 }))).map(([number]) => number)).toEqual([15, 16, 17, 18, 19, 20]);
        expect(await collect(site.fates({ from: 21 }))).toEqual([]);
        for await (const url of site.urls()) if (url.number === 3) break;
        for await (const page of site.pages()) if (page.id === 3) break;
        expect((await collect(site.fates())).length).toBe(20);
      }));

    it('finds the first page with a content when several have it', () =>
      withSite(async (site, under) => {
        const digest = makeDigest('same');
        const pages = [makePage(1), makePage(2, { digest }), makePage(3, { digest })];
        await site.commit({ urls: [], fates: [], pages, site: { ...site.state, pages: 3 } });
        expect(await site.findDigest(digest)).toBe(2);
        expect(await ((await (await under.reopen()).openSite('site.test')) as SiteStore).findDigest(digest)).toBe(2);
      }));

    it('is not misled by contents whose digests agree in all but the last byte', () =>
      withSite(async (site) => {
        const digest = makeDigest('one');
        const near = digest.slice();
        near[31] = (digest[31] ?? 0) ^ 1;
        await site.commit({ urls: [], fates: [], pages: [makePage(1, { digest })], site: { ...site.state, pages: 1 } });
        expect(await site.findDigest(near)).toBe(0);
        await site.commit({
          urls: [],
          fates: [],
          pages: [makePage(2, { digest: near })],
          site: { ...site.state, pages: 2 },
        });
        expect([await site.findDigest(digest), await site.findDigest(near)]).toEqual([1, 2]);
      }));

    it('forgets the fates it is told to and no others', () =>
      withSite(async (site, under) => {
        await site.commit(seedCommit(site.state));
        for (let page = 0; page < 10; page++) void site.commit(treeCommit(site.state));
        await site.forgetFates([2, 9], { ...site.state, committed: 1, endReason: 'running' });
        await expectForgotten(site);
        await expectForgotten((await (await under.reopen()).openSite('site.test')) as SiteStore);
      }));

    it('keeps the last robots record of each origin', () =>
      withSite(async (site, under) => {
        const record = {
          origin: 'http://site.test',
          state: 'found',
          status: 200,
          text: 'User-agent: *\nDisallow: /ü\n',
          detail: '',
          fetchedAt: 1_700_000_000_123,
        } as const;
        await site.putRobots({ ...record, text: 'old' });
        await site.putRobots(record);
        await site.putRobots({
          ...record,
          origin: 'https://site.test',
          state: 'unreachable',
          status: 0,
          detail: 'ECONNREFUSED',
        });
        const again = (await (await under.reopen()).openSite('site.test')) as SiteStore;
        expect(await again.getRobots('http://site.test')).toEqual(record);
        expect((await again.getRobots('https://site.test'))?.state).toBe('unreachable');
        expect(await again.getRobots('http://site')).toBeUndefined();
      }));

    it('keeps sites apart', () =>
      withStore(async (store) => {
        const [a, b] = [await store.createSite(makeState('a.test')), await store.createSite(makeState('b.test'))];
        await a.commit(seedCommit(a.state));
        await a.commit(treeCommit(a.state));
        expect(Array.from(await b.findUrls([keyOf(1)]))).toEqual([0]);
        expect(await b.findDigest(makeDigest('page 1'))).toBe(0);
        expect([await b.getUrl(1), await b.getFate(1), await b.getPage(1)]).toEqual([undefined, undefined, undefined]);
        expect([await collect(b.urls()), await collect(b.fates()), await collect(b.pages())]).toEqual([[], [], []]);
      }));

    it('gives the same site to everyone who opens it', () =>
      withStore(async (store) => {
        const site = await store.createSite(makeState('site.test'));
        await site.commit(seedCommit(site.state));
        const [one, two] = await Promise.all([store.openSite('site.test'), store.openSite('site.test')]);
        await one?.commit(treeCommit(one.state));
        expect(Array.from((await two?.findUrls([keyOf(3)])) ?? [])).toEqual([3]);
        expect(two?.state.urls).toBe(3);
      }));

    it('replaces a site with all its records when one of the same name is created', () =>
      withStore(async (store, under) => {
        const former = await store.createSite(makeState('site.test'));
        await former.commit(seedCommit(former.state));
        for (let page = 0; page < 20; page++) void former.commit(treeCommit(former.state));
        await former.putRobots({
          origin: 'http://site.test',
          state: 'found',
          status: 200,
          text: '',
          detail: '',
          fetchedAt: 1,
        });
        const site = await store.createSite(makeState('site.test', { seed: 'http://site.test/new' }));
        await expectEmpty(site);
        await expect(former.commit(treeCommit(former.state))).rejects.toSatisfy((error) =>
          isOrbweaverError(error, 'STORE_CLOSED'),
        );
        await expectEmpty((await (await under.reopen()).openSite('site.test')) as SiteStore);
      }));

    it('gives a site the name of another, which is gone with all its records, and ends the handles of both', () =>
      withStore(async (store, under) => {
        const old = await store.createSite(makeState('site.test'));
        await old.commit(seedCommit(old.state));
        for (let page = 0; page < 30; page++) void old.commit(treeCommit(old.state));
        const retried = await store.createSite(makeState('retried', { seed: 'http://site.test/again' }));
        await retried.commit(seedCommit(retried.state));
        for (let page = 0; page < 5; page++) void retried.commit(treeCommit(retried.state));
        const expected = { ...(await contents(retried)), state: { ...retried.state, name: 'site.test' } };

        const site = await store.replaceSite('retried', 'site.test');
        expect(await contents(site)).toEqual(expected);
        expect(Array.from(await site.findUrls([keyOf(11), keyOf(12)]))).toEqual([11, 0]);
        expect(await site.findDigest(makeDigest('page 6'))).toBe(0);
        expect(await store.openSite('retried')).toBeUndefined();
        expect((await store.sites()).map(({ name }) => name)).toEqual(['site.test']);
        for (const handle of [old, retried]) {
          await expect(handle.commit(treeCommit(handle.state))).rejects.toSatisfy(isClosedError);
        }
        await site.commit(treeCommit(site.state));
        const after = await contents(site);
        const again = await under.reopen();
        expect(await contents((await again.openSite('site.test')) as SiteStore)).toEqual(after);
        expect(await again.openSite('retried')).toBeUndefined();
      }));

    it('gives a site a name that nobody has, and its own', () =>
      withStore(async (store) => {
        const site = await store.createSite(makeState('a.test'));
        await site.commit(seedCommit(site.state));
        const renamed = await store.replaceSite('a.test', 'b.test');
        const same = await store.replaceSite('b.test', 'b.test');
        expect((await contents(same)).urls.length).toBe(1);
        await expect(renamed.getUrl(1)).rejects.toSatisfy(isClosedError);
        await same.commit(treeCommit(same.state));
        expect((await store.sites()).map(({ name, urls }) => [name, urls])).toEqual([['b.test', 3]]);
      }));

    it('refuses with SITE_UNKNOWN to rename a site that is not there, and leaves the other one alone', () =>
      withStore(async (store) => {
        const site = await store.createSite(makeState('site.test'));
        await site.commit(seedCommit(site.state));
        await expect(store.replaceSite('nobody', 'site.test')).rejects.toSatisfy(isUnknown);
        await site.commit(treeCommit(site.state));
        expect((await store.openSite('site.test'))?.state.urls).toBe(3);
      }));

    it('drops a site with all its records, and one that is not there without a word', () =>
      withStore(async (store, under) => {
        const site = await store.createSite(makeState('site.test'));
        const other = await store.createSite(makeState('other.test'));
        for (const one of [site, other]) {
          await one.commit(seedCommit(one.state));
          void one.commit(treeCommit(one.state));
        }
        await store.dropSite('site.test');
        await store.dropSite('nobody');
        await expect(site.getUrl(1)).rejects.toSatisfy(isClosedError);
        expect(await store.openSite('site.test')).toBeUndefined();
        const again = await under.reopen();
        expect((await again.sites()).map(({ name, urls }) => [name, urls])).toEqual([['other.test', 3]]);
        expect((await contents(await again.createSite(makeState('site.test')))).urls).toEqual([]);
      }));

    it('refuses a commit that does not follow the last one, and stays as it was', () =>
      withSite(async (site) => {
        await site.commit(seedCommit(site.state));
        const next = treeCommit(site.state);
        const before = await contents(site);
        const wrong = [
          { ...next, urls: [makeUrl(3)] },
          { ...next, pages: [makePage(2)] },
          { ...next, site: { ...next.site, urls: 4 } },
          { ...next, site: { ...next.site, name: 'other.test' } },
          {
            ...next,
            pages: [
              makePage(1, {
                links: makeLinks([
                  [2, 1],
                  [2, 1],
                ]),
              }),
            ],
          },
          { ...next, pages: [makePage(1, { digest: new Uint8Array(31) })] },
        ];
        for (const commit of wrong) {
          await expect(site.commit(commit)).rejects.toSatisfy((error) => isOrbweaverError(error, 'INTERNAL'));
        }
        expect(await contents(site)).toEqual(before);
        await site.commit(next);
        expect(site.state.pages).toBe(1);
      }));

    it('does not keep what the caller changes after a commit', () =>
      withSite(async (site, under) => {
        const state = { ...site.state, urls: 1 };
        const written = site.commit({ ...seedCommit(site.state), site: state });
        state.urls = 99;
        await written;
        expect(site.state.urls).toBe(1);
        expect((await (await under.reopen()).openSite('site.test'))?.state.urls).toBe(1);
      }));

    it('flushes with and without waiting for the disk', () =>
      withSite(async (site) => {
        void site.commit(seedCommit(site.state));
        await site.flush();
        void site.commit(treeCommit(site.state));
        await site.flush({ sync: true });
        await site.flush({ sync: true });
        expect((await collect(site.urls())).length).toBe(3);
      }));

    it('writes what is waiting when it is closed', () =>
      withSite(async (site, under) => {
        void site.commit(seedCommit(site.state));
        for (let page = 0; page < 100; page++) void site.commit(treeCommit(site.state));
        await under.store.close();
        const again = (await (await under.reopen()).openSite('site.test')) as SiteStore;
        expect((await contents(again)).pages.length).toBe(100);
      }));

    it('closes once however often it is told to', () =>
      withStore(async (store) => {
        await Promise.all([store.close(), store.close()]);
        await store.close();
        await store[Symbol.asyncDispose]();
      }));

    it('throws STORE_CLOSED from every method after it was closed', () =>
      withSite(async (site, { store }) => {
        await site.commit(seedCommit(site.state));
        const walk = site.urls()[Symbol.asyncIterator]();
        await store.close();
        const calls: Record<string, () => unknown> = {
          findUrls: () => site.findUrls(['a']),
          findDigest: () => site.findDigest(makeDigest('a')),
          commit: () => site.commit(treeCommit(site.state)),
          flush: () => site.flush(),
          getUrl: () => site.getUrl(1),
          getFate: () => site.getFate(1),
          getPage: () => site.getPage(1),
          urls: () => collect(site.urls()),
          fates: () => collect(site.fates()),
          pages: () => collect(site.pages()),
          forgetFates: () => site.forgetFates([1], site.state),
          getRobots: () => site.getRobots('http://a'),
          putRobots: () =>
            site.putRobots({ origin: 'a', state: 'found', status: 200, text: '', detail: '', fetchedAt: 0 }),
          openSite: () => store.openSite('site.test'),
          createSite: () => store.createSite(makeState('b')),
          replaceSite: () => store.replaceSite('site.test', 'b'),
          dropSite: () => store.dropSite('site.test'),
          sites: () => store.sites(),
          'a walk begun before': () => walk.next(),
        };
        for (const [method, call] of Object.entries(calls)) {
          await expect((async () => call())(), method).rejects.toSatisfy((error) =>
            isOrbweaverError(error, 'STORE_CLOSED'),
          );
        }
      }));
  });
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function contents(site: SiteStore) {
  return {
    state: site.state,
    urls: await collect(site.urls()),
    fates: await collect(site.fates()),
    pages: await collect(site.pages()),
  };
}

function withoutKey({ key, ...record }: ReturnType<typeof makeUrl>) {
  expect(key).toBeTypeOf('string');
  return record;
}

type StoreWork = (store: CrawlStore, under: StoreUnderTest) => Promise<void>;
type SiteWork = (site: SiteStore, under: StoreUnderTest) => Promise<void>;

async function useStore(open: () => Promise<StoreUnderTest>, work: StoreWork): Promise<void> {
  const under = await open();
  try {
    await work(under.store, under);
  } finally {
    await under.remove();
  }
}

/** Of a site with 5,000 URLs. */
async function expectSlices(store: SiteStore): Promise<void> {
  for (const [from, limit] of [
    [1, 10],
    [2_500, 2_400],
    [4_990, 100],
    [5_000, 1],
    [5_001, 5],
    [1, 0],
    [3, 1],
  ] as const) {
    const numbers = (await collect(store.urls({ from, limit }))).map((url) => url.number);
    const expected = Array.from({ length: Math.max(0, Math.min(limit, 5_001 - from)) }, (_, index) => from + index);
    expect(numbers, `from ${from} limit ${limit}`).toEqual(expected);
  }
  expect((await collect(store.urls({ from: 4_000 }))).length).toBe(1_001);
}

/** Of a site of ten pages whose URLs 2 and 9 have lost their fates. */
async function expectForgotten(store: SiteStore): Promise<void> {
  expect((await collect(store.fates())).map(([number]) => number)).toEqual([1, 3, 4, 5, 6, 7, 8, 10]);
  expect(await store.getFate(2)).toBeUndefined();
  expect(store.state.committed).toBe(1);
}

/** Of a site that replaced another. */
async function expectEmpty(fresh: SiteStore): Promise<void> {
  expect(await contents(fresh)).toMatchObject({ urls: [], fates: [], pages: [] });
  expect(fresh.state.seed).toBe('http://site.test/new');
  expect(Array.from(await fresh.findUrls([keyOf(1)]))).toEqual([0]);
  expect(await fresh.findDigest(makeDigest('page 1'))).toBe(0);
  expect(await fresh.getRobots('http://site.test')).toBeUndefined();
}

const isClosedError = (error: unknown): boolean => isOrbweaverError(error, 'STORE_CLOSED');
const isUnknown = (error: unknown): boolean => isOrbweaverError(error, 'SITE_UNKNOWN');
