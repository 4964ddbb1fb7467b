import type { GraphWriter } from './exporter.ts';
import { NODE_COLUMNS, type ColumnType } from './node-columns.ts';
import { xmlText } from './xml.ts';

const GRAPHML_TYPES: Readonly<Record<ColumnType, string>> = {
  string: 'string',
  integer: 'int',
  long: 'long',
  double: 'double',
};

/** `<site>.graphml`, GraphML 1.0 with typed keys; the label is the key `label`, the weight of an edge the key `weight`, as Gephi and networkx read them. */
export const graphml: GraphWriter = {
  extension: '.graphml',
  async write(graph, sink, options = {}) {
    const columns = [...NODE_COLUMNS, ...(options.columns ?? [])];
    sink.write('<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n');
    sink.write('<key id="label" for="node" attr.name="label" attr.type="string"/>\n');
    for (const { name, type } of columns) {
      sink.write(
        `<key id="${xmlText(name)}" for="node" attr.name="${xmlText(name)}" attr.type="${GRAPHML_TYPES[type]}"/>\n`,
      );
    }
    sink.write('<key id="weight" for="edge" attr.name="weight" attr.type="double"/>\n');
    sink.write(`<graph id="${xmlText(graph.name)}" edgedefault="directed">\n`);
    for await (const node of graph.nodes()) {
      let element = `<node id="${node.id}"><data key="label">${xmlText(node.label)}</data>`;
      for (const column of columns) {
        element += `<data key="${xmlText(column.name)}">${xmlText(column.valueOf(node))}</data>`;
      }
      sink.write(`${element}</node>\n`);
      if (sink.isFull) await sink.flush();
    }
    for await (const { source, targets, weights } of graph.arcsBySource()) {
      const head = `<edge source="${source}" target="`;
      for (let index = 0; index < targets.length; index++) {
        sink.write(`${head}${targets[index]}"><data key="weight">${weights[index]}</data></edge>\n`);
        if (sink.isFull) await sink.flush();
      }
    }
    sink.write('</graph>\n</graphml>\n');
  },
};
