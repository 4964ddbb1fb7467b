import type { PageRecord } from '../store/records.ts';
import type { SourceArcs } from './graph-source.ts';
import type { LinkResolution } from './link-resolution.ts';

/**
 * Folds the links of a page into arcs: URLs that end at the same page are one arc, self-links are none.
 * Memory: 8 bytes a page of the site, whatever the number of links.
 */
export class ArcFolder {
  readonly #resolution: LinkResolution;
  /** By page id; all zero between two calls. */
  readonly #weights: Uint32Array;
  readonly #targets: Uint32Array;

  constructor(resolution: LinkResolution, pages: number) {
    this.#resolution = resolution;
    this.#weights = new Uint32Array(pages + 1);
    this.#targets = new Uint32Array(pages + 1);
  }

  fold({ id, links }: Pick<PageRecord, 'id' | 'links'>): SourceArcs {
    const weights = this.#weights;
    const targets = this.#targets;
    const { numbers, counts } = links;
    let length = 0;
    let isSorted = true;
    for (let index = 0; index < numbers.length; index++) {
      const page = this.#resolution.pageOf(numbers[index] as number);
      if (page === 0 || page === id) continue;
      const weight = weights[page] as number;
      if (weight === 0) {
        isSorted &&= length === 0 || page > (targets[length - 1] as number);
        targets[length++] = page;
      }
      weights[page] = weight + (counts[index] as number);
    }
    const folded = targets.slice(0, length);
    // URL numbers and page ids grow together: only redirects and duplicates put a page out of order.
    if (!isSorted) folded.sort();
    const foldedWeights = new Uint32Array(length);
    for (let index = 0; index < length; index++) {
      const page = folded[index] as number;
      foldedWeights[index] = weights[page] as number;
      weights[page] = 0;
    }
    return { source: id, targets: folded, weights: foldedWeights };
  }
}
