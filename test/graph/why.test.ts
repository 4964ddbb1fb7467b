import { describe, expect, it } from 'vitest';
import { explainUrl } from '../../src/graph/why.ts';
import { formatExplanation } from '../../src/graph/why-text.ts';
import type { Fate, UrlRecord } from '../../src/store/records.ts';
import { MemorySiteStore } from '../support/memory-site-store.ts';
import { makeFate, makePage, makeState } from '../support/store-records.ts';

type Row = readonly [path: string, from: string, fields: Partial<UrlRecord>, fate: Fate | undefined];

const LINK = 'link' as const;
const REDIRECT = 'redirect' as const;

/** Page 1 `/` links to all but two: /c is found by page 2 (/a), and /moved by a redirect. */
const ROWS: readonly Row[] = [
  ['/', '', { origin: 'seed', level: 0, from: 0 }, makeFate({ target: 1 })],
  ['/a', '/', { origin: LINK, level: 1, from: 1 }, makeFate({ target: 2 })],
  ['/old', '/', { origin: LINK, level: 1, from: 1 }, makeFate({ type: 'redirect', status: 301, target: 8 })],
  ['/copy', '/', { origin: LINK, level: 1, from: 1 }, makeFate({ type: 'duplicate', target: 2, detail: '7' })],
  ['/x', '/', { origin: LINK, level: 1, from: 1, kind: 'filter', rule: '--exclude /x' }, undefined],
  ['/no', '/', { origin: LINK, level: 1, from: 1 }, makeFate({ type: 'robots', status: 0, detail: 'Disallow: /no' })],
  ['/r1', '/', { origin: LINK, level: 1, from: 1 }, makeFate({ type: 'redirect', status: 302, target: 9 })],
  ['/moved', '/old', { origin: REDIRECT, level: 1, from: 3 }, makeFate({ target: 3 })],
  ['/r2', '/r1', { origin: REDIRECT, level: 1, from: 7 }, makeFate({ type: 'redirect', status: 302, target: 7 })],
  ['/c', '/a', { origin: LINK, level: 2, from: 2 }, undefined],
];

async function openSite(): Promise<MemorySiteStore> {
  const state = makeState('site.test', { endReason: 'level' });
  const store = new MemorySiteStore(state);
  const urls = ROWS.map(([path, , fields], index) => ({
    number: index + 1,
    url: `http://site.test${path}`,
    key: `//site.test${path}`,
    kind: 'visit' as const,
    level: 0,
    origin: LINK,
    from: 0,
    rule: '',
    ...fields,
  }));
  const pages = [
    makePage(1, { urlNumber: 1, url: 'http://site.test/', level: 0, title: 'Start' }),
    makePage(2, { urlNumber: 2, url: 'http://site.test/a', level: 1, title: 'A \u001b[31mred\u009b title' }),
    makePage(3, { urlNumber: 8, url: 'http://site.test/moved', level: 1, title: '' }),
  ];
  const fates = ROWS.flatMap(([, , , fate], index) => (fate ? [[index + 1, fate] as const] : []));
  await store.commit({ urls, fates, pages, site: { ...state, urls: urls.length, pages: pages.length } });
  return store;
}

const explain = async (path: string, maxLevel?: number) =>
  explainUrl(await openSite(), `//site.test${path}`, { maxLevel });

const print = async (path: string) => {
  const explanation = await explain(path);
  return explanation === undefined ? undefined : formatExplanation(explanation);
};

describe('why a URL is in the graph or not', () => {
  it('is unknown of a URL that nothing named', async () => {
    expect(await explain('/nowhere')).toBeUndefined();
  });

  it('is told of a page with its id, level and the way to it', async () => {
    expect(await explain('/a')).toMatchObject({
      outcome: 'page',
      page: { id: 2, level: 1, url: 'http://site.test/a' },
      redirects: [],
      discovery: [
        { url: 'http://site.test/', origin: 'seed', pageId: 1 },
        { url: 'http://site.test/a', origin: 'link', pageId: 2 },
      ],
    });
  });

  it('is told of a redirect with every step to its end', async () => {
    expect(await print('/old')).toEqual([
      'http://site.test/old',
      '  outcome: redirect · a redirect · status 301',
      '  leads to http://site.test/moved: page · a page (node) of the graph · status 200',
      '  page 3, level 1: http://site.test/moved',
      '  first seen at level 1, by this way:',
      '    1. start http://site.test/ (page 1)',
      '    2. links to http://site.test/old',
    ]);
  });

  it('is told of a page that was found by a redirect', async () => {
    expect((await explain('/moved'))?.discovery.map(({ origin, url }) => `${origin} ${url}`)).toEqual([
      'seed http://site.test/',
      'link http://site.test/old',
      'redirect http://site.test/moved',
    ]);
  });

  it('is told of redirects in a loop, which end nowhere', async () => {
    const explanation = await explain('/r1');
    expect(explanation).toMatchObject({ isLoop: true, page: undefined });
    expect(explanation?.redirects.map(({ url }) => url)).toEqual(['http://site.test/r2', 'http://site.test/r1']);
    expect(await print('/r1')).toContain('  the redirects go round in a loop: a broken link');
  });

  it('is told of a duplicate with the page that stands for it and the links that were lost', async () => {
    expect(await explain('/copy')).toMatchObject({ outcome: 'duplicate', page: { id: 2 }, duplicateLinksLost: 7 });
    expect(await print('/copy')).toContain('  links of its own that lead elsewhere, not followed: 7');
  });

  it('names the rule of a filter and of robots.txt', async () => {
    expect(await explain('/x')).toMatchObject({ outcome: 'filter', detail: '--exclude /x' });
    expect(await explain('/no')).toMatchObject({ outcome: 'robots', detail: 'Disallow: /no' });
  });

  it('tells the level limit from a crawl that ended before', async () => {
    expect(await explain('/c')).toMatchObject({ outcome: 'level', detail: 'level 2', firstSeenLevel: 2 });
    expect(await explain('/c', 2)).toMatchObject({ outcome: 'limit', page: undefined });
    expect((await explain('/c'))?.discovery.map(({ pageId }) => pageId)).toEqual([1, 2, 0]);
  });

  it('prints no control characters of the web to a terminal', async () => {
    const lines = await print('/a');
    expect(lines?.join('\n')).not.toMatch(/[^\P{Cc}\n]/u);
    expect(lines).toContain('  title: A \ufffd[31mred\ufffd title');
  });
});
