import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createSite, writeSite } from '../bench/gen-site.mjs';
import { expectSameGraph } from '../support/compare-graphs.ts';
import { debianSite, type DebianSiteName } from '../support/debian-sites.mjs';
import { findNginx, startNginx, type NginxSite } from '../support/nginx.mjs';
import { crawlFiles } from '../support/oracle-crawl.ts';
import { readResults, type Results } from '../support/read-results.ts';
import { ensureBuilt, runCli, temporaryFolder } from '../support/run-cli.ts';

/** Small enough for every run; a CI machine that cannot have them fails. */
const SMALL: DebianSiteName[] = [
  'git-doc',
  'libigraph-doc',
  'developers-reference',
  'sqlite3-doc',
  'postgresql-doc-15',
];
/** `npm run acceptance` (`ORBWEAVER_ACCEPTANCE=all`). */
const LARGE: DebianSiteName[] = ['python3.11-doc', 'openjdk-17-doc', 'rust-doc'];

const isCi = process.env['CI'] === 'true';
const wantsAll = process.env['ORBWEAVER_ACCEPTANCE'] === 'all';

interface ReferenceGraph {
  readonly source: string;
  readonly crawl: { readonly reached: number; readonly a_href_total: number; readonly self_links: number };
  readonly levelHistogram: readonly number[];
  readonly labels: readonly string[];
  readonly edges: readonly (readonly [number, number])[];
}

const references = (
  JSON.parse(readFileSync(new URL('../../fixtures/reference-graphs.json', import.meta.url), 'utf8')) as {
    graphs: Record<string, ReferenceGraph>;
  }
).graphs;

beforeAll(async () => {
  await ensureBuilt();
}, 180_000);

async function crawlSite(site: NginxSite, startPath: string): Promise<{ results: Results; origin: string }> {
  const nginx = await startNginx([site]);
  const folder = temporaryFolder();
  try {
    const origin = nginx.origins[0] as string;
    const args = ['crawl', origin + startPath, '--data', folder.path, '--concurrency', '16', '--quiet'];
    const run = await runCli(args);
    expect(run.stderr).toBe('');
    expect(run.exitCode).toBe(0);
    return { results: readResults(path.join(folder.path, 'graphs')), origin };
  } finally {
    folder.dispose();
    await nginx.stop();
  }
}

describe.skipIf(findNginx() === undefined && !isCi)('the graph of a real site', () => {
  for (const name of wantsAll ? [...SMALL, ...LARGE] : SMALL) {
    test(`${name} is what an independent program finds in its files`, { timeout: 900_000 }, async (context) => {
      const site = await debianSite(name);
      if ('skip' in site) {
        if (isCi) throw new Error(site.skip);
        return context.skip(site.skip);
      }
      const { results, origin } = await crawlSite(site, site.startPath);
      expect(results.summary.endReason).toBe('done');
      expect(results.summary.complete).toBe(true);
      expectSameGraph(results, crawlFiles({ ...site, origin }));

      const reference = references[name];
      if (reference?.source.includes(` ${site.version} `) !== true) return undefined;
      const labels = new Map(results.nodes.map(({ id, label }) => [id, label.slice(1)]));
      const arcs = results.arcs.map(({ source, target }) => `${labels.get(source)} > ${labels.get(target)}`);
      const expected = reference.edges.map(([from, to]) => `${reference.labels[from]} > ${reference.labels[to]}`);
      expect(arcs.toSorted()).toEqual(expected.toSorted());
      expect(results.nodes.map(({ label }) => label.slice(1))).toEqual(reference.labels);
      expect(results.summary).toMatchObject({
        pages: reference.crawl.reached,
        links: reference.crawl.a_href_total,
        levels: reference.levelHistogram,
      });
      const selfLinks = results.nodes.reduce((sum, node) => sum + node.selfLinks, 0);
      expect(selfLinks).toBe(reference.crawl.self_links);
      return undefined;
    });
  }

  test('git-doc has the figures that are known of it', async (context) => {
    const site = await debianSite('git-doc');
    if ('skip' in site) return context.skip(site.skip);
    if (site.version !== '1:2.39.5-0+deb12u3') return context.skip(`another version: ${site.version}`);
    const { results } = await crawlSite(site, site.startPath);
    const { nodes, arcs, links, summary } = results;
    expect(nodes.length).toBe(217);
    expect(arcs.length).toBe(1_403);
    expect(nodes.reduce((sum, node) => sum + node.selfLinks, 0)).toBe(867);
    const broken = links.filter(({ reason }) => reason === 'broken');
    expect(broken.map(({ url }) => new URL(url).pathname)).toEqual(['/git-p4.html']);
    // 65 URLs of other hosts, 18 mailto: and two that only look like URLs: all that leads off the site.
    expect(summary).toMatchObject({ links: 3_461, levels: [1, 186, 30], broken: 1, externalUrls: 85, duplicates: 0 });
    return undefined;
  });

  test('a synthetic site with redirects, duplicates, dead links, files and robots.txt comes out exactly', async () => {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'orbweaver-synthetic-'));
    try {
      writeSite(createSite({ pages: 600, minKb: 9, maxKb: 12 }), dir);
      const { results, origin } = await crawlSite({ dir, synthetic: true }, '/');
      expect(results.summary.pages).toBe(600);
      expectSameGraph(results, crawlFiles({ dir, origin, startPath: '/', synthetic: true }));
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
