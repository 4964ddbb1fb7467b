import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LINK_REASONS, type LinkReason } from '../../src/graph/link-reason.ts';
import { openSiteGraph, type Notice } from '../../src/graph/site-graph.ts';
import { buildSummary } from '../../src/graph/summary.ts';
import type { Fate } from '../../src/store/records.ts';
import { collect } from '../support/collect.ts';
import { MemorySiteStore } from '../support/memory-site-store.ts';
import {
  modelOf,
  siteSpec,
  storeOf,
  urlText,
  type Model,
  type SiteSpec,
  type UrlSpec,
} from '../support/random-site.ts';
import { makeFate, makeLinks, makePage, makeState, makeUrl } from '../support/store-records.ts';

describe('the graph of a stored site', () => {
  it('has the nodes, degrees, arcs and notices that a plain walk over the same records finds', async () => {
    await fc.assert(
      fc.asyncProperty(siteSpec, async (spec) => {
        const graph = await openSiteGraph(await storeOf(spec), { maxLevel: spec.maxLevel });
        const expected = expectedGraph(spec);
        const arcs = (await collect(graph.arcsBySource())).flatMap(({ source, targets, weights }) =>
          Array.from(targets, (target, index) => [source, target, weights[index]]),
        );
        expect(arcs).toEqual(expected.arcs);
        expect(graph.arcs).toBe(expected.arcs.length);
        expect(await collect(graph.notices())).toEqual(expected.notices);
        const nodes = await collect(graph.nodes());
        expect(nodes.map(({ id }) => id)).toEqual(Array.from({ length: graph.pages }, (_, index) => index + 1));
        for (const node of nodes) {
          const own = (part: number) => expected.arcs.filter((arc) => arc[part] === node.id).length;
          expect([node.outDegree, node.inDegree]).toEqual([own(0), own(1)]);
          expect(node.selfLinks).toBe(expected.selfLinks.get(node.id) ?? 0);
          expect(node.externalLinks).toBe(expected.externalLinks.get(node.id) ?? 0);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('counts every URL once, as a page or by one reason, and every occurrence of a link once', async () => {
    await fc.assert(
      fc.asyncProperty(siteSpec, async (spec) => {
        const store = await storeOf(spec);
        const graph = await openSiteGraph(store, { maxLevel: spec.maxLevel });
        const summary = buildSummary(store, graph, { version: '1' });
        const reasons = Object.values(summary.reasons).reduce((sum, count) => sum + count, 0);
        expect(summary.pages + reasons).toBe(spec.urls.length);
        expect(Object.keys(summary.reasons)).toEqual([...LINK_REASONS]);
        expect(summary.levels.reduce((sum, count) => sum + count, 0)).toBe(summary.pages);
        const notices = await collect(graph.notices());
        const weights = (await collect(graph.arcsBySource())).flatMap((arcs) => [...arcs.weights]);
        const dead = notices.filter(({ target }) => target === 0).map(({ count }) => count);
        const sum = [...weights, ...dead].reduce((total, count) => total + count, 0);
        expect(sum + summary.selfLinks).toBe(summary.links);
      }),
      { numRuns: 200 },
    );
  });

  it('keeps a link through a redirect as an arc and as a redirect row with the page it came to', async () => {
    const { graph } = await siteOf(
      [page(1), redirect(3), redirect(4), page(2)],
      [
        [2, 2],
        [4, 1],
      ],
    );
    expect((await collect(graph.arcsBySource()))[0]).toEqual({
      source: 1,
      targets: Uint32Array.of(2),
      weights: Uint32Array.of(3),
    });
    expect(await rowsOf(graph.notices())).toEqual(['0 3 redirect 302 2 0', '1 2 redirect 301 2 2']);
  });

  it('gives a redirect the reason and status of its end when that is no page', async () => {
    const { graph } = await siteOf(
      [page(1), redirect(3), makeFate({ type: 'broken', status: 404 }), redirect(5), undefined],
      [
        [2, 1],
        [3, 1],
        [4, 1],
        [5, 2],
      ],
      { 5: 'external' },
    );
    expect(await rowsOf(graph.notices())).toEqual([
      '1 2 broken 404 0 1',
      '1 3 broken 404 0 1',
      '1 4 external 303 0 1',
      '1 5 external 0 0 2',
    ]);
    expect((await collect(graph.nodes()))[0]).toMatchObject({ externalLinks: 3, selfLinks: 0, outDegree: 0 });
  });

  it('takes redirects in a loop, and what leads into it, for broken links', async () => {
    const { graph } = await siteOf(
      [page(1), redirect(3), redirect(4), redirect(3)],
      [
        [2, 1],
        [3, 1],
        [4, 1],
      ],
    );
    expect(await rowsOf(graph.notices())).toEqual(['1 2 broken 301 0 1', '1 3 broken 302 0 1', '1 4 broken 303 0 1']);
  });

  it('counts a link to a duplicate or a redirect of the page itself as a self-link', async () => {
    const { graph } = await siteOf(
      [page(1), redirect(1), makeFate({ type: 'duplicate', target: 1, detail: '4' })],
      [
        [1, 1],
        [2, 2],
        [3, 4],
      ],
    );
    expect(graph.arcs).toBe(0);
    expect(graph.totals.selfLinks).toBe(7);
    expect(await rowsOf(graph.notices())).toEqual(['1 2 redirect 301 1 2', '1 3 duplicate 200 1 4']);
    expect(graph.resolution.duplicateLinksLost).toBe(4);
  });

  it('lists a start page that cannot be fetched, without a source', async () => {
    const { graph, store } = await siteOf([makeFate({ type: 'robots', status: 0 })], [], {}, 'start-denied');
    expect(await rowsOf(graph.notices())).toEqual(['0 1 robots 0 0 0']);
    expect(buildSummary(store, graph, { version: '1' })).toMatchObject({
      pages: 0,
      robotsDenied: 1,
      startPage: '',
      complete: false,
      levels: [],
    });
  });

  it('tells URLs left behind by the level limit from those left behind by another', async () => {
    const spec = [page(1), undefined, undefined];
    const links: [number, number][] = [
      [2, 1],
      [3, 1],
    ];
    const bySelf = await siteOf(spec, links, {}, 'level');
    expect(await rowsOf(bySelf.graph.notices())).toEqual(['1 2 level 0 0 1', '1 3 level 0 0 1']);
    const byPages = await siteOf(spec, links, {}, 'pages');
    expect(await rowsOf(byPages.graph.notices())).toEqual(['1 2 limit 0 0 1', '1 3 limit 0 0 1']);
    const both = await openSiteGraph(byPages.store, { maxLevel: 0 });
    expect(await rowsOf(both.notices())).toEqual(['1 2 level 0 0 1', '1 3 level 0 0 1']);
  });

  it('says that a store is corrupt whose records name what is not there', async () => {
    for (const fate of [makeFate({ target: 9 }), redirect(9), makeFate({ type: 'duplicate', target: 0 })]) {
      await expect(siteOf([page(1), fate], [])).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
    }
  });

  it('finds the texts of URLs that are linked again long after they fell out of the cache', async () => {
    const count = 3_000;
    const long = 'x'.repeat(8_000);
    const state = makeState('site.test', { endReason: 'done' });
    const store = new MemorySiteStore(state);
    const urls = [makeUrl(1)];
    for (let number = 2; number <= count; number++) {
      urls.push(makeUrl(number, { kind: 'external', url: `http://other.test/${number}${long}` }));
    }
    const all = makeLinks(urls.map(({ number }) => [number, 1]));
    const pages = [makePage(1, { links: all }), makePage(2, { links: all })];
    await store.commit({ urls, fates: [[1, page(1)]], pages, site: { ...state, urls: count, pages: 2 } });
    const graph = await openSiteGraph(store);
    const seen: string[] = [];
    for await (const { url } of graph.notices()) seen.push(url.slice(18, 25));
    const once = urls.slice(1).map(({ url }) => url.slice(18, 25));
    expect(seen).toEqual([...once, ...once]);
  });
});

/** What the graph must be, by maps and recursion. */
function expectedGraph(spec: SiteSpec) {
  const model = modelOf(spec);
  const arcs: number[][] = [];
  const selfLinks = new Map<number, number>();
  const externalLinks = new Map<number, number>();
  const notices: Notice[] = [];
  const linked = new Set<number>();
  for (const [from, id] of model.ids.entries()) {
    if (id === 0) continue;
    const out = new Map<number, number>();
    const links = [...(model.links[from] as ReadonlyMap<number, number>)].toSorted(([a], [b]) => a - b);
    for (const [to, count] of links) {
      linked.add(to);
      const { reason, status, target } = endOf(spec, model, to);
      if (target === id) selfLinks.set(id, (selfLinks.get(id) ?? 0) + count);
      else if (target !== 0) out.set(target, (out.get(target) ?? 0) + count);
      if (reason === 'external') externalLinks.set(id, (externalLinks.get(id) ?? 0) + count);
      if (reason !== undefined) notices.push({ source: id, url: urlText(spec, to), reason, status, target, count });
    }
    for (const [target, weight] of [...out].toSorted(([a], [b]) => a - b)) arcs.push([id, target, weight]);
  }
  const orphans = spec.urls.flatMap((url, index): Notice[] => {
    const { reason, status, target } = endOf(spec, model, index);
    if (url.kind !== 'visit' || reason === undefined || linked.has(index)) return [];
    return [{ source: 0, url: urlText(spec, index), reason, status, target, count: 0 }];
  });
  return { arcs, selfLinks, externalLinks, notices: [...orphans, ...notices] };
}

function endOf(
  spec: SiteSpec,
  model: Model,
  index: number,
  seen: readonly number[] = [],
): { reason: LinkReason | undefined; status: number; target: number; isLoop?: boolean } {
  const url = spec.urls[index] as UrlSpec;
  const fate = model.fates[index];
  if (fate === undefined) {
    if (url.kind === 'visit') return { reason: url.level > spec.maxLevel ? 'level' : 'limit', status: 0, target: 0 };
    return { reason: url.kind === 'invalid' ? 'scheme' : url.kind, status: 0, target: 0 };
  }
  const { type, status, target } = fate;
  if (type === 'page') return { reason: undefined, status, target };
  if (type !== 'redirect') return { reason: type, status, target };
  if (seen.includes(index)) return { reason: 'broken', status: 0, target: 0, isLoop: true };
  const end = endOf(spec, model, target - 1, [...seen, index]);
  if (end.target !== 0) return { reason: 'redirect', status, target: end.target };
  if (end.isLoop === true) return { ...end, status };
  return { reason: end.reason, status: end.status || status, target: 0 };
}

function page(id: number): Fate {
  return makeFate({ target: id });
}

/** The status tells which URL it is of: 301 leads on from URL 2, 302 from URL 3 … (set in siteOf). */
function redirect(to: number): Fate {
  return makeFate({ type: 'redirect', target: to, status: -1 });
}

/** A site of URLs with these fates; page 1 has the given links, other pages none. */
async function siteOf(
  fates: readonly (Fate | undefined)[],
  links: readonly [number, number][],
  kinds: Readonly<Record<number, 'external'>> = {},
  endReason: 'done' | 'level' | 'pages' | 'start-denied' = 'done',
) {
  const state = makeState('site.test', { endReason });
  const store = new MemorySiteStore(state);
  const urls = fates.map((_, index) =>
    makeUrl(index + 1, { url: `http://site.test/${index + 1}`, kind: kinds[index + 1] ?? 'visit' }),
  );
  const stored = fates.flatMap((fate, index) =>
    fate === undefined
      ? []
      : [[index + 1, fate.status === -1 ? { ...fate, status: 300 + index } : fate] as [number, Fate]],
  );
  const count = fates.filter((fate) => fate?.type === 'page' && fate.target < 9).length;
  const pages = Array.from({ length: count }, (_, index) =>
    makePage(index + 1, { links: makeLinks(index === 0 ? links : []) }),
  );
  await store.commit({ urls, fates: stored, pages, site: { ...state, urls: urls.length, pages: pages.length } });
  return { store, graph: await openSiteGraph(store) };
}

async function rowsOf(notices: AsyncIterable<Notice>): Promise<string[]> {
  const rows = await collect(notices);
  return rows.map((row) =>
    [row.source, row.url.split('/').at(-1), row.reason, row.status, row.target, row.count].join(' '),
  );
}
