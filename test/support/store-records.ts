import { createHash } from 'node:crypto';
import type { Fate, PageLinks, PageRecord, SiteState, UrlRecord } from '../../src/store/records.ts';
import type { Commit } from '../../src/store/site-store.ts';

/** Records for tests of stores, made from a few numbers. */

export function makeState(name: string, fields: Partial<SiteState> = {}): SiteState {
  return {
    name,
    seed: `http://${name}/`,
    graphOptions: { robots: 'obey', normalize: ['fragment'], sameScheme: false },
    urls: 0,
    pages: 0,
    committed: 0,
    traps: 0,
    queued: 0,
    failures: 0,
    endReason: 'running',
    bytes: 0,
    startedAt: '2026-01-02T03:04:05.000Z',
    finishedAt: '',
    elapsedMs: 0,
    ...fields,
  };
}

/** The key of the URL with this number; the URL itself is the key behind a host. */
export function keyOf(number: number): string {
  return `//site.test/directory-${number % 7}/page-${number}.html`;
}

export function makeUrl(number: number, fields: Partial<UrlRecord> = {}): UrlRecord & { readonly key: string } {
  return {
    number,
    url: `http:${keyOf(number)}`,
    kind: 'visit',
    level: Math.floor(Math.log2(number)),
    origin: number === 1 ? 'seed' : 'link',
    from: Math.floor(number / 2),
    rule: '',
    key: keyOf(number),
    ...fields,
  };
}

export function makeDigest(text: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(text).digest());
}

export function makeLinks(entries: readonly (readonly [number: number, count: number])[]): PageLinks {
  return {
    numbers: Uint32Array.from(entries, ([number]) => number),
    counts: Uint32Array.from(entries, ([, count]) => count),
  };
}

export function makePage(id: number, fields: Partial<PageRecord> = {}): PageRecord {
  return {
    id,
    urlNumber: id,
    url: `http:${keyOf(id)}`,
    level: Math.floor(Math.log2(id)),
    title: `Page ${id}`,
    bytes: 1000 + id,
    digest: makeDigest(`page ${id}`),
    linksCut: 0,
    flags: 0,
    links: makeLinks([]),
    ...fields,
  };
}

export function makeFate(fields: Partial<Fate> = {}): Fate {
  return { type: 'page', status: 200, target: 0, detail: '', ...fields };
}

/** The first commit of a site: its seed. */
export function seedCommit(state: SiteState): Commit {
  return { urls: [makeUrl(1)], fates: [], pages: [], site: { ...state, urls: 1, queued: 1 } };
}

/**
 * The commit of page n of an endless site where page n links to 2n, 2n + 1 and back to its parent: URL n gets its fate, and the
 * two new URLs their numbers. `state` is that before it.
 */
export function treeCommit(state: SiteState): Commit {
  const id = state.pages + 1;
  const children = [state.urls + 1, state.urls + 2];
  const parent = Math.floor(id / 2);
  const links = makeLinks([
    ...(parent > 0 ? [[parent, 2] as const] : []),
    ...children.map((child) => [child, 1] as const),
  ]);
  return {
    urls: children.map((number) => makeUrl(number)),
    fates: [[id, makeFate({ target: id })]],
    pages: [makePage(id, { links })],
    site: {
      ...state,
      urls: state.urls + 2,
      queued: state.queued + 1,
      pages: id,
      committed: id,
      bytes: state.bytes + 1000 + id,
    },
  };
}
