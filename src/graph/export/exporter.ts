import type { GraphSource } from '../graph-source.ts';
import type { NodeColumn } from './node-columns.ts';
import type { TextSink } from './text-sink.ts';

export interface ExportOptions {
  /** Node attributes beside the fixed ones. */
  readonly columns?: readonly NodeColumn[];
}

/** Writes one file of a graph as text, piece by piece: its memory does not grow with the graph. */
export interface GraphWriter {
  /** What follows the site's name: `.nodes.csv`. */
  readonly extension: string;
  write(graph: GraphSource, sink: TextSink, options?: ExportOptions): Promise<void>;
}
