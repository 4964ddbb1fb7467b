/**
 * The library: what programs may use. A crawl is `runCrawl(job)`; its `options` come from `readCrawlOptions(values, version)`,
 * with values named as the options of the command line (`{ 'max-level': 3 }`, `{}` for the defaults).
 */
export { runCrawl } from './app/run-crawl.ts';
export type { CrawlJob, CrawlSiteResult } from './app/run-crawl.ts';
export { readCrawlOptions } from './app/read-crawl-options.ts';
export type { CrawlValues } from './app/options.ts';
export { parseHostsFile, readHostsFile } from './app/hosts-file.ts';
export type { CrawlOptions, SeedRequest } from './crawl/crawl-options.ts';
export type { CrawlProgress } from './crawl/progress.ts';
export { ERROR_CODES, OrbweaverError, isOrbweaverError } from './base/errors.ts';
export type { ErrorCode } from './base/errors.ts';
export { silentLogger } from './base/log.ts';
export type { Logger } from './base/log.ts';
export { systemClock } from './base/clock.ts';
export type { Clock } from './base/clock.ts';
export { parseTypedSite } from './web/typed-site.ts';
export { LevelCrawlStore } from './store/level-store.ts';
export { checkSite } from './store/check-store.ts';
export type { CrawlStore, SiteStore } from './store/site-store.ts';
export type { EndReason, PageRecord, SiteState, UrlRecord } from './store/records.ts';
export { openSiteGraph } from './graph/site-graph.ts';
export type { SiteGraph } from './graph/site-graph.ts';
export type { Summary } from './graph/summary.ts';
export { writeGraphFiles } from './graph/export/index.ts';
export type { GraphFormat } from './graph/export/index.ts';
export { explainUrl } from './graph/why.ts';
