import type { GraphWriter } from './exporter.ts';

/** `<site>.edges.csv` for Gephi: `Source,Target,Type,Weight`, one row an arc, by source, then target. */
export const edgesCsv: GraphWriter = {
  extension: '.edges.csv',
  async write(graph, sink) {
    sink.write('Source,Target,Type,Weight\n');
    for await (const { source, targets, weights } of graph.arcsBySource()) {
      const head = `${source},`;
      for (let index = 0; index < targets.length; index++) {
        sink.write(`${head}${targets[index]},Directed,${weights[index]}\n`);
        if (sink.isFull) await sink.flush();
      }
    }
  },
};
