import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeSiteFiles } from '../../src/graph/export/index.ts';
import { openSiteGraph } from '../../src/graph/site-graph.ts';
import { buildSummary } from '../../src/graph/summary.ts';
import type { EndReason, Fate, PageRecord, UrlKind } from '../../src/store/records.ts';
import { explainUrl, type UrlExplanation } from '../../src/graph/why.ts';
import { formatExplanation } from '../../src/graph/why-text.ts';
import type { SiteStore } from '../../src/store/site-store.ts';
import { siteSpec, storeOf } from '../support/random-site.ts';
import { openTempStore } from '../support/temp-store.ts';
import { MemorySiteStore } from '../support/memory-site-store.ts';
import { makeFate, makeLinks, makePage, makeState, makeUrl } from '../support/store-records.ts';

/** The start page, with two links to one more URL. */
async function openSite(
  other: { readonly kind?: UrlKind; readonly fate?: Fate },
  options: { readonly endReason?: EndReason; readonly page?: Partial<PageRecord> } = {},
): Promise<MemorySiteStore> {
  const state = makeState('site.test', { endReason: options.endReason ?? 'done', graphOptions: { robots: 'obey' } });
  const store = new MemorySiteStore(state);
  const fates: [number, Fate][] = [[1, makeFate({ target: 1 })]];
  if (other.fate !== undefined) fates.push([2, other.fate]);
  await store.commit({
    urls: [
      makeUrl(1, { url: 'http://site.test/?a=1' }),
      makeUrl(2, { url: 'http://site.test/b"c', kind: other.kind ?? 'visit' }),
    ],
    fates,
    pages: [
      makePage(1, {
        links: makeLinks([[2, 2]]),
        url: 'http://site.test/?a=1',
        title: 'Home,\n "sweet"',
        digest: new Uint8Array(32).fill(0xab),
        ...options.page,
      }),
    ],
    site: { ...state, urls: 2, pages: 1, bytes: 1001, finishedAt: '2026-01-02T03:05:05.000Z' },
  });
  return store;
}

async function summaryOf(...args: Parameters<typeof openSite>) {
  const store = await openSite(...args);
  return buildSummary(store, await openSiteGraph(store), { version: '0.1.0' });
}

describe('the summary of a site', () => {
  it('has the binding keys, counts and options', async () => {
    const store = await openSite({ fate: makeFate({ type: 'broken', status: 404 }) });
    const summary = buildSummary(store, await openSiteGraph(store), {
      version: '0.1.0',
      requests: 3,
      options: { maxLevel: null },
    });
    expect(summary).toMatchObject({
      site: 'site.test',
      seed: 'http://site.test/',
      startPage: 'http://site.test/?a=1',
      endReason: 'done',
      complete: true,
      pages: 1,
      arcs: 0,
      links: 2,
      selfLinks: 0,
      externalLinks: 0,
      externalUrls: 0,
      duplicates: 0,
      redirects: 0,
      broken: 1,
      robotsDenied: 0,
      urls: 2,
      levels: [1],
      bytes: 1001,
      requests: 3,
      options: { maxLevel: null },
      version: '0.1.0',
      startedAt: '2026-01-02T03:04:05.000Z',
      finishedAt: '2026-01-02T03:05:05.000Z',
    });
  });

  it('counts a redirect as a redirect even where its links count as what it leads to', async () => {
    const summary = await summaryOf({ fate: makeFate({ type: 'redirect', status: 301, target: 1 }) });
    expect(summary).toMatchObject({ redirects: 1, selfLinks: 2, complete: true });
  });

  it('is complete unless a limit of ours left something out', async () => {
    for (const type of [
      'broken',
      'unreachable',
      'timeout',
      'robots',
      'not-html',
      'address',
      'scope',
      'filter',
    ] as const) {
      expect([type, (await summaryOf({ fate: makeFate({ type }) })).complete]).toEqual([type, true]);
    }
    const duplicate = makeFate({ type: 'duplicate', target: 1, detail: '3' });
    expect(await summaryOf({ fate: duplicate })).toMatchObject({ complete: true, duplicateLinksLost: 3 });
    for (const kind of ['external', 'scheme', 'invalid', 'scope', 'filter'] as const) {
      expect([kind, (await summaryOf({ kind })).complete]).toEqual([kind, true]);
    }
    const broken = { fate: makeFate({ type: 'broken', status: 404 }) };
    const cut: Parameters<typeof openSite>[] = [
      [{}],
      [{ kind: 'trap' }],
      [{ kind: 'too-long' }],
      [{ fate: makeFate({ type: 'size' }) }],
      [broken, { page: { linksCut: 1 } }],
      [broken, { endReason: 'level' }],
      [broken, { endReason: 'pages' }],
      [broken, { endReason: 'signal' }],
    ];
    for (const args of cut) expect([args, (await summaryOf(...args)).complete]).toEqual([args, false]);
  });
});

describe('the result files of a site', () => {
  it('are the same from the store on disk as from the one in memory, byte for byte', async () => {
    const temporary = await openTempStore();
    const folder = await mkdtemp(join(tmpdir(), 'orbweaver-results-'));
    const filesOf = async (store: SiteStore): Promise<Record<string, string>> => {
      const graph = await openSiteGraph(store);
      const summary = buildSummary(store, graph, { version: '1' });
      const paths = await writeSiteFiles(graph, summary, { folder, formats: ['gephi-csv', 'gexf', 'graphml'] });
      const texts = await Promise.all(paths.map(async (path) => [basename(path), await readFile(path, 'utf8')]));
      return Object.fromEntries(texts) as Record<string, string>;
    };
    try {
      await fc.assert(
        fc.asyncProperty(siteSpec, async (spec) => {
          const onDisk = await storeOf(spec, (state) => temporary.store.createSite(state));
          expect(await filesOf(onDisk)).toEqual(await filesOf(await storeOf(spec)));
          for (const index of [0, spec.urls.length - 1]) {
            const [one, other] = await Promise.all(
              [onDisk, await storeOf(spec)].map((store) => explainUrl(store, `key ${index}`)),
            );
            expect(one?.outcome).toBeDefined();
            expect(formatExplanation(one as UrlExplanation)).toEqual(formatExplanation(other as UrlExplanation));
          }
        }),
        { numRuns: 40 },
      );
    } finally {
      await temporary.remove();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('are exactly these', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'orbweaver-results-'));
    try {
      const store = await openSite({ fate: makeFate({ type: 'broken', status: 404 }) });
      const graph = await openSiteGraph(store);
      const summary = buildSummary(store, graph, { version: '0.1.0' });
      const paths = await writeSiteFiles(graph, summary, { folder });
      const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
      expect(Object.fromEntries(paths.map((path, index) => [basename(path), texts[index]]))).toEqual({
        'site.test.nodes.csv':
          'Id,Label,Url,Level,InDegree,OutDegree,SelfLinks,ExternalLinks,Title,Bytes,Digest\n' +
          `1,/?a=1,http://site.test/?a=1,0,0,0,0,0,"Home, ""sweet""",1001,${'ab'.repeat(32)}\n`,
        'site.test.edges.csv': 'Source,Target,Type,Weight\n',
        'site.test.links.csv': 'Source,Url,Reason,Status,Target,Count\n1,"http://site.test/b""c",broken,404,,2\n',
        'site.test.summary.json': `${JSON.stringify(summary, undefined, 2)}\n`,
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
