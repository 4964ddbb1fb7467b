import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { Clock } from '../base/clock.ts';
import { OrbweaverError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { CrawlOptions, SeedRequest } from '../crawl/crawl-options.ts';
import { SiteCrawl, type SiteCrawlEnd } from '../crawl/crawl-site.ts';
import type { CrawlProgress } from '../crawl/progress.ts';
import { writeSiteFiles, type GraphFormat } from '../graph/export/index.ts';
import { openSiteGraph } from '../graph/site-graph.ts';
import { buildSummary, type Summary } from '../graph/summary.ts';
import { LevelCrawlStore } from '../store/level-store.ts';
import type { EndReason } from '../store/records.ts';
import { siteFileName, siteOf } from '../web/site-name.ts';

const PROGRESS_EVERY_MS = 250;
/** A batch costs as much as what is in it; a fast site gives several pages in this time. */
const COMMIT_LINGER_MS = 4;

export interface CrawlJob {
  readonly dataDirectory: string;
  /** Undefined: `<data>/graphs`. */
  readonly outDirectory: string | undefined;
  readonly options: CrawlOptions;
  readonly seeds: readonly SeedRequest[];
  readonly sitesAtOnce: number;
  /** Of the whole run. */
  readonly timeoutMs: number | undefined;
  readonly stopFile: string | undefined;
  readonly formats: readonly GraphFormat[];
  readonly fresh: boolean;
  /** fsync every batch. */
  readonly sync: boolean;
  readonly version: string;
  /** First signal: finish what is in flight, save, write results, end. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly clock: Clock;
  /** A site that could not be crawled for a fault of ours or of its saved state; without this, the first such fault is thrown at the end. */
  readonly onFailure?: (error: unknown, seed: SeedRequest) => void;
  readonly onProgress?: (progress: CrawlProgress) => void;
}

export interface CrawlSiteResult {
  readonly site: string;
  readonly seed: string;
  readonly endReason: EndReason;
  readonly pages: number;
  readonly arcs: number;
  readonly files: readonly string[];
  readonly summary: Summary;
  /** For people. */
  readonly notices: readonly string[];
}

/**
 * Crawls the sites, several at once, and writes the result files of each as it ends.
 * A fault of one site (a conflict of its saved state) does not keep the others from running.
 * @throws {STORE_LOCKED | STORE_CORRUPT | STORE_VERSION | STORE_WRITE | STATE_CONFLICT | OPTIONS_INVALID}
 */
export async function runCrawl(job: CrawlJob): Promise<CrawlSiteResult[]> {
  requireDistinctSites(job.seeds);
  // Each site of the run listens to it.
  setMaxListeners(0, job.signal);
  await using store = await LevelCrawlStore.open(job.dataDirectory, {
    sync: job.sync,
    lingerMs: COMMIT_LINGER_MS,
  });
  const deadline = job.timeoutMs === undefined ? Infinity : job.clock.now() + job.timeoutMs;
  const limit = pLimit(Math.max(1, job.sitesAtOnce));
  const ends = await Promise.allSettled(
    job.seeds.map((seed) =>
      limit(async () => {
        const crawl = new SiteCrawl({ ...job, store, seed, deadline });
        return watchProgress(crawl, job, async () => writeResults(await crawl.run(), seed, job));
      }),
    ),
  );
  for (const [index, end] of ends.entries()) {
    if (end.status === 'fulfilled') continue;
    if (job.onFailure === undefined || ends.length === 1) throw end.reason;
    job.onFailure(end.reason, job.seeds[index] as SeedRequest);
  }
  return ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
}

async function watchProgress<T>(crawl: SiteCrawl, job: CrawlJob, run: () => Promise<T>): Promise<T> {
  const { onProgress } = job;
  if (onProgress === undefined) return run();
  const timer = setInterval(() => onProgress(crawl.snapshot()), PROGRESS_EVERY_MS);
  try {
    return await run();
  } finally {
    clearInterval(timer);
    onProgress({ ...crawl.snapshot(), state: 'ended' });
  }
}

async function writeResults(end: SiteCrawlEnd, seed: SeedRequest, job: CrawlJob): Promise<CrawlSiteResult> {
  const { store, endReason, notices } = end;
  const maxLevel = seed.maxLevel ?? job.options.maxLevel;
  const graph = await openSiteGraph(store, { maxLevel });
  const summary = buildSummary(store, graph, { version: job.version, options: summaryOptions(job, maxLevel) });
  const folder = job.outDirectory ?? join(job.dataDirectory, 'graphs');
  const files = await writeSiteFiles(graph, summary, { folder, formats: job.formats });
  return {
    site: store.state.name,
    seed: seed.url,
    endReason,
    pages: graph.pages,
    arcs: graph.arcs,
    files,
    summary,
    notices,
  };
}

/** JSON has no infinity. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** What shaped the graph and how far it reaches; nothing of speed, so that the same graph has the same summary. */
function summaryOptions(job: CrawlJob, maxLevel: number): Record<string, unknown> {
  const { options } = job;
  return {
    maxLevel: finite(maxLevel),
    maxPages: finite(options.maxPages),
    maxBytes: finite(options.maxBytes),
    maxSize: options.maxSizeBytes,
    robots: options.robots,
    userAgent: options.userAgent,
    include: options.include,
    exclude: options.exclude,
    keyword: options.keywords,
    normalize: options.normalize,
    sameScheme: options.sameScheme,
    keepDuplicates: options.keepDuplicates,
    followMetaRefresh: options.followMetaRefresh,
    links: options.links,
    scope: options.scope,
    trapBudget: options.trapBudget ?? null,
  };
}

/** Two start URLs of one site would write the same files. */
function requireDistinctSites(seeds: readonly SeedRequest[]): void {
  const byName = new Map<string, string>();
  for (const { url } of seeds) {
    const name = siteFileName(siteOf(url));
    const other = byName.get(name);
    if (other !== undefined && other !== url) {
      throw new OrbweaverError(
        'OPTIONS_INVALID',
        `${other} and ${url} are one site (${name}): give one start URL a site, or crawl them into different --data directories`,
      );
    }
    byName.set(name, url);
  }
}
