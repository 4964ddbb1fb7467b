import type { GivenCookie } from '../fetch/cookie-jar.ts';
import type { LinkKind } from '../web/scan-result.ts';
import type { NormalizeRule } from '../web/url-key.ts';

/** Options of a crawl after defaults, files and flags are merged. The schema that makes it from text is in `app/options.ts`. */
export interface CrawlOptions {
  /** Deepest level that is fetched; Infinity for no limit. */
  readonly maxLevel: number;
  /** Pages (nodes) after which the crawl of a site ends; Infinity for no limit. */
  readonly maxPages: number;
  /** Body bytes per site; Infinity for no limit. */
  readonly maxBytes: number;
  /** Largest decoded body of one page. */
  readonly maxSizeBytes: number;
  /** One exchange, from connect to last byte. */
  readonly requestTimeoutMs: number;
  /** Connections per site; undefined: 2. */
  readonly concurrency: number | undefined;
  /** Pause per connection; undefined: 250 on public hosts (grown with the answer time), 0 on loopback. */
  readonly delayMs: number | undefined;
  readonly robots: 'obey' | 'strict' | 'ignore';
  readonly userAgent: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly keywords: readonly string[];
  readonly normalize: readonly NormalizeRule[];
  readonly sameScheme: boolean;
  readonly keepDuplicates: boolean;
  readonly followMetaRefresh: boolean;
  readonly links: readonly LinkKind[];
  readonly scope: 'site' | 'directory';
  readonly retryBroken: boolean;
  /** Pages per URL pattern; undefined: no budgets. */
  readonly trapBudget: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Cookies given by the user, each for its host. */
  readonly cookies: readonly GivenCookie[];
  readonly allowPrivate: boolean;
}

/** One site to crawl, with what the hosts file says of it. */
export interface SeedRequest {
  readonly url: string;
  readonly concurrency?: number;
  readonly maxLevel?: number;
  readonly delayMs?: number;
}
