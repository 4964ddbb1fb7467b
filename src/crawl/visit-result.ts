import type { Fate } from '../store/records.ts';

/** The links of a page, made absolute and counted once per URL key, in order of first occurrence. */
export interface ResolvedLinks {
  readonly keys: readonly string[];
  /** What would be fetched; for `scheme` and `invalid` a bounded text. */
  readonly urls: readonly string[];
  readonly counts: readonly number[];
  /** `http` links may be visited; the others are only listed. `too-long`: beyond what is kept at all. */
  readonly types: readonly LinkType[];
}

export type LinkType = 'http' | 'scheme' | 'invalid' | 'too-long';

/** A 200 text/html answer, read. */
export interface ParsedPage {
  readonly title: string;
  readonly bytes: number;
  readonly digest: Uint8Array;
  readonly flags: number;
  readonly linksCut: number;
  readonly links: ResolvedLinks;
}

/** What one exchange means for the crawl. */
export type HopOutcome =
  | { readonly type: 'page'; readonly page: ParsedPage }
  | {
      readonly type: 'redirect';
      readonly status: number;
      readonly url: string;
      readonly setCookies: readonly string[];
    }
  /** It ends here, and not with a page. */
  | { readonly type: 'end'; readonly fate: Fate }
  /** The crawl is stopping; nothing is known. */
  | { readonly type: 'aborted' };

export interface Hop {
  readonly url: string;
  readonly key: string;
  readonly outcome: HopOutcome;
}

/**
 * One frontier URL with the redirects behind it. `end` says how the chain stopped: with the outcome of its last hop, at a URL
 * whose fate was known or whose kind forbids a visit (its `next`), in a loop, or at the redirect limit.
 */
export interface VisitResult {
  readonly number: number;
  readonly level: number;
  readonly hops: readonly Hop[];
  readonly end: 'hop' | 'next' | 'loop' | 'too-many' | 'aborted';
  readonly next?: { readonly url: string; readonly key: string };
}

/** Rough memory a result holds while it waits for its turn, in bytes. */
export function weighResult(result: VisitResult): number {
  let weight = 512;
  for (const hop of result.hops) {
    weight += 2 * hop.url.length;
    if (hop.outcome.type === 'page') weight += hop.outcome.page.links.keys.length * 200;
  }
  return weight;
}
