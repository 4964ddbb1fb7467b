import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GRAPH_FORMATS } from '../../../src/graph/export/index.ts';
import { linksCsv } from '../../../src/graph/export/links-csv.ts';
import { writeResultFile } from '../../../src/graph/export/result-file.ts';
import type { TextSink } from '../../../src/graph/export/text-sink.ts';
import { openSiteGraph } from '../../../src/graph/site-graph.ts';
import type { Fate, PageRecord, SiteState, UrlRecord } from '../../../src/store/records.ts';
import type { SiteStore } from '../../../src/store/site-store.ts';

/**
 * What the result files cost, without the cost of a database: a made-up site whose records are computed when they are read.
 * Of every 16 URLs one is a redirect, one a duplicate, one external and one broken; each page has 27 links, two of them to those.
 * Usage: node million.js [pages]
 */
const PAGES = Number(process.argv[2] ?? 1_000_000);
const LINKS = 27;
const PER_BLOCK = 12;
const URLS = Math.ceil(PAGES / PER_BLOCK) * 16;

/** URLs come in blocks of 16: 12 pages, then a redirect, a duplicate, an external and a broken one. */
const urlOfPage = (id: number): number => Math.floor((id - 1) / PER_BLOCK) * 16 + ((id - 1) % PER_BLOCK) + 1;

function mix(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function* urlRecords(from: number): Generator<UrlRecord> {
  for (let number = from; number <= URLS; number++) yield makeUrl(number);
}

function makeUrl(number: number): UrlRecord {
  const place = (number - 1) % 16;
  return {
    number,
    url: `http://site.test/section-${number % 97}/page-${number}.html`,
    kind: place === 14 ? 'external' : 'visit',
    level: 3,
    origin: 'link',
    from: 1,
    rule: '',
  };
}

function* fateRecords(): Generator<readonly [number, Fate]> {
  for (let number = 1; number <= URLS; number++) {
    const place = (number - 1) % 16;
    const page = Math.min(PAGES, Math.floor((number - 1) / 16) * PER_BLOCK + place + 1);
    const near = Math.max(1, page - 12);
    if (place < PER_BLOCK) yield [number, { type: 'page', status: 200, target: page, detail: '' }];
    else if (place === 12) yield [number, { type: 'redirect', status: 301, target: urlOfPage(near), detail: '' }];
    else if (place === 13) yield [number, { type: 'duplicate', status: 200, target: near, detail: '1' }];
    else if (place === 15) yield [number, { type: 'broken', status: 404, target: 0, detail: '' }];
  }
}

const digest = new Uint8Array(32).fill(7);
const NO_LINKS = { numbers: new Uint32Array(), counts: new Uint32Array() };

function makePage(id: number, withLinks: boolean): PageRecord {
  return {
    id,
    urlNumber: urlOfPage(id),
    url: `http://site.test/section-${id % 97}/page-${id}.html`,
    level: id === 1 ? 0 : 3,
    title: `Page ${id}, on "this" & that`,
    bytes: 12_345,
    digest,
    linksCut: 0,
    flags: 0,
    links: withLinks ? makeLinks(id) : NO_LINKS,
  };
}

function makeLinks(id: number): PageRecord['links'] {
  const numbers = new Uint32Array(LINKS);
  const block = Math.floor((id - 1) / PER_BLOCK) * 16;
  for (let index = 0; index < LINKS - 2; index++) numbers[index] = urlOfPage((mix(id * LINKS + index) % PAGES) + 1);
  numbers[LINKS - 2] = block + 13 + (id % 4);
  numbers[LINKS - 1] = (mix(id) % 200) * 16 + 13 + (mix(id + 7) % 4);
  numbers.sort();
  return { numbers, counts: new Uint32Array(LINKS).fill(1) };
}

const state: SiteState = {
  name: 'site.test',
  seed: 'http://site.test/',
  graphOptions: {},
  urls: URLS,
  pages: PAGES,
  committed: URLS,
  endReason: 'done',
  queued: 0,
  failures: 0,
  traps: 0,
  bytes: 0,
  startedAt: '',
  finishedAt: '',
  elapsedMs: 0,
};

async function* later<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}

function* pageRecords(withLinks: boolean): Generator<PageRecord> {
  for (let id = 1; id <= PAGES; id++) yield makePage(id, withLinks);
}

const store = {
  state,
  getUrl: (number: number) => Promise.resolve(makeUrl(number)),
  urls: (options: { from?: number } = {}) => later(urlRecords(options.from ?? 1)),
  fates: () => later(fateRecords()),
  pages: (options: { withLinks?: boolean } = {}) => later(pageRecords(options.withLinks ?? true)),
} as unknown as SiteStore;

async function measure<Result>(label: string, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  const cpu = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(cpu);
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  const peak = Math.round(process.resourceUsage().maxRSS / 1_024);
  console.log(`${label}: ${seconds} s, CPU ${((user + system) / 1e6).toFixed(1)} s, peak RSS so far ${peak} MB`);
  return result;
}

const folder = await mkdtemp(join(tmpdir(), 'orbweaver-million-'));
try {
  await measure('reading the records once, nothing else', async () => {
    let links = 0;
    for await (const page of store.pages()) links += page.links.numbers.length;
    return links;
  });
  const graph = await measure('openSiteGraph', () => openSiteGraph(store));
  console.log(`${graph.pages} pages, ${graph.arcs} arcs, ${graph.resolution.urls} URLs`);
  const paths: string[] = [];
  const write = async (label: string, extension: string, produce: (sink: TextSink) => Promise<void>): Promise<void> => {
    const path = join(folder, `site${extension}`);
    await measure(label, () => writeResultFile(path, produce));
    paths.push(path);
  };
  for (const writer of Object.values(GRAPH_FORMATS).flat()) {
    await write(writer.extension, writer.extension, (sink) => writer.write(graph, sink));
  }
  await write(linksCsv.extension, linksCsv.extension, (sink) => linksCsv.write(graph, sink));
  for (const path of paths) console.log(`${path}: ${Math.round((await stat(path)).size / 1e6)} MB`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
