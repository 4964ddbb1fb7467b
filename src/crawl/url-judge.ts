import type { UrlKind } from '../store/records.ts';
import type { SiteStore } from '../store/site-store.ts';
import { createUrlFilter } from '../web/filters.ts';
import { createScope } from '../web/scope.ts';
import { createPatternBudget } from '../web/trap-budget.ts';
import { detectTrap } from '../web/trap.ts';
import type { CrawlOptions } from './crawl-options.ts';

export interface UrlVerdict {
  readonly kind: UrlKind;
  /** The rule that decided, for people; empty for `visit`. */
  readonly rule: string;
}

/** Says of a newly found http(s) URL whether it will be visited, and by which rule not. */
export interface UrlJudge {
  /** Pure: by scope, filters and the shape of the URL. `fromUrl` is the page or redirect that named it. */
  judge(url: string, fromUrl: string): UrlVerdict;
  /**
   * Whether a redirect to a URL nobody has named yet is worth following: by scope and filters alone. Who names it first decides
   * whether it is a trap, and that is not known before the commit.
   */
  mayVisit(url: string): boolean;
  /** As `judge`, and takes the URL's share of its pattern's budget. Once for each URL key, in commit order. */
  admit(url: string, fromUrl: string): UrlVerdict;
  /** Counts what earlier runs admitted. */
  restore(store: SiteStore): Promise<void>;
}

export function createUrlJudge(context: {
  /** As `siteOf` names it. */
  readonly site: string;
  /** After its redirects. */
  readonly startUrl: string;
  readonly options: CrawlOptions;
}): UrlJudge {
  const { site, startUrl, options } = context;
  const scopeOf = createScope({ site, startUrl, scope: options.scope, sameScheme: options.sameScheme });
  const filterOf = createUrlFilter({
    include: options.include,
    exclude: options.exclude,
    keywords: options.keywords,
    startUrls: [startUrl],
  });
  const budget = options.trapBudget === undefined ? undefined : createPatternBudget(options.trapBudget);
  const judge = (url: string, fromUrl: string): UrlVerdict => {
    const scope = scopeOf(url);
    if (scope.kind !== 'visit') return scope;
    const filter = filterOf(url);
    if (filter !== undefined) return { kind: 'filter', rule: filter };
    const trap = detectTrap(url, fromUrl);
    return trap === undefined ? scope : { kind: 'trap', rule: trap };
  };
  return {
    judge,
    mayVisit: (url) => scopeOf(url).kind === 'visit' && filterOf(url) === undefined,
    admit: (url, fromUrl) => {
      const verdict = judge(url, fromUrl);
      if (verdict.kind !== 'visit') return verdict;
      const spent = budget?.take(url);
      return spent === undefined ? verdict : { kind: 'trap', rule: spent };
    },
    restore: async (store) => {
      if (budget === undefined) return;
      for await (const { url, kind } of store.urls()) if (kind === 'visit') budget.restore(url);
    },
  };
}
