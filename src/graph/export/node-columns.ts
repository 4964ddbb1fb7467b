import type { GraphNode } from '../graph-source.ts';
import { cleanTitle } from './clean-text.ts';

/** `long` and `double` are words of both GEXF and GraphML; whole numbers are `integer` in the one and `int` in the other. */
export type ColumnType = 'string' | 'integer' | 'long' | 'double';

/**
 * One attribute of a node in all files. What is computed later (a community, PageRank) is one more column, given to the
 * exporters in `ExportOptions.columns`; the value comes from the node's id.
 */
export interface NodeColumn {
  /** Header in nodes.csv; later files keep the fixed columns first. */
  readonly header: string;
  /** Attribute name in GEXF and GraphML. */
  readonly name: string;
  readonly type: ColumnType;
  readonly valueOf: (node: GraphNode) => string | number;
}

/** The fixed columns of nodes.csv after `Id` and `Label`, in their order. */
export const NODE_COLUMNS: readonly NodeColumn[] = [
  { header: 'Url', name: 'url', type: 'string', valueOf: (node) => node.url },
  { header: 'Level', name: 'level', type: 'integer', valueOf: (node) => node.level },
  { header: 'InDegree', name: 'inDegree', type: 'integer', valueOf: (node) => node.inDegree },
  { header: 'OutDegree', name: 'outDegree', type: 'integer', valueOf: (node) => node.outDegree },
  { header: 'SelfLinks', name: 'selfLinks', type: 'integer', valueOf: (node) => node.selfLinks },
  { header: 'ExternalLinks', name: 'externalLinks', type: 'integer', valueOf: (node) => node.externalLinks },
  { header: 'Title', name: 'title', type: 'string', valueOf: (node) => cleanTitle(node.title) },
  { header: 'Bytes', name: 'bytes', type: 'long', valueOf: (node) => node.bytes },
  { header: 'Digest', name: 'digest', type: 'string', valueOf: (node) => node.digest },
];
