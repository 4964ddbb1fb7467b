import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CrawlSiteResult } from '../../src/app/run-crawl.ts';
import type { CrawlOptions } from '../../src/crawl/crawl-options.ts';
import { expectSameGraph } from '../support/compare-graphs.ts';
import { crawlInProcess } from '../support/crawl-in-process.ts';
import {
  expectedGraph,
  hasTrap,
  randomSite,
  serveGraphSite,
  type ServedSite,
  type GraphSite,
  type Link,
  type Shape,
} from '../support/graph-site.ts';
import { readResults } from '../support/read-results.ts';
import { temporaryFolder } from '../support/run-cli.ts';

async function crawl(
  served: ServedSite,
  dataDirectory: string,
  options: Partial<CrawlOptions> = {},
  signal = new AbortController().signal,
): Promise<CrawlSiteResult> {
  return crawlInProcess(
    served.startUrl,
    dataDirectory,
    { requestTimeoutMs: 10_000, ...options },
    { formats: ['gephi-csv', 'gexf', 'graphml'], signal },
  );
}

/** The bytes of the result files, without what may differ between two crawls of the same site. */
function readFiles(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((name) => {
        const text = readFileSync(path.join(folder, name), 'utf8');
        return [
          name,
          name.endsWith('.summary.json') ? text.replace(/^ *"(startedAt|finishedAt|requests)": .*\n/gm, '') : text,
        ];
      }),
  );
}

test('a crawl finds exactly the graph that a random site serves', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(randomSite(), fc.constantFrom(1, 2, 16, 64), async (site, concurrency) => {
      const served = await serveGraphSite(site);
      const folder = temporaryFolder();
      try {
        const { endReason } = await crawl(served, folder.path, { concurrency });
        const expected = expectedGraph(site, served.origin);
        expectSameGraph(readResults(path.join(folder.path, 'graphs')), expected);
        expect(endReason).toBe(hasTrap(expected) ? 'trap' : 'done');
        expect(served.requests.filter((target) => target.includes('/decoy/'))).toEqual([]);
        expect(served.requests.filter((target) => target.startsWith('/denied/'))).toEqual([]);
      } finally {
        folder.dispose();
        await served.close();
      }
    }),
    { numRuns: 150 },
  );
});

test('result files are the same to the byte for any concurrency', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(randomSite({ maxResources: 60 }), async (site) => {
      const served = await serveGraphSite(site);
      try {
        let first: Record<string, string> | undefined;
        for (const concurrency of [1, 2, 16, 64]) {
          const folder = temporaryFolder();
          try {
            served.reset();
            await crawl(served, folder.path, { concurrency });
            const files = readFiles(path.join(folder.path, 'graphs'));
            first ??= files;
            expect(files).toEqual(first);
          } finally {
            folder.dispose();
          }
        }
      } finally {
        await served.close();
      }
    }),
    { numRuns: 25, endOnFailure: true },
  );
});

test('a crawl that is stopped again and again ends with the same files', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      randomSite({ maxResources: 60 }),
      fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 6 }),
      async (site, stopsMs) => {
        const served = await serveGraphSite(site);
        const whole = temporaryFolder();
        const stopped = temporaryFolder();
        try {
          await crawl(served, whole.path);
          served.reset();
          for (const stopMs of stopsMs) await crawl(served, stopped.path, {}, AbortSignal.timeout(stopMs));
          await crawl(served, stopped.path);
          expect(readFiles(path.join(stopped.path, 'graphs'))).toEqual(readFiles(path.join(whole.path, 'graphs')));
        } finally {
          whole.dispose();
          stopped.dispose();
          await served.close();
        }
      },
    ),
    { numRuns: 25, endOnFailure: true },
  );
});

test('a redirect to a URL that a link spells otherwise is fetched as the redirect spells it', async () => {
  const page = {
    kind: 'page',
    place: 'root',
    title: '',
    links: [],
    base: 'none',
    delayMs: 0,
    failuresFirst: 0,
  } as const;
  const site: GraphSite = {
    startsWithRedirect: false,
    resources: [
      // The link to /%64/p2.html is under way while /p1.html redirects to /d/p2.html, which has the same URL key.
      { ...page, links: [link(1, 'rooted'), link(2, 'escaped')] },
      { kind: 'redirect', status: 302, to: 2, place: 'root' },
      { ...page, place: 'folder', delayMs: 30, links: [link(3, 'relative')] },
      { ...page, place: 'folder' },
    ],
  };
  for (const concurrency of [1, 16]) {
    const served = await serveGraphSite(site);
    const folder = temporaryFolder();
    try {
      await crawl(served, folder.path, { concurrency });
      expectSameGraph(readResults(path.join(folder.path, 'graphs')), expectedGraph(site, served.origin));
    } finally {
      folder.dispose();
      await served.close();
    }
  }
});

function link(to: number, shape: Shape): Link {
  return { to, shape, times: 1 };
}
