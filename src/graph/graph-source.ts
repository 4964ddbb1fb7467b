/** A node as the result files show it. */
export interface GraphNode {
  /** Dense, from 1. */
  readonly id: number;
  /** Path and query of the URL, as they are in it. */
  readonly label: string;
  readonly url: string;
  readonly level: number;
  /** Distinct other pages that link here, and that are linked from here. */
  readonly inDegree: number;
  readonly outDegree: number;
  /** `<a>` occurrences that lead to the page itself. */
  readonly selfLinks: number;
  /** `<a>` occurrences that leave the site. */
  readonly externalLinks: number;
  readonly title: string;
  /** Length of the decoded body. */
  readonly bytes: number;
  /** SHA-256 of the decoded body, lower-case hex without a prefix. */
  readonly digest: string;
}

/** The arcs of one page: targets ascending, each once, never the page itself; `weights[i]` links lead to `targets[i]`. */
export interface SourceArcs {
  readonly source: number;
  readonly targets: Uint32Array;
  readonly weights: Uint32Array;
}

/** A directed graph that can be read more than once, in id order, without being held in memory. What exporters write. */
export interface GraphSource {
  /** For people: `example.com`. */
  readonly name: string;
  readonly pages: number;
  readonly arcs: number;
  nodes(): AsyncIterable<GraphNode>;
  /** By source, ascending; pages without arcs are left out. */
  arcsBySource(): AsyncIterable<SourceArcs>;
}
