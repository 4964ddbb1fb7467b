import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runCrawl, type CrawlSiteResult } from '../../src/app/run-crawl.ts';
import { systemClock, type Clock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import type { CrawlOptions } from '../../src/crawl/crawl-options.ts';
import { NORMALIZE_RULES, type NormalizeRule } from '../../src/web/url-key.ts';
import { expectSameGraph } from '../support/compare-graphs.ts';
import { expectedGraph, hasTrap, randomSite, serveGraphSite, type ServedSite } from '../support/graph-site.ts';
import { readResults } from '../support/read-results.ts';
import { temporaryFolder } from '../support/run-cli.ts';

const DEFAULTS: CrawlOptions = {
  maxLevel: Infinity,
  maxPages: Infinity,
  maxBytes: Infinity,
  maxSizeBytes: 16 * 2 ** 20,
  requestTimeoutMs: 10_000,
  concurrency: 4,
  delayMs: 0,
  robots: 'obey',
  userAgent: 'Orbweaver test',
  include: [],
  exclude: [],
  keywords: [],
  normalize: (Object.keys(NORMALIZE_RULES) as NormalizeRule[]).filter((rule) => NORMALIZE_RULES[rule].default),
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

/** Waits between tries are not what is tested here. */
const hastyClock: Clock = {
  now: () => systemClock.now(),
  sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 2), signal),
};

export async function crawl(
  served: ServedSite,
  dataDirectory: string,
  options: Partial<CrawlOptions> = {},
  signal = new AbortController().signal,
): Promise<CrawlSiteResult> {
  const [result] = await runCrawl({
    dataDirectory,
    outDirectory: undefined,
    options: { ...DEFAULTS, ...options },
    seeds: [{ url: served.startUrl }],
    sitesAtOnce: 1,
    timeoutMs: undefined,
    stopFile: undefined,
    formats: ['gephi-csv', 'gexf', 'graphml'],
    fresh: false,
    sync: false,
    version: '0.0.0',
    signal,
    logger: silentLogger,
    clock: hastyClock,
  });
  if (result === undefined) throw new Error('no result');
  return result;
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

