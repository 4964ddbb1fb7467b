import type { Clock } from '../base/clock.ts';
import type { FetchFunction } from '../fetch/outcome.ts';
import { fetchRobots } from '../fetch/robots-source.ts';
import type { RobotsRecord } from '../store/records.ts';
import type { SiteStore } from '../store/site-store.ts';
import { parseRobots, type RobotsRules } from '../web/robots-txt.ts';

/** RFC 9309 §2.4: a cached robots.txt should not be used for longer than a day. */
const MAX_AGE_MS = 24 * 3_600_000;

export type RobotsVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly rule: string }
  /** robots.txt itself could not be had, so nothing may be fetched (RFC 9309 §2.3.1.4). */
  | { readonly allowed: false; readonly unreachable: RobotsRecord };

interface OriginRules {
  readonly record: RobotsRecord;
  readonly rules: RobotsRules | undefined;
}

/** Asks robots.txt, once per origin, with the store as cache. */
export class RobotsGate {
  readonly #fetch: FetchFunction;
  readonly #token: string;
  readonly #clock: Clock;
  readonly #onCrawlDelay: (delayMs: number) => void;
  readonly #origins = new Map<string, OriginRules | Promise<OriginRules>>();
  #store: SiteStore | undefined;

  constructor(options: {
    readonly fetch: FetchFunction;
    readonly productToken: string;
    readonly clock: Clock;
    readonly onCrawlDelay: (delayMs: number) => void;
  }) {
    this.#fetch = options.fetch;
    this.#token = options.productToken;
    this.#clock = options.clock;
    this.#onCrawlDelay = options.onCrawlDelay;
  }

  /** From now on records are read from and kept in this store; those fetched before are written to it. */
  async useStore(store: SiteStore): Promise<void> {
    this.#store = store;
    for (const pending of this.#origins.values()) await store.putRobots((await pending).record);
  }

  /** A promise only for the first URL of an origin. */
  check(url: string, signal: AbortSignal): RobotsVerdict | Promise<RobotsVerdict> {
    const origin = originOf(url);
    const known = this.#origins.get(origin);
    if (known !== undefined && !(known instanceof Promise)) return judge(known, url);
    return this.#load(origin, known, signal).then((rules) => judge(rules, url));
  }

  async #load(origin: string, pending: Promise<OriginRules> | undefined, signal: AbortSignal): Promise<OriginRules> {
    if (pending !== undefined) return pending;
    const loading = this.#fetchOrigin(origin, signal);
    this.#origins.set(origin, loading);
    const loaded = await loading;
    if (signal.aborted) this.#origins.delete(origin);
    else this.#origins.set(origin, loaded);
    return loaded;
  }

  async #fetchOrigin(origin: string, signal: AbortSignal): Promise<OriginRules> {
    const cached = await this.#store?.getRobots(origin);
    const isFresh =
      cached !== undefined && cached.state !== 'unreachable' && this.#clock.now() - cached.fetchedAt < MAX_AGE_MS;
    const record = isFresh ? cached : await fetchRobots(this.#fetch, origin, { signal, clock: this.#clock });
    if (!isFresh && !signal.aborted) await this.#store?.putRobots(record);
    const rules = record.state === 'found' ? parseRobots(record.text, this.#token) : undefined;
    if (rules?.crawlDelayMs !== undefined) this.#onCrawlDelay(rules.crawlDelayMs);
    return { record, rules };
  }
}

function judge(origin: OriginRules, url: string): RobotsVerdict {
  if (origin.record.state === 'unreachable') return { allowed: false, unreachable: origin.record };
  if (origin.rules === undefined) return { allowed: true };
  const { allowed, rule } = origin.rules.isAllowed(url);
  return allowed ? { allowed: true } : { allowed: false, rule };
}

function originOf(url: string): string {
  const slash = url.indexOf('/', url.indexOf('://') + 3);
  return slash < 0 ? url : url.slice(0, slash);
}
