import type { SiteState } from '../store/records.ts';

/** Limits under which a site was crawled, as far as they explain what was left out. */
export interface GraphLimits {
  /** Deepest level that was fetched; Infinity for no limit. Default: what the end reason of the site allows to say. */
  readonly maxLevel?: number | undefined;
}

/**
 * The deepest level that counts as fetched: a `visit` URL without a fate is `level` when it lies deeper, else `limit`.
 * When the caller does not know the limit, a crawl that ended by `level` left nothing else behind.
 */
export function deepestLevel(state: SiteState, limits: GraphLimits): number {
  if (limits.maxLevel !== undefined) return limits.maxLevel;
  return state.endReason === 'level' ? -1 : Infinity;
}
