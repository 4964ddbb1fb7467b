/**
 * What the store knows about one site. Three kinds of record: a URL as it was first seen (written once), what became of it
 * (its fate, written once, when it is its turn in the frontier), and a page with its links.
 */

/** Where a URL stands by what is known before any request: only `visit` URLs are ever fetched. */
export const URL_KINDS = ['visit', 'external', 'scheme', 'invalid', 'scope', 'filter', 'too-long', 'trap'] as const;
export type UrlKind = (typeof URL_KINDS)[number];

/** Who first named a URL: the user, an `<a>` of a page (`from` is the page's id), or a redirect (`from` is the number of the redirecting URL). */
export const URL_ORIGINS = ['seed', 'link', 'redirect'] as const;
export type UrlOrigin = (typeof URL_ORIGINS)[number];

export interface UrlRecord {
  /** Dense, from 1, in breadth-first order of first sight: the frontier is the `visit` URLs in this order. */
  readonly number: number;
  /** As first linked, absolute, without fragment; what is fetched. For `scheme`, `invalid`, `too-long` a bounded text. */
  readonly url: string;
  readonly kind: UrlKind;
  /** Clicks from the start page when first seen. */
  readonly level: number;
  readonly origin: UrlOrigin;
  readonly from: number;
  /** The rule that decided the kind, for people (`--exclude /print/`, `repeated path segment "a"`); empty for `visit`. */
  readonly rule: string;
}

/** What became of a `visit` URL. The names are those of the `Reason` column of links.csv, plus `page` and `leaves` (a redirect out of the site or into a URL that is not visited). */
export const FATES = [
  'page',
  'duplicate',
  'redirect',
  'broken',
  'unreachable',
  'timeout',
  'robots',
  'not-html',
  'size',
  'address',
  'trap',
  'filter',
  'scope',
] as const;
export type FateType = (typeof FATES)[number];

export interface Fate {
  readonly type: FateType;
  /** HTTP status of the last answer, 0 when there was none. */
  readonly status: number;
  /** `page`, `duplicate`: page id. `redirect`: number of the URL it leads to (follow it for the end). Else 0. */
  readonly target: number;
  /** For people: error code, media type, robots rule, limit. For `duplicate`, the number of the duplicate's own links that lead elsewhere. */
  readonly detail: string;
}

/** A link of a page: URL number and how often. Sorted by number. */
export interface PageLinks {
  readonly numbers: Uint32Array;
  readonly counts: Uint32Array;
}

export interface PageRecord {
  /** Dense, from 1, in breadth-first order: the `Id` of nodes.csv. */
  readonly id: number;
  /** Number of its URL (the final one after redirects). */
  readonly urlNumber: number;
  readonly url: string;
  readonly level: number;
  readonly title: string;
  /** Length of the decoded body. */
  readonly bytes: number;
  /** SHA-256 of the decoded body, 32 bytes. */
  readonly digest: Uint8Array;
  /** `<a>` links beyond the limit per page, not kept. */
  readonly linksCut: number;
  /** Bit set of PAGE_FLAGS. */
  readonly flags: number;
  readonly links: PageLinks;
}

export const PAGE_FLAGS = {
  metaNofollow: 1,
  metaNoindex: 2,
  headerNofollow: 4,
  headerNoindex: 8,
  refresh: 16,
} as const;

/** Why a crawl ended; `running` while none of these holds. */
export const END_REASONS = [
  'done',
  'level',
  'pages',
  'bytes',
  'timeout',
  'stop-file',
  'signal',
  'site-dead',
  'robots-unreachable',
  'start-denied',
  'start-unreachable',
  'trap',
] as const;
export type EndReason = (typeof END_REASONS)[number];

/** The small record of a site that is rewritten with every commit. Plain JSON. */
export interface SiteState {
  /** `example.com`, `127.0.0.1_8101`: the name of the result files. */
  readonly name: string;
  /** What the user asked for, as a URL. */
  readonly seed: string;
  /** Options that shape the graph; a run with others must say --fresh. */
  readonly graphOptions: Readonly<Record<string, unknown>>;
  /** Number of URLs known, 0 before the seed is in. */
  readonly urls: number;
  readonly pages: number;
  /** Every URL up to this number has its fate (or needs none). */
  readonly committed: number;
  readonly endReason: EndReason | 'running';
  /** `visit` URLs without a fate. */
  readonly queued: number;
  /** URLs whose fate is broken, unreachable or timeout. */
  readonly failures: number;
  /** URLs left out as traps. */
  readonly traps: number;
  /** Body bytes of committed answers. */
  readonly bytes: number;
  /** ISO 8601, of the first start and of the last end. */
  readonly startedAt: string;
  readonly finishedAt: string;
  /** Milliseconds spent crawling, over all runs. */
  readonly elapsedMs: number;
}

/** robots.txt of one origin as it was last fetched. */
export interface RobotsRecord {
  readonly origin: string;
  /** `found`: text holds; `unavailable` (4xx): all allowed; `unreachable` (5xx, no answer): all denied. */
  readonly state: 'found' | 'unavailable' | 'unreachable';
  readonly status: number;
  readonly text: string;
  readonly detail: string;
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number;
}
