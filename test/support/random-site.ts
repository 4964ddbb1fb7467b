import * as fc from 'fast-check';
import type { Fate, FateType, SiteState, UrlKind } from '../../src/store/records.ts';
import type { SiteStore } from '../../src/store/site-store.ts';
import { MemorySiteStore } from './memory-site-store.ts';
import { makeDigest, makeState } from './store-records.ts';

/** A site as a plain list: what each URL is, and the links of those that are pages. */
export interface SiteSpec {
  readonly urls: readonly UrlSpec[];
  /** URLs deeper than this were not fetched. */
  readonly maxLevel: number;
}

export interface UrlSpec {
  readonly text: string;
  readonly title: string;
  readonly level: number;
  readonly kind: UrlKind;
  /** undefined: a `visit` URL that was never fetched. `redirect` leads to `target`, `duplicate` is one of the pages. */
  readonly fate: FateType | undefined;
  readonly status: number;
  /** Index of any URL, taken modulo what is there. */
  readonly target: number;
  /** [index of a URL, how often]. */
  readonly links: readonly (readonly [number, number])[];
}

// prettier-ignore
const NASTY = [
  '"', '""', ',', ';', '\n', '\r\n', '\t', '&', '<', '>', ']]>', "'", '=1+1', '\u0000', '\u001f', '\u007f', ' ',
  '\u0085', '\u2028', '\ufffe', '\uffff', '\ud800', '\udc00', '\u{1f577}', '\u{10ffff}', 'ä', '漢', '&amp;',
];

/** Text with whatever a page may put into a title or an address. */
export const nastyText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(fc.constantFrom(...NASTY), fc.string({ maxLength: 3 }), fc.string({ unit: 'binary', maxLength: 3 })),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(''));

const FATE_STATUS: Readonly<Record<FateType, readonly number[]>> = {
  page: [200],
  duplicate: [200],
  redirect: [301, 302, 307],
  broken: [404, 500, 301],
  unreachable: [0],
  timeout: [0],
  robots: [0],
  'not-html': [200],
  size: [200, 0],
  address: [0],
  trap: [0],
  filter: [0],
  scope: [0],
};

const fateType = fc.oneof(
  { weight: 6, arbitrary: fc.constant<FateType>('page') },
  { weight: 3, arbitrary: fc.constant<FateType>('redirect') },
  { weight: 2, arbitrary: fc.constant<FateType>('duplicate') },
  { weight: 2, arbitrary: fc.constantFrom(...(Object.keys(FATE_STATUS) as FateType[])) },
);

const kind = fc.oneof(
  { weight: 6, arbitrary: fc.constant<UrlKind>('visit') },
  {
    weight: 1,
    arbitrary: fc.constantFrom<UrlKind>('external', 'scheme', 'invalid', 'scope', 'filter', 'too-long', 'trap'),
  },
);

const urlSpec: fc.Arbitrary<UrlSpec> = fc
  .record({
    text: nastyText,
    title: nastyText,
    level: fc.nat({ max: 4 }),
    kind,
    fate: fc.option(fateType, { nil: undefined, freq: 8 }),
    status: fc.nat(),
    target: fc.nat({ max: 60 }),
    links: fc.array(fc.tuple(fc.nat({ max: 60 }), fc.integer({ min: 1, max: 5 })), { maxLength: 15 }),
  })
  .map((spec) => {
    const statuses = spec.fate === undefined ? [0] : FATE_STATUS[spec.fate];
    return { ...spec, status: statuses[spec.status % statuses.length] as number };
  });

export const siteSpec: fc.Arbitrary<SiteSpec> = fc.record({
  urls: fc.array(urlSpec, { minLength: 1, maxLength: 40 }),
  maxLevel: fc.constantFrom(0, 2, Infinity),
});

/** What a site is, worked out the plain way from its list. */
export interface Model {
  /** Ids by URL index, 0 for no page. */
  readonly ids: readonly number[];
  readonly fates: readonly (Fate | undefined)[];
  /** Distinct links by URL index: for each, index → count. */
  readonly links: readonly ReadonlyMap<number, number>[];
  readonly pages: number;
}

export function modelOf({ urls }: SiteSpec): Model {
  const ids: number[] = [];
  let pages = 0;
  for (const { kind: urlKind, fate } of urls) ids.push(urlKind === 'visit' && fate === 'page' ? ++pages : 0);
  const fates = urls.map((url, index): Fate | undefined => {
    if (url.kind !== 'visit' || url.fate === undefined) return undefined;
    let type = url.fate;
    let target = 0;
    if (type === 'page') target = ids[index] as number;
    if (type === 'redirect') target = (url.target % urls.length) + 1;
    if (type === 'duplicate') {
      if (pages === 0) type = 'broken';
      else target = (url.target % pages) + 1;
    }
    return { type, status: url.status, target, detail: type === 'duplicate' ? String(url.target % 3) : '' };
  });
  const links = urls.map((url) => {
    const counts = new Map<number, number>();
    for (const [index, count] of url.links) {
      const to = index % urls.length;
      counts.set(to, (counts.get(to) ?? 0) + count);
    }
    return counts;
  });
  return { ids, fates, links, pages };
}

/** URL text of the store: absolute, and different for each. */
export function urlText(spec: SiteSpec, index: number): string {
  return `http://site.test/${index}${(spec.urls[index] as UrlSpec).text}`;
}

/** The spec as a stored site. The key of URL i is `key i`. */
export async function storeOf(
  spec: SiteSpec,
  create: (state: SiteState) => SiteStore | Promise<SiteStore> = (state) => new MemorySiteStore(state),
): Promise<SiteStore> {
  const model = modelOf(spec);
  const state = makeState('site.test', { endReason: 'done', graphOptions: {} });
  const store = await create(state);
  const urls = spec.urls.map((url, index) => ({
    number: index + 1,
    url: urlText(spec, index),
    key: `key ${index}`,
    kind: url.kind,
    level: url.level,
    origin: index === 0 ? ('seed' as const) : ('link' as const),
    from: 0,
    rule: '',
  }));
  const pages = spec.urls.flatMap((url, index) => {
    const id = model.ids[index] as number;
    if (id === 0) return [];
    const links = [...(model.links[index] as ReadonlyMap<number, number>)].toSorted(([a], [b]) => a - b);
    const page = {
      id,
      urlNumber: index + 1,
      url: urlText(spec, index),
      level: url.level,
      title: url.title,
      bytes: 2 ** 33 + index,
      digest: makeDigest(String(index)),
      linksCut: 0,
      flags: 0,
      links: {
        numbers: Uint32Array.from(links, ([to]) => to + 1),
        counts: Uint32Array.from(links, ([, count]) => count),
      },
    };
    return [page];
  });
  const fates = model.fates.flatMap((fate, index) => (fate === undefined ? [] : [[index + 1, fate] as const]));
  await store.commit({ urls, fates, pages, site: { ...state, urls: urls.length, pages: pages.length } });
  return store;
}
