import { join } from 'node:path';
import type { GraphSource } from '../graph-source.ts';
import type { SiteGraph } from '../site-graph.ts';
import type { Summary } from '../summary.ts';
import { edgesCsv } from './edges-csv.ts';
import type { ExportOptions, GraphWriter } from './exporter.ts';
import { gexf } from './gexf.ts';
import { graphml } from './graphml.ts';
import { linksCsv } from './links-csv.ts';
import { nodesCsv } from './nodes-csv.ts';
import { writeResultFile } from './result-file.ts';

/** The formats of `--format LIST`, each with the files it makes. A new format is one file and one line here. */
export const GRAPH_FORMATS = {
  'gephi-csv': [nodesCsv, edgesCsv],
  gexf: [gexf],
  graphml: [graphml],
} as const satisfies Record<string, readonly GraphWriter[]>;
export type GraphFormat = keyof typeof GRAPH_FORMATS;

export interface ResultOptions extends ExportOptions {
  /** Folder of the files, made when missing. */
  readonly folder: string;
  /** Default: `gephi-csv`. */
  readonly formats?: readonly GraphFormat[];
  readonly signal?: AbortSignal;
}

/**
 * Writes a graph in the given formats as `<folder>/<name><extension>`, each file whole or not at all.
 * @returns the paths, in the order they were written
 * @throws OrbweaverError STORE_WRITE, naming the file
 */
export async function writeGraphFiles(graph: GraphSource, options: ResultOptions): Promise<string[]> {
  const paths: string[] = [];
  for (const format of new Set(options.formats ?? ['gephi-csv' as const])) {
    for (const writer of GRAPH_FORMATS[format]) {
      const path = join(options.folder, graph.name + writer.extension);
      await writeResultFile(path, (sink) => writer.write(graph, sink, options), options);
      paths.push(path);
    }
  }
  return paths;
}

/** All result files of a crawled site: the graph in the given formats, links.csv and, last, summary.json. Else as `writeGraphFiles`. */
export async function writeSiteFiles(graph: SiteGraph, summary: Summary, options: ResultOptions): Promise<string[]> {
  const paths = await writeGraphFiles(graph, options);
  const linksPath = join(options.folder, graph.name + linksCsv.extension);
  await writeResultFile(linksPath, (sink) => linksCsv.write(graph, sink), options);
  const summaryPath = join(options.folder, `${graph.name}.summary.json`);
  await writeResultFile(
    summaryPath,
    (sink) => {
      sink.write(`${JSON.stringify(summary, undefined, 2)}\n`);
      return Promise.resolve();
    },
    options,
  );
  return [...paths, linksPath, summaryPath];
}
