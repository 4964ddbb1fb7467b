import type { EndReason } from '../store/records.ts';
import type { SiteStore } from '../store/site-store.ts';
import { LINK_REASONS, type LinkReason } from './link-reason.ts';
import type { SiteGraph } from './site-graph.ts';

/** What the summary says that the store does not know. */
export interface SummaryExtra {
  /** Of Orbweaver. */
  readonly version: string;
  /** Options of the run, without those of speed. Default: those kept in the store. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** HTTP requests sent, when they were counted. */
  readonly requests?: number;
}

/**
 * `<site>.summary.json`. `links`, `selfLinks`, `externalLinks` count `<a>` occurrences; the other counts are of distinct URL keys, each
 * by what became of the URL itself: a URL that redirects is in `redirects`, and what it leads to is counted on its own.
 * So `urls` = `pages` + the sum of `reasons`.
 */
export interface Summary {
  readonly site: string;
  /** As given. */
  readonly seed: string;
  /** URL of page 1: where the seed led; empty without pages. */
  readonly startPage: string;
  readonly endReason: EndReason | 'running';
  /**
   * The whole site as the options define it: the crawl ended by itself (`done`) and no limit of ours left anything out: no URL is
   * `level`, `limit`, `size`, `too-long` or `trap`, and no page had more links than are kept. What the user (`filter`, `scope`), the site
   * (`robots`) or the net (`broken`, `unreachable`, `timeout`) left out does not make it false, nor do duplicates.
   */
  readonly complete: boolean;
  readonly pages: number;
  readonly arcs: number;
  readonly links: number;
  readonly selfLinks: number;
  readonly externalLinks: number;
  /** Distinct link targets that are no URL of the site: on other hosts, of other schemes (`mailto:`), or no URL at all. */
  readonly externalUrls: number;
  readonly duplicates: number;
  /** Links of duplicates that lead elsewhere than those of the page that stands for them: what folding left out. */
  readonly duplicateLinksLost: number;
  readonly redirects: number;
  /** 4xx and 5xx, and redirects that lead nowhere. */
  readonly broken: number;
  readonly unreachable: number;
  readonly timeouts: number;
  readonly robotsDenied: number;
  readonly notHtml: number;
  readonly traps: number;
  /** `<a>` occurrences beyond the limit per page. */
  readonly linksCut: number;
  /** Distinct URL keys ever seen. */
  readonly urls: number;
  readonly reasons: Readonly<Record<LinkReason, number>>;
  /** Pages by level, from 0. */
  readonly levels: readonly number[];
  /** Body bytes of the answers that were read. */
  readonly bytes: number;
  readonly requests?: number;
  readonly options: Readonly<Record<string, unknown>>;
  readonly version: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly finishedAt: string;
}

/** Reasons that say a limit of ours kept a part of the site out of the graph. */
const CUTS: readonly LinkReason[] = ['level', 'limit', 'size', 'too-long', 'trap'];

/** The order of the keys is fixed: the same site gives the same bytes but for times and `requests`. */
export function buildSummary(store: SiteStore, graph: SiteGraph, extra: SummaryExtra): Summary {
  const { state } = store;
  const { ownReasons, duplicateLinksLost } = graph.resolution;
  const { links, selfLinks, externalLinks, linksCut, levels } = graph.totals;
  return {
    site: state.name,
    seed: state.seed,
    startPage: graph.startPage,
    endReason: state.endReason,
    complete: state.endReason === 'done' && linksCut === 0 && CUTS.every((reason) => ownReasons[reason] === 0),
    pages: graph.pages,
    arcs: graph.arcs,
    links,
    selfLinks,
    externalLinks,
    externalUrls: ownReasons.external + ownReasons.scheme,
    duplicates: ownReasons.duplicate,
    duplicateLinksLost,
    redirects: ownReasons.redirect,
    broken: ownReasons.broken,
    unreachable: ownReasons.unreachable,
    timeouts: ownReasons.timeout,
    robotsDenied: ownReasons.robots,
    notHtml: ownReasons['not-html'],
    traps: ownReasons.trap,
    linksCut,
    urls: graph.resolution.urls,
    reasons: Object.fromEntries(LINK_REASONS.map((reason) => [reason, ownReasons[reason]])) as Record<
      LinkReason,
      number
    >,
    levels,
    bytes: state.bytes,
    ...(extra.requests !== undefined && { requests: extra.requests }),
    options: extra.options ?? state.graphOptions,
    version: extra.version,
    startedAt: state.startedAt,
    finishedAt: state.finishedAt,
  };
}
