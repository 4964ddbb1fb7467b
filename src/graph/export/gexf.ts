import type { GraphWriter } from './exporter.ts';
import { NODE_COLUMNS } from './node-columns.ts';
import { xmlText } from './xml.ts';

/**
 * `<site>.gexf`, GEXF 1.3. The `viz` name space is declared so that colours can be added without touching the head; edges have no
 * id (optional since 1.2) and no date stands in it, so that equal graphs give equal files.
 */
export const gexf: GraphWriter = {
  extension: '.gexf',
  async write(graph, sink, options = {}) {
    const columns = [...NODE_COLUMNS, ...(options.columns ?? [])];
    sink.write('<?xml version="1.0" encoding="UTF-8"?>\n');
    sink.write('<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">\n');
    sink.write(`<meta><creator>Orbweaver</creator><description>${xmlText(graph.name)}</description></meta>\n`);
    sink.write('<graph defaultedgetype="directed" mode="static" idtype="integer">\n');
    sink.write('<attributes class="node" mode="static">\n');
    for (const { name, type } of columns) {
      sink.write(`<attribute id="${xmlText(name)}" title="${xmlText(name)}" type="${type}"/>\n`);
    }
    sink.write(`</attributes>\n<nodes count="${graph.pages}">\n`);
    for await (const node of graph.nodes()) {
      let element = `<node id="${node.id}" label="${xmlText(node.label)}"><attvalues>`;
      for (const column of columns) {
        element += `<attvalue for="${xmlText(column.name)}" value="${xmlText(column.valueOf(node))}"/>`;
      }
      sink.write(`${element}</attvalues></node>\n`);
      if (sink.isFull) await sink.flush();
    }
    sink.write(`</nodes>\n<edges count="${graph.arcs}">\n`);
    for await (const { source, targets, weights } of graph.arcsBySource()) {
      const head = `<edge source="${source}" target="`;
      for (let index = 0; index < targets.length; index++) {
        sink.write(`${head}${targets[index]}" weight="${weights[index]}"/>\n`);
        if (sink.isFull) await sink.flush();
      }
    }
    sink.write('</edges>\n</graph>\n</gexf>\n');
  },
};
