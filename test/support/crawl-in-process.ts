import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runCrawl, type CrawlJob, type CrawlSiteResult } from '../../src/app/run-crawl.ts';
import { systemClock, type Clock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import type { CrawlOptions } from '../../src/crawl/crawl-options.ts';
import { DEFAULT_NORMALIZE_RULES } from '../../src/web/url-key.ts';

const DEFAULTS: CrawlOptions = {
  maxLevel: Infinity,
  maxPages: Infinity,
  maxBytes: Infinity,
  maxSizeBytes: 16 * 2 ** 20,
  requestTimeoutMs: 5_000,
  concurrency: 4,
  delayMs: 0,
  robots: 'obey',
  userAgent: 'Orbweaver test',
  include: [],
  exclude: [],
  keywords: [],
  normalize: [...DEFAULT_NORMALIZE_RULES],
  sameScheme: false,
  keepDuplicates: false,
  followMetaRefresh: false,
  links: ['a'],
  scope: 'site',
  retryBroken: false,
  trapBudget: undefined,
  headers: {},
  cookies: [],
  allowPrivate: false,
};

/** Waits between tries are not what is tested: whoever sleeps moves time on. */
export function hastyClock(): Clock {
  let skippedMs = 0;
  return {
    now: () => systemClock.now() + skippedMs,
    sleep: async (ms, signal) => {
      await systemClock.sleep(Math.min(ms, 1), signal);
      skippedMs += Math.max(0, ms - 1);
    },
  };
}

/** Crawls one site in this process, with the real store and the real client. */
export async function crawlInProcess(
  url: string,
  dataDirectory: string,
  options: Partial<CrawlOptions> = {},
  job: Partial<CrawlJob> = {},
): Promise<CrawlSiteResult> {
  const [result] = await runCrawl({
    dataDirectory,
    outDirectory: undefined,
    options: { ...DEFAULTS, ...options },
    seeds: [{ url }],
    sitesAtOnce: 1,
    timeoutMs: undefined,
    stopFile: undefined,
    formats: ['gephi-csv'],
    fresh: false,
    sync: false,
    version: '0.0.0',
    signal: new AbortController().signal,
    logger: silentLogger,
    clock: hastyClock(),
    ...job,
  });
  if (result === undefined) throw new Error('no result');
  return result;
}

/** The graph files of a data directory by name, as text; of the summary only what is promised to be the same. */
export function readGraphFiles(dataDirectory: string): Record<string, string> {
  const folder = path.join(dataDirectory, 'graphs');
  return Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((name) => {
        const text = readFileSync(path.join(folder, name), 'utf8');
        return [name, text.replaceAll(/^ {2}"(?:startedAt|finishedAt)".*\n/gm, '')];
      }),
  );
}
