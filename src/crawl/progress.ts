/** Where the crawl of one site stands; pulled, never pushed, so that the crawl does not depend on who looks. */
export interface CrawlProgress {
  readonly site: string;
  readonly state: 'starting' | 'crawling' | 'stopping' | 'writing' | 'ended';
  readonly pages: number;
  /** URLs known and not yet visited. */
  readonly queued: number;
  /** Level of the URL committed last. */
  readonly level: number;
  /** URLs that are broken or did not answer. */
  readonly errors: number;
  /** Decoded bytes of pages. */
  readonly bytes: number;
  readonly inFlight: number;
  /** Over the last seconds. */
  readonly pagesPerSecond: number;
}

/** Pages a second over a sliding window of the last snapshots. */
export class RateMeter {
  readonly #samples: { readonly at: number; readonly pages: number }[] = [];

  /** @param at milliseconds */
  sample(at: number, pages: number): number {
    this.#samples.push({ at, pages });
    while (this.#samples.length > 2 && at - (this.#samples[0]?.at ?? at) > WINDOW_MS) this.#samples.shift();
    const first = this.#samples[0];
    return first === undefined || at <= first.at ? 0 : ((pages - first.pages) * 1_000) / (at - first.at);
  }
}

const WINDOW_MS = 5_000;
