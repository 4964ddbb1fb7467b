import type { SourceArcs } from './graph-source.ts';

/** 32-bit words kept at most (16 MiB): sites of some ten thousand pages fit, larger ones are read from the store again. */
const MAX_WORDS = 4 * 2 ** 20;

/** The links of a page that are no plain arcs, in the order of the store. */
export interface PageNotices {
  readonly source: number;
  /** Number and count, number and count … */
  readonly pairs: Uint32Array;
  /** Links beyond the limit per page. */
  readonly linksCut: number;
}

/**
 * What the first pass over the pages found, kept for the passes that write the files, as long as it is small. Decoding the links
 * of every page three times would be most of the work of writing the results of a usual site.
 */
export class LinkBuffer {
  #words = new Uint32Array(64 * 1024);
  #length = 0;
  #isWhole = true;

  /** False once something did not fit: then the buffer holds nothing. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  add({ source, targets, weights }: SourceArcs, { pairs, linksCut }: PageNotices): void {
    if (!this.#isWhole) return;
    const needed = this.#length + 4 + 2 * targets.length + pairs.length;
    if (needed > MAX_WORDS) {
      this.#isWhole = false;
      this.#words = new Uint32Array(0);
      return;
    }
    if (needed > this.#words.length) {
      const grown = new Uint32Array(Math.min(MAX_WORDS, Math.max(needed, this.#words.length * 2)));
      grown.set(this.#words.subarray(0, this.#length));
      this.#words = grown;
    }
    const words = this.#words;
    const at = this.#length;
    words[at] = source;
    words[at + 1] = targets.length;
    words[at + 2] = pairs.length;
    words[at + 3] = linksCut;
    words.set(targets, at + 4);
    words.set(weights, at + 4 + targets.length);
    words.set(pairs, at + 4 + 2 * targets.length);
    this.#length = needed;
  }

  *pages(): Generator<{ readonly arcs: SourceArcs; readonly notices: PageNotices }, void, undefined> {
    const words = this.#words;
    for (let at = 0; at < this.#length;) {
      const source = words[at] as number;
      const arcs = words[at + 1] as number;
      const pairs = words[at + 2] as number;
      const linksCut = words[at + 3] as number;
      const from = at + 4;
      const end = from + 2 * arcs + pairs;
      yield {
        arcs: {
          source,
          targets: words.subarray(from, from + arcs),
          weights: words.subarray(from + arcs, from + 2 * arcs),
        },
        notices: { source, pairs: words.subarray(from + 2 * arcs, end), linksCut },
      };
      at = end;
    }
  }
}
