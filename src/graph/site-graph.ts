import type { PageRecord } from '../store/records.ts';
import type { SiteStore } from '../store/site-store.ts';
import { ArcFolder } from './arc-folder.ts';
import type { GraphNode, GraphSource, SourceArcs } from './graph-source.ts';
import { LinkBuffer, type PageNotices } from './link-buffer.ts';
import type { LinkReason } from './link-reason.ts';
import { LinkResolution } from './link-resolution.ts';
import type { GraphLimits } from './unvisited.ts';
import { UrlTexts } from './url-texts.ts';

/** A link that did not become a plain arc: a row of links.csv. */
export interface Notice {
  /** Page id; 0 for a visited URL that no page links to (the seed, a redirect's target). */
  readonly source: number;
  readonly url: string;
  readonly reason: LinkReason;
  /** HTTP status, 0 for none. */
  readonly status: number;
  /** Page the link was folded into by a redirect or as a duplicate, 0 for none. */
  readonly target: number;
  /** `<a>` occurrences; 0 without a source. */
  readonly count: number;
}

export interface GraphTotals {
  /** `<a>` occurrences on all pages, whatever they lead to. */
  readonly links: number;
  readonly selfLinks: number;
  readonly externalLinks: number;
  /** `<a>` occurrences beyond the limit per page, not kept. */
  readonly linksCut: number;
  /** Pages by level, from 0. */
  readonly levels: readonly number[];
}

/** The web graph of a stored site, with the links that are no arcs. */
export interface SiteGraph extends GraphSource {
  readonly resolution: LinkResolution;
  readonly totals: GraphTotals;
  /** URL of page 1, empty without pages. */
  readonly startPage: string;
  /** Rows of links.csv: those without a source first, then by source, then by URL number. */
  notices(): AsyncIterable<Notice>;
}

/**
 * Opens the graph of a site whose crawl is at rest (the store must not change while the graph is in use).
 * Passes: URLs, fates, pages with links; then one over the pages for each iterable that is read, and one over the URLs for `notices`.
 * Memory: 7 bytes and a bit for each URL, 16 bytes for each page, and 8 more a page while arcs are read; nothing per arc.
 * @throws OrbweaverError STORE_CORRUPT when a record names a URL or page that does not exist.
 */
export async function openSiteGraph(store: SiteStore, limits: GraphLimits = {}): Promise<SiteGraph> {
  const resolution = await LinkResolution.read(store, limits);
  const graph = new StoredSiteGraph(store, resolution);
  await graph.count();
  return graph;
}

class StoredSiteGraph implements SiteGraph {
  readonly name: string;
  readonly pages: number;
  readonly resolution: LinkResolution;
  arcs = 0;
  startPage = '';
  totals: GraphTotals = { links: 0, selfLinks: 0, externalLinks: 0, linksCut: 0, levels: [] };
  readonly #store: SiteStore;
  readonly #buffer = new LinkBuffer();
  readonly #inDegrees: Uint32Array;
  readonly #outDegrees: Uint32Array;
  readonly #selfLinks: Uint32Array;
  readonly #externalLinks: Uint32Array;
  /** One bit a URL: some page links to it. */
  readonly #linked: Uint8Array;

  constructor(store: SiteStore, resolution: LinkResolution) {
    this.#store = store;
    this.resolution = resolution;
    this.name = store.state.name;
    this.pages = store.state.pages;
    this.#inDegrees = new Uint32Array(this.pages + 1);
    this.#outDegrees = new Uint32Array(this.pages + 1);
    this.#selfLinks = new Uint32Array(this.pages + 1);
    this.#externalLinks = new Uint32Array(this.pages + 1);
    this.#linked = new Uint8Array((resolution.urls >> 3) + 1);
  }

  async count(): Promise<void> {
    const { resolution } = this;
    const folder = new ArcFolder(resolution, this.pages);
    const levels: number[] = [];
    const totals = { links: 0, selfLinks: 0, externalLinks: 0, linksCut: 0 };
    for await (const page of this.#store.pages()) {
      const { numbers, counts } = page.links;
      if (page.id === 1) this.startPage = page.url;
      let self = 0;
      let external = 0;
      for (let index = 0; index < numbers.length; index++) {
        const number = numbers[index] as number;
        const count = counts[index] as number;
        totals.links += count;
        this.#linked[number >> 3] = (this.#linked[number >> 3] as number) | (1 << (number & 7));
        const target = resolution.pageOf(number);
        if (target === page.id) self += count;
        else if (target === 0 && resolution.isExternal(number)) external += count;
      }
      const arcs = folder.fold(page);
      const { targets } = arcs;
      this.#buffer.add(arcs, this.#noticesOf(page));
      for (const target of targets) this.#inDegrees[target] = (this.#inDegrees[target] as number) + 1;
      this.#outDegrees[page.id] = targets.length;
      this.#selfLinks[page.id] = self;
      this.#externalLinks[page.id] = external;
      this.arcs += targets.length;
      totals.selfLinks += self;
      totals.externalLinks += external;
      totals.linksCut += page.linksCut;
      while (levels.length <= page.level) levels.push(0);
      levels[page.level] = (levels[page.level] as number) + 1;
    }
    this.totals = { ...totals, levels };
  }

  async *nodes(): AsyncGenerator<GraphNode, void, undefined> {
    for await (const page of this.#store.pages({ withLinks: false })) {
      const { id, url, level, title, bytes, digest } = page;
      yield {
        id,
        label: labelOf(url),
        url,
        level,
        inDegree: this.#inDegrees[id] as number,
        outDegree: this.#outDegrees[id] as number,
        selfLinks: this.#selfLinks[id] as number,
        externalLinks: this.#externalLinks[id] as number,
        title,
        bytes,
        digest: Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString('hex'),
      };
    }
  }

  async *arcsBySource(): AsyncGenerator<SourceArcs, void, undefined> {
    if (this.#buffer.isWhole) {
      for (const { arcs } of this.#buffer.pages()) if (arcs.targets.length > 0) yield arcs;
      return;
    }
    const folder = new ArcFolder(this.resolution, this.pages);
    for await (const page of this.#store.pages()) {
      const arcs = folder.fold(page);
      if (arcs.targets.length > 0) yield arcs;
    }
  }

  async *notices(): AsyncGenerator<Notice, void, undefined> {
    const { resolution } = this;
    for (let number = 1; number <= resolution.urls; number++) {
      if (!resolution.isVisit(number) || resolution.isPlain(number) || this.#isLinked(number)) continue;
      const record = await this.#store.getUrl(number);
      yield this.#notice(0, number, record?.url ?? '', 0);
    }
    const texts = new UrlTexts(this.#store, (number) => !resolution.isPlain(number));
    try {
      for await (const { source, pairs, linksCut } of this.#pageNotices()) {
        for (let index = 0; index < pairs.length; index += 2) {
          const number = pairs[index] as number;
          const text = texts.get(number);
          yield this.#notice(source, number, typeof text === 'string' ? text : await text, pairs[index + 1] as number);
        }
        if (linksCut > 0) yield await this.#cutNotice(source, linksCut);
      }
    } finally {
      await texts.close();
    }
  }

  async *#pageNotices(): AsyncGenerator<PageNotices, void, undefined> {
    if (this.#buffer.isWhole) {
      for (const { notices } of this.#buffer.pages()) yield notices;
      return;
    }
    for await (const page of this.#store.pages()) yield this.#noticesOf(page);
  }

  #noticesOf({ id, links, linksCut }: PageRecord): PageNotices {
    const { numbers, counts } = links;
    const pairs: number[] = [];
    for (let index = 0; index < numbers.length; index++) {
      const number = numbers[index] as number;
      if (!this.resolution.isPlain(number)) pairs.push(number, counts[index] as number);
    }
    return { source: id, pairs: Uint32Array.from(pairs), linksCut };
  }

  /** The page itself stands for the links that were too many to keep. */
  async #cutNotice(source: number, count: number): Promise<Notice> {
    const page = await this.#store.getPage(source);
    return { source, url: page?.url ?? '', reason: 'limit', status: 200, target: 0, count };
  }

  #notice(source: number, number: number, url: string, count: number): Notice {
    const { resolution } = this;
    const reason = resolution.reasonOf(number) as LinkReason;
    return { source, url, reason, status: resolution.statusOf(number), target: resolution.pageOf(number), count };
  }

  #isLinked(number: number): boolean {
    return (((this.#linked[number >> 3] as number) >> (number & 7)) & 1) === 1;
  }
}

/** Path and query, as they stand in an absolute http(s) URL without fragment. */
function labelOf(url: string): string {
  const slash = url.indexOf('/', url.indexOf('://') + 3);
  return slash < 0 ? '/' : url.slice(slash);
}
