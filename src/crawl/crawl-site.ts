import { setMaxListeners } from 'node:events';
import type { Clock } from '../base/clock.ts';
import { OrbweaverError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { findUrl } from '../store/find-url.ts';
import type { EndReason, SiteState } from '../store/records.ts';
import type { CrawlStore, SiteStore } from '../store/site-store.ts';
import { siteFileName, siteOf } from '../web/site-name.ts';
import { createUrlKey } from '../web/url-key.ts';
import { Committer } from './committer.ts';
import type { CrawlOptions, SeedRequest } from './crawl-options.ts';
import { Engine } from './engine.ts';
import { Frontier, type FrontierEntry } from './frontier.ts';
import { graphOptionsOf, requireLimitsNotLowered, requireSameGraphOptions } from './graph-options.ts';
import { RateMeter, type CrawlProgress } from './progress.ts';
import { ROBOTS_POLICIES } from './robots-policies/index.ts';
import { RememberedAnswers } from './remembered-answers.ts';
import { openSiteNet, type SiteNet } from './site-net.ts';
import { judgeStart, shortenChain, type Start } from './start-page.ts';
import { STOP_RULES } from './stop-rules/index.ts';
import type { StopContext } from './stop-rules/stop-rule.ts';
import { createUrlJudge } from './url-judge.ts';
import { visit, type VisitDeps } from './visit.ts';
import type { HopOutcome, VisitResult } from './visit-result.ts';

/** Ends after which nothing is left that the same command would do. */
const NATURAL_ENDS: ReadonlySet<string> = new Set<EndReason>(['done', 'level', 'pages', 'bytes', 'trap']);
/** No file name of a site holds a tilde. */
const RETRY_SUFFIX = '~retry';

export interface SiteCrawlJob {
  readonly store: CrawlStore;
  readonly seed: SeedRequest;
  readonly options: CrawlOptions;
  /** Forget the saved state of this seed, and of a former site of the same name. */
  readonly fresh: boolean;
  /** Milliseconds since the epoch; Infinity for no limit. */
  readonly deadline: number;
  readonly stopFile: string | undefined;
  /** First signal of the user: finish what is in flight, save, end. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface SiteCrawlEnd {
  readonly store: SiteStore;
  readonly endReason: EndReason;
  /** For people: what they should know beside the numbers. */
  readonly notices: readonly string[];
}

/** The crawl of one site, from its seed to an end. Open, run once, look at `snapshot` meanwhile. */
export class SiteCrawl {
  readonly #job: SiteCrawlJob;
  readonly #stop = new AbortController();
  readonly #abort = new AbortController();
  readonly #exchanges = new Map<string, Promise<HopOutcome>>();
  readonly #urlKey: (url: string) => string;
  readonly #rate = new RateMeter();
  readonly #notices: string[] = [];
  #remembered: RememberedAnswers | undefined;
  #store: SiteStore | undefined;
  #engine: Engine | undefined;
  #stopReason: EndReason | undefined;
  #level = 0;
  #isOver = false;

  constructor(job: SiteCrawlJob) {
    this.#job = job;
    this.#urlKey = createUrlKey(new Set(job.options.normalize));
    // Every visit under way listens to both.
    setMaxListeners(0, this.#stop.signal, this.#abort.signal);
  }

  /**
   * @throws {STATE_CONFLICT} saved state made with other options, or another start URL under the same file name
   * @throws {STORE_WRITE} the store cannot be written
   */
  async run(): Promise<SiteCrawlEnd> {
    const job = this.#job;
    const startedAt = job.clock.now();
    const saved = job.fresh ? undefined : await this.#findSaved();
    if (saved !== undefined) {
      requireSameGraphOptions(saved.state.name, saved.state.graphOptions, graphOptionsOf(job.options));
      const { maxLevel, maxPages } = this.#stopContext();
      await requireLimitsNotLowered(saved, { maxLevel, maxPages });
      this.#store = saved;
      if (saved.state.endReason === 'done' && !this.#isRetry(saved))
        return { store: saved, endReason: 'done', notices: [] };
    }
    const unwatch = STOP_RULES.map((rule) =>
      'watch' in rule ? rule.watch(() => this.#requestStop(rule.reason), this.#stopContext()) : undefined,
    );
    const net = await openSiteNet({
      seed: job.seed,
      crawl: job.options,
      clock: job.clock,
      logger: job.logger,
      stopSignal: this.#stop.signal,
    });
    try {
      if (saved !== undefined && this.#isRetry(saved)) return await this.#retry(net, saved, startedAt);
      const endReason = saved === undefined ? await this.#start(net) : await this.#resume(net, saved);
      const store = this.#store as SiteStore;
      await this.#saveEnd(store, endReason, startedAt);
      return { store, endReason, notices: this.#notices };
    } finally {
      this.#isOver = true;
      for (const end of unwatch) end?.();
      this.#abort.abort();
      await net.close();
    }
  }

  #requestStop(reason: EndReason): void {
    this.#stopReason ??= reason;
    this.#stop.abort();
    if (this.#engine === undefined) this.#abort.abort();
    else this.#engine.stop(reason);
  }

  #stopContext(): StopContext {
    const { options, seed, deadline, stopFile, signal, clock } = this.#job;
    const { maxPages, maxBytes } = options;
    return { maxLevel: seed.maxLevel ?? options.maxLevel, maxPages, maxBytes, deadline, stopFile, signal, clock };
  }

  snapshot(): CrawlProgress {
    const state = this.#store?.state;
    const load = this.#engine?.load;
    const pages = state?.pages ?? 0;
    return {
      site: state?.name.replace(RETRY_SUFFIX, '') ?? siteFileName(siteOf(this.#job.seed.url)),
      state: this.#phase(),
      pages,
      queued: state?.queued ?? 0,
      level: this.#level,
      errors: state?.failures ?? 0,
      bytes: state?.bytes ?? 0,
      inFlight: load?.active ?? 0,
      pagesPerSecond: this.#rate.sample(this.#job.clock.now(), pages),
    };
  }

  #phase(): CrawlProgress['state'] {
    if (this.#isOver) return 'writing';
    if (this.#stopReason !== undefined) return 'stopping';
    return this.#engine === undefined ? 'starting' : 'crawling';
  }

  /** A site without a page never began: it starts anew. */
  async #findSaved(): Promise<SiteStore | undefined> {
    const states = await this.#job.store.sites();
    const state = states.find(
      ({ name, seed, pages }) => seed === this.#job.seed.url && pages > 0 && !name.endsWith(RETRY_SUFFIX),
    );
    return state === undefined ? undefined : this.#job.store.openSite(state.name);
  }

  #isRetry({ state }: SiteStore): boolean {
    return this.#job.options.retryBroken && state.failures > 0 && NATURAL_ENDS.has(state.endReason);
  }

  /**
   * `--retry-broken`: walks the site again beside the former result, which answers for all that did not fail, and takes its place
   * at a natural end. Stopped before, it leaves the former result as it was.
   */
  async #retry(net: SiteNet, former: SiteStore, startedAt: number): Promise<SiteCrawlEnd> {
    const { store } = this.#job;
    const { name } = former.state;
    await net.robots.useStore(former);
    const refusal = await this.#checkRobots(net, former);
    if (refusal !== undefined) return { store: former, endReason: refusal, notices: this.#notices };
    this.#remembered = new RememberedAnswers(former, this.#urlKey);
    const endReason = await this.#start(net, name + RETRY_SUFFIX);
    const retried = this.#store as SiteStore;
    if (NATURAL_ENDS.has(endReason) && isBetter(retried.state, former.state)) {
      await this.#saveEnd(retried, endReason, startedAt);
      this.#store = await store.replaceSite(retried.state.name, name);
      return { store: this.#store, endReason, notices: this.#notices };
    }
    this.#store = former;
    await store.dropSite(retried.state.name);
    if (!NATURAL_ENDS.has(endReason)) {
      this.#notices.push('--retry-broken was stopped before its end: the former result stands');
      return { store: former, endReason, notices: this.#notices };
    }
    this.#notices.push('--retry-broken found nothing mended: the former result stands');
    return { store: former, endReason: former.state.endReason as EndReason, notices: this.#notices };
  }

  /** Why nothing may be fetched, when robots.txt cannot be had. */
  async #checkRobots(net: SiteNet, store: SiteStore): Promise<EndReason | undefined> {
    const startUrl = (await store.getPage(1))?.url ?? store.state.seed;
    const verdict = await ROBOTS_POLICIES[this.#job.options.robots].check(net.robots, startUrl, this.#stop.signal);
    if (this.#stopReason !== undefined) return this.#stopReason;
    if (verdict.allowed || !('unreachable' in verdict)) return undefined;
    this.#notices.push(`robots.txt could not be read (${verdict.unreachable.detail}), so nothing was fetched`);
    return 'robots-unreachable';
  }

  async #resume(net: SiteNet, store: SiteStore): Promise<EndReason> {
    await net.robots.useStore(store);
    const refusal = await this.#checkRobots(net, store);
    if (refusal !== undefined) return refusal;
    const startUrl = (await store.getPage(1))?.url ?? store.state.seed;
    return this.#crawl(net, store, startUrl, undefined);
  }

  /** Visits the start URL before anything is stored: where it leads decides which host the site is. */
  async #start(net: SiteNet, asName?: string): Promise<EndReason> {
    const { seed, options } = this.#job;
    const entry: FrontierEntry = { number: 1, url: seed.url, level: 0 };
    const result = await visit(entry, { ...this.#visitDeps(net), mayFollow: () => true });
    const start = await judgeStart(result, net.robots, this.#stop.signal);
    const site = start.type === 'ready' ? start.site : siteOf(seed.url);
    const store = await this.#createSite(asName ?? siteFileName(site), start);
    this.#store = store;
    await net.robots.useStore(store);
    if (start.type === 'aborted') return this.#stopReason ?? 'signal';
    if (start.type === 'failed') {
      await this.#saveFailedStart(store, start);
      return start.reason;
    }
    const isOther = site !== siteOf(seed.url);
    if (isOther) this.#notices.push(`${seed.url} leads to ${start.startUrl}: the site is ${site}`);
    const judge = createUrlJudge({ site, startUrl: start.startUrl, options });
    const chain = shortenChain(start.result, (url) => judge.judge(url, seed.url).kind === 'visit');
    // Seen from the site, a seed on another host is external: a link to it must not find the seed's record.
    const key = isOther ? `seed ${seed.url}` : this.#urlKey(seed.url);
    const url = { number: 1, url: seed.url, key, kind: 'visit', level: 0, origin: 'seed', from: 0, rule: '' } as const;
    await store.commit({ urls: [url], fates: [], pages: [], site: { ...store.state, urls: 1, queued: 1 } });
    return this.#crawl(net, store, start.startUrl, chain);
  }

  async #createSite(name: string, start: Start): Promise<SiteStore> {
    const { store, seed, options, fresh, clock } = this.#job;
    const existing = fresh ? undefined : (await store.sites()).find((state) => state.name === name);
    if (existing !== undefined && existing.seed !== seed.url && existing.pages > 0) {
      throw new OrbweaverError(
        'STATE_CONFLICT',
        `${name} is already stored from the start URL ${existing.seed}; ${seed.url} would overwrite its files. Use --fresh to forget it, or another --data directory.`,
        { context: { name, start: start.type } },
      );
    }
    const state: SiteState = {
      name,
      seed: seed.url,
      graphOptions: graphOptionsOf(options),
      urls: 0,
      pages: 0,
      committed: 0,
      queued: 0,
      failures: 0,
      traps: 0,
      endReason: 'running',
      bytes: 0,
      startedAt: new Date(clock.now()).toISOString(),
      finishedAt: '',
      elapsedMs: 0,
    };
    return store.createSite(state);
  }

  async #saveFailedStart(store: SiteStore, start: Extract<Start, { type: 'failed' }>): Promise<void> {
    const { seed } = this.#job;
    const key = this.#urlKey(seed.url);
    this.#notices.push(`the start page ${start.url} could not be had: ${describeFate(start.fate)}`);
    await store.commit({
      urls: [{ number: 1, url: seed.url, key, kind: 'visit', level: 0, origin: 'seed', from: 0, rule: '' }],
      fates: [[1, start.fate]],
      pages: [],
      site: { ...store.state, urls: 1, committed: 1, failures: 1 },
    });
  }

  async #crawl(net: SiteNet, store: SiteStore, startUrl: string, first: VisitResult | undefined): Promise<EndReason> {
    const { options } = this.#job;
    const frontier = await Frontier.open(store);
    const judge = createUrlJudge({ site: siteOf(startUrl), startUrl, options });
    await judge.restore(store);
    const committer = new Committer({ store, frontier, judge, keepDuplicates: options.keepDuplicates });
    const deps: VisitDeps = {
      ...this.#visitDeps(net),
      mayFollow: async (url, key) => {
        const number = await findUrl(store, key);
        if (number !== 0) return !frontier.hasFate(number) && (await store.getUrl(number))?.kind === 'visit';
        return judge.mayVisit(url);
      },
    };
    const engine = new Engine({
      store,
      frontier,
      committer: {
        commit: (result) => {
          this.#level = result.level;
          return committer.commit(result);
        },
      },
      visit: (entry) => (entry.number === 1 && first !== undefined ? Promise.resolve(first) : visit(entry, deps)),
      forget: ({ hops }) => {
        for (const { url } of hops) this.#exchanges.delete(url);
      },
      isAlive: async () => {
        const outcome = await net.fetch({ url: startUrl, wantsBody: () => false, signal: this.#abort.signal });
        return outcome.type !== 'failed' && !(outcome.type === 'refused' && outcome.reason === 'aborted');
      },
      connections: net.connections,
      rules: STOP_RULES,
      stopContext: this.#stopContext(),
      stopWaiting: () => this.#stop.abort(),
      abort: () => {
        this.#stop.abort();
        this.#abort.abort();
      },
    });
    this.#engine = engine;
    if (this.#stopReason !== undefined) engine.stop(this.#stopReason);
    return engine.run();
  }

  #visitDeps(net: SiteNet): Omit<VisitDeps, 'mayFollow'> {
    const { options } = this.#job;
    const policy = ROBOTS_POLICIES[options.robots];
    return {
      fetch: net.fetch,
      robots: (url, signal) => policy.check(net.robots, url, signal),
      reading: { kinds: new Set(options.links), urlKey: this.#urlKey },
      cookies: options.cookies,
      remembered: this.#remembered,
      followMetaRefresh: options.followMetaRefresh,
      exchanges: this.#exchanges,
      stopSignal: this.#stop.signal,
      signal: this.#abort.signal,
    };
  }

  async #saveEnd(store: SiteStore, endReason: EndReason, startedAt: number): Promise<void> {
    const now = this.#job.clock.now();
    const site: SiteState = {
      ...store.state,
      endReason,
      finishedAt: new Date(now).toISOString(),
      elapsedMs: store.state.elapsedMs + (now - startedAt),
    };
    await store.commit({ urls: [], fates: [], pages: [], site });
    await store.flush();
  }
}

/** Nothing is lost, and something is won. */
function isBetter(retried: SiteState, former: SiteState): boolean {
  return retried.pages >= former.pages && (retried.pages > former.pages || retried.failures < former.failures);
}

function describeFate({ type, status, detail }: { type: string; status: number; detail: string }): string {
  return [type, status > 0 ? `status ${status}` : '', detail].filter((part) => part !== '').join(', ');
}
