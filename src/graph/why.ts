import { findUrl } from '../store/find-url.ts';
import type { Fate, PageRecord, UrlOrigin, UrlRecord } from '../store/records.ts';
import type { SiteStore } from '../store/site-store.ts';
import { REASON_OF_KIND, type LinkReason } from './link-reason.ts';
import { deepestLevel, type GraphLimits } from './unvisited.ts';

/** A page as far as an explanation names it. */
export interface PageName {
  readonly id: number;
  readonly url: string;
  readonly level: number;
  readonly title: string;
}

/** One URL on the way of redirects, and what became of it. */
export interface ChainLink {
  readonly number: number;
  readonly url: string;
  /** `page`, or a word of the `Reason` column. */
  readonly outcome: 'page' | LinkReason;
  /** HTTP status, 0 when there was no answer. */
  readonly status: number;
  /** The rule, error code, media type or limit that decided it; may be empty. */
  readonly detail: string;
}

/** One step of how a URL was found. */
export interface DiscoveryStep {
  readonly url: string;
  /** How this URL was first seen: given by the user, linked by the page of the step before, or a redirect from it. */
  readonly origin: UrlOrigin;
  /** Page at this URL, 0 when it is none. */
  readonly pageId: number;
}

/** Everything that is known about one URL of a site. */
export interface UrlExplanation extends ChainLink {
  /** Clicks from the start page when it was first seen. */
  readonly firstSeenLevel: number;
  /** Where its redirects lead, in order, the last being the end; empty when it does not redirect. */
  readonly redirects: readonly ChainLink[];
  /** The redirects come back to where they were. */
  readonly isLoop: boolean;
  /** Page that links to this URL reach: itself, the end of its redirects, or the page it is a duplicate of. */
  readonly page: PageName | undefined;
  /** Links of a duplicate that lead elsewhere than those of `page`. */
  readonly duplicateLinksLost: number;
  /** First links from the start page to this URL; the last step is the URL itself. */
  readonly discovery: readonly DiscoveryStep[];
}

/**
 * Explains what became of a URL and why. Reads a handful of records.
 * @param key URL key, as the crawl makes it from a URL by its normalisation rules
 * @returns undefined when no link, redirect or seed ever named it
 */
export async function explainUrl(
  store: SiteStore,
  key: string,
  limits: GraphLimits = {},
): Promise<UrlExplanation | undefined> {
  const number = await findUrl(store, key);
  const record = number === 0 ? undefined : await store.getUrl(number);
  if (record === undefined) return undefined;
  const maxLevel = deepestLevel(store.state, limits);
  const first = await readLink(store, record, maxLevel);
  const { redirects, isLoop, end } = await followRedirects(store, first, maxLevel);
  const endFate = end.fate;
  const hasPage = endFate?.type === 'page' || endFate?.type === 'duplicate';
  return {
    ...first.link,
    firstSeenLevel: record.level,
    redirects,
    isLoop,
    page: hasPage && !isLoop ? await nameOf(store, endFate.target) : undefined,
    duplicateLinksLost: first.fate?.type === 'duplicate' ? Number(first.fate.detail) || 0 : 0,
    discovery: await traceDiscovery(store, record),
  };
}

interface ReadLink {
  readonly link: ChainLink;
  readonly fate: Fate | undefined;
}

async function readLink(store: SiteStore, record: UrlRecord, maxLevel: number): Promise<ReadLink> {
  const { number, url, kind, level, rule } = record;
  const fate = await store.getFate(number);
  if (fate !== undefined) {
    const detail = fate.type === 'duplicate' ? '' : fate.detail;
    return { link: { number, url, outcome: fate.type, status: fate.status, detail }, fate };
  }
  if (kind !== 'visit') return { link: { number, url, outcome: REASON_OF_KIND[kind], status: 0, detail: rule }, fate };
  const isDeeper = level > maxLevel;
  const detail = isDeeper ? `level ${level}` : `the crawl ended before its turn: ${store.state.endReason}`;
  return { link: { number, url, outcome: isDeeper ? 'level' : 'limit', status: 0, detail }, fate };
}

async function followRedirects(
  store: SiteStore,
  first: ReadLink,
  maxLevel: number,
): Promise<{ readonly redirects: readonly ChainLink[]; readonly isLoop: boolean; readonly end: ReadLink }> {
  const redirects: ChainLink[] = [];
  const seen = new Set([first.link.number]);
  let end = first;
  while (end.fate?.type === 'redirect') {
    const record = await store.getUrl(end.fate.target);
    if (record === undefined) break;
    end = await readLink(store, record, maxLevel);
    redirects.push(end.link);
    if (seen.has(record.number)) return { redirects, isLoop: true, end };
    seen.add(record.number);
  }
  return { redirects, isLoop: false, end };
}

/** Goes back from a URL to the seed by who named each first: always an earlier URL, so it ends. */
async function traceDiscovery(store: SiteStore, record: UrlRecord): Promise<DiscoveryStep[]> {
  const steps: DiscoveryStep[] = [];
  let current: UrlRecord | undefined = record;
  while (current !== undefined) {
    const fate = await store.getFate(current.number);
    const pageId = fate?.type === 'page' ? fate.target : 0;
    steps.push({ url: current.url, origin: current.origin, pageId });
    if (current.origin === 'seed') break;
    const parent: number =
      current.origin === 'redirect' ? current.from : ((await store.getPage(current.from))?.urlNumber ?? 0);
    if (parent < 1 || parent >= current.number) break;
    current = await store.getUrl(parent);
  }
  return steps.toReversed();
}

async function nameOf(store: SiteStore, id: number): Promise<PageName | undefined> {
  const page: PageRecord | undefined = await store.getPage(id);
  return page === undefined ? undefined : { id, url: page.url, level: page.level, title: page.title };
}
