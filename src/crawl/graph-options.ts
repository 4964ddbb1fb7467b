import { OrbweaverError } from '../base/errors.ts';
import type { SiteStore } from '../store/site-store.ts';
import { productTokenOf } from '../web/robots-txt.ts';
import type { CrawlOptions } from './crawl-options.ts';

/**
 * The options that shape the graph beyond how far it reaches. A saved crawl goes on only with the same ones: half a graph by
 * one rule and half by another would be the graph of nothing. Limits and speed are not among them.
 */
export function graphOptionsOf(options: CrawlOptions): Record<string, unknown> {
  return {
    robots: options.robots === 'ignore' ? 'ignore' : 'obey',
    // The name that robots.txt knows us by.
    userAgent: productTokenOf(options.userAgent),
    include: [...options.include],
    exclude: [...options.exclude],
    keyword: [...options.keywords],
    normalize: options.normalize.toSorted(),
    sameScheme: options.sameScheme,
    keepDuplicates: options.keepDuplicates,
    followMetaRefresh: options.followMetaRefresh,
    links: options.links.toSorted(),
    scope: options.scope,
    trapBudget: options.trapBudget ?? null,
    maxSize: options.maxSizeBytes,
  };
}

/** Names as the command line says them, for the message. */
const FLAG_OF: Readonly<Record<string, string>> = {
  userAgent: 'user-agent',
  sameScheme: 'same-scheme',
  keepDuplicates: 'keep-duplicates',
  followMetaRefresh: 'follow-meta-refresh',
  trapBudget: 'trap-budget',
  maxSize: 'max-size',
};

/** @throws {STATE_CONFLICT} naming every option that differs */
export function requireSameGraphOptions(
  site: string,
  saved: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
): void {
  const changed = Object.keys(wanted).filter((name) => JSON.stringify(saved[name]) !== JSON.stringify(wanted[name]));
  if (changed.length === 0) return;
  const list = changed
    .map(
      (name) => `--${FLAG_OF[name] ?? name} (was ${JSON.stringify(saved[name])}, now ${JSON.stringify(wanted[name])})`,
    )
    .join(', ');
  throw new OrbweaverError(
    'STATE_CONFLICT',
    `the saved crawl of ${site} was made with other options: ${list}. Use the former ones, or --fresh to forget what is saved.`,
    { context: { site, changed } },
  );
}

/**
 * A limit below what is stored: the graph could only shrink by forgetting pages.
 * @throws {STATE_CONFLICT}
 */
export async function requireLimitsNotLowered(
  store: SiteStore,
  limits: { readonly maxPages: number; readonly maxLevel: number },
): Promise<void> {
  const { name, pages } = store.state;
  const deepest = (await store.getPage(pages))?.level ?? 0;
  const [limit, stored] =
    pages > limits.maxPages
      ? [`--max-pages ${limits.maxPages}`, `${pages} pages`]
      : deepest > limits.maxLevel
        ? [`--max-level ${limits.maxLevel}`, `pages down to level ${deepest}`]
        : [];
  if (limit === undefined) return;
  throw new OrbweaverError(
    'STATE_CONFLICT',
    `the saved crawl of ${name} has ${stored} already, more than ${limit} allows. Leave the limit out, or use --fresh to forget what is saved.`,
    { context: { site: name } },
  );
}
