import { describeExporter } from '../conformance/exporter.ts';
import {
  readGephiCsv,
  readGephiCsvByPapaparse,
  readGexf,
  readGexfByGraphology,
  readGraphml,
  readGraphmlByGraphology,
} from '../support/read-graph.ts';

describeExporter('gephi-csv', { 'our own reader': readGephiCsv, papaparse: readGephiCsvByPapaparse });
describeExporter('gexf', { 'our own reader': readGexf, 'graphology-gexf': readGexfByGraphology });
describeExporter('graphml', { 'our own reader': readGraphml, 'graphology-graphml': readGraphmlByGraphology });
