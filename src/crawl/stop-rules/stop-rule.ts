import type { Clock } from '../../base/clock.ts';
import type { EndReason, SiteState } from '../../store/records.ts';

export interface StopContext {
  readonly maxLevel: number;
  readonly maxPages: number;
  readonly maxBytes: number;
  /** Milliseconds since the epoch at which the run must end; Infinity for never. */
  readonly deadline: number;
  readonly stopFile: string | undefined;
  /** Aborted by the user's first signal. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** Where the crawl stands when a rule is asked: before the URL that is next in order is visited, and again before it is committed. */
export interface StopPoint {
  readonly state: SiteState;
  readonly nextLevel: number;
}

/**
 * A reason to end before the frontier is empty. Rules of the first kind are judged in commit order, so they give the same
 * result whatever the concurrency; those of the second come from outside, at any time.
 */
export type StopRule =
  | { readonly reason: EndReason; readonly isReached: (point: StopPoint, context: StopContext) => boolean }
  | {
      readonly reason: EndReason;
      /** Calls `stop` when it is time; returns what ends the watch. `stop` may be called at once, and more than once. */
      readonly watch: (stop: () => void, context: StopContext) => () => void;
    };
