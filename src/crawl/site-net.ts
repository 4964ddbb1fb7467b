import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { hostKindOf, type HostKind } from '../fetch/host-kind.ts';
import { HttpFetcher } from '../fetch/http-fetcher.ts';
import { addHeaders, bePolite, retry, trace } from '../fetch/interceptors/index.ts';
import type { FetchFunction } from '../fetch/outcome.ts';
import { Politeness } from '../fetch/politeness.ts';
import type { CrawlOptions, SeedRequest } from './crawl-options.ts';
import { RobotsGate } from './robots-gate.ts';

const DEFAULT_CONNECTIONS = 2;

/** Everything with which one site is asked, and how politely. The owner closes it. */
export interface SiteNet {
  readonly fetch: FetchFunction;
  readonly robots: RobotsGate;
  readonly connections: number;
  readonly hostKind: HostKind;
  close(): Promise<void>;
}

export async function openSiteNet(options: {
  readonly seed: SeedRequest;
  readonly crawl: CrawlOptions;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends every wait for a polite moment. */
  readonly stopSignal: AbortSignal;
}): Promise<SiteNet> {
  const { seed, crawl, clock, logger, stopSignal } = options;
  const { hostname, host } = new URL(seed.url);
  const hostKind = await hostKindOf(hostname);
  const connections = seed.concurrency ?? crawl.concurrency ?? DEFAULT_CONNECTIONS;
  const isNear = hostKind === 'loopback';
  const politeness = new Politeness({
    connections,
    delayMs: seed.delayMs ?? crawl.delayMs ?? (isNear ? 0 : undefined),
    minIntervalMs: 0,
    clock,
  });
  const fetcher = HttpFetcher.open({
    userAgent: crawl.userAgent,
    requestTimeoutMs: crawl.requestTimeoutMs,
    maxSizeBytes: crawl.maxSizeBytes,
    connectionsPerOrigin: connections,
    allowPrivate: crawl.allowPrivate || isNear || hostKind === 'private',
    interceptors: [
      retry({
        clock,
        waitSignal: stopSignal,
        onBackOff: (durationMs) => politeness.backOff(durationMs),
        ...(isNear && { baseDelayMs: 100 }),
      }),
      bePolite({ politeness, waitSignal: stopSignal }),
      addHeaders({ headers: crawl.headers, hosts: new Set([host]) }),
      trace({ log: logger }),
    ],
  });
  const { fetch } = fetcher;
  const robots = new RobotsGate({
    fetch,
    productToken: crawl.userAgent.split('/')[0]?.trim() ?? '',
    clock,
    onCrawlDelay: (ms) => politeness.raiseMinInterval(ms),
  });
  return { fetch, robots, connections, hostKind, close: () => fetcher.close() };
}
