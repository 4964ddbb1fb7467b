import type { CrawlProgress } from '../crawl/progress.ts';

export interface TimeLimits {
  readonly maxPages: number;
  /** No level limit: the queue will be worked off to its end. */
  readonly endsWithQueue: boolean;
  /** Milliseconds since the epoch; Infinity for none. */
  readonly deadline: number;
}

/**
 * Milliseconds until a crawl ends, where that can be known: by the limit of pages, by the deadline, and, when the queue has begun to
 * shrink and no level limit leaves a rest in it, by the queue. A queue that still grows tells nothing.
 */
export class TimeLeft {
  readonly #limits: TimeLimits;
  #peak = 0;
  #peakAt = 0;

  constructor(limits: TimeLimits) {
    this.#limits = limits;
  }

  /** @param now milliseconds since the epoch */
  estimate(progress: CrawlProgress, now: number): number | undefined {
    const { pages, queued, pagesPerSecond } = progress;
    const { maxPages, endsWithQueue, deadline } = this.#limits;
    if (queued >= this.#peak) {
      this.#peak = queued;
      this.#peakAt = now;
    }
    const ends: number[] = [];
    if (deadline !== Infinity) ends.push(deadline - now);
    if (maxPages !== Infinity && pagesPerSecond > 0) ends.push(((maxPages - pages) * 1000) / pagesPerSecond);
    const shrunkBy = this.#peak - queued;
    if (endsWithQueue && shrunkBy > this.#peak / 20) ends.push((queued * (now - this.#peakAt)) / shrunkBy);
    return ends.length === 0 ? undefined : Math.max(0, Math.min(...ends));
  }
}
