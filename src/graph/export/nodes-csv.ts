import { csvField } from './csv.ts';
import type { GraphWriter } from './exporter.ts';
import { NODE_COLUMNS } from './node-columns.ts';

/** `<site>.nodes.csv` for Gephi: `Id,Label`, the fixed columns, then any given ones. UTF-8, RFC 4180 with `\n`. */
export const nodesCsv: GraphWriter = {
  extension: '.nodes.csv',
  async write(graph, sink, options = {}) {
    const columns = [...NODE_COLUMNS, ...(options.columns ?? [])];
    sink.write(`Id,Label,${columns.map((column) => csvField(column.header)).join(',')}\n`);
    for await (const node of graph.nodes()) {
      let row = `${node.id},${csvField(node.label)}`;
      for (const column of columns) row += `,${csvField(column.valueOf(node))}`;
      sink.write(`${row}\n`);
      if (sink.isFull) await sink.flush();
    }
  },
};
