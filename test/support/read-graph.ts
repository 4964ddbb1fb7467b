import { createRequire } from 'node:module';
import { DOMParser, Document } from '@xmldom/xmldom';
import { MultiGraph } from 'graphology';
import Papa from 'papaparse';
import { readCsv } from './read-csv.ts';
import { readXml, type XmlElement } from './read-xml.ts';

/** A graph as it was read from a file: attributes by lower-case name, as text; arcs as `[source, target, weight]`. */
export interface ReadGraph {
  readonly nodes: readonly { readonly id: number; readonly attributes: Readonly<Record<string, string>> }[];
  readonly arcs: readonly (readonly [source: number, target: number, weight: number])[];
}

export type GraphReader = (texts: readonly string[]) => ReadGraph;

const lowerNames = (attributes: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name.toLowerCase(), String(value)]));

function fromRows(nodes: readonly Record<string, string>[], edges: readonly Record<string, string>[]): ReadGraph {
  return {
    nodes: nodes.map(({ Id, ...attributes }) => ({ id: Number(Id), attributes: lowerNames(attributes) })),
    arcs: edges.map(({ Source, Target, Type, Weight }) => {
      if (Type !== 'Directed') throw new Error(`type ${Type}`);
      return [Number(Source), Number(Target), Number(Weight)];
    }),
  };
}

export const readGephiCsv: GraphReader = ([nodes = '', edges = '']) => fromRows(readCsv(nodes), readCsv(edges));

export const readGephiCsvByPapaparse: GraphReader = (texts) => {
  const [nodes = [], edges = []] = texts.map((text) => {
    const { data, errors } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
    // With one column or none to guess from it says so; that is no fault of the file.
    const faults = errors.filter((error) => error.code !== 'UndetectableDelimiter');
    if (faults.length > 0) throw new Error(JSON.stringify(faults));
    return data;
  });
  return fromRows(nodes, edges);
};

function child(element: XmlElement, name: string): XmlElement {
  const found = element.children.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no <${name}> in <${element.name}>`);
  return found;
}

export const readGexf: GraphReader = ([text = '']) => {
  const root = readXml(text);
  if (root.attributes['version'] !== '1.3' || root.attributes['xmlns'] !== 'http://gexf.net/1.3')
    throw new Error('head');
  const graph = child(root, 'graph');
  const titles = new Map(
    child(graph, 'attributes').children.map(({ attributes }) => [attributes['id'], attributes['title']]),
  );
  const nodes = child(graph, 'nodes');
  const edges = child(graph, 'edges');
  if (Number(nodes.attributes['count']) !== nodes.children.length) throw new Error('count of nodes');
  if (Number(edges.attributes['count']) !== edges.children.length) throw new Error('count of edges');
  return {
    nodes: nodes.children.map((node) => ({
      id: Number(node.attributes['id']),
      attributes: lowerNames({
        label: node.attributes['label'],
        ...Object.fromEntries(
          child(node, 'attvalues').children.map(({ attributes }) => [
            titles.get(attributes['for']),
            attributes['value'],
          ]),
        ),
      }),
    })),
    arcs: edges.children.map(({ attributes }) => [
      Number(attributes['source']),
      Number(attributes['target']),
      Number(attributes['weight']),
    ]),
  };
};

export const readGraphml: GraphReader = ([text = '']) => {
  const root = readXml(text);
  const keys = new Map(
    root.children
      .filter(({ name }) => name === 'key')
      .map(({ attributes }) => [attributes['id'], attributes['attr.name']]),
  );
  const graph = child(root, 'graph');
  if (graph.attributes['edgedefault'] !== 'directed') throw new Error('not directed');
  return {
    nodes: graph.children
      .filter(({ name }) => name === 'node')
      .map((node) => ({
        id: Number(node.attributes['id']),
        attributes: lowerNames(
          Object.fromEntries(node.children.map((data) => [keys.get(data.attributes['key']), data.text])),
        ),
      })),
    arcs: graph.children
      .filter(({ name }) => name === 'edge')
      .map((edge) => [
        Number(edge.attributes['source']),
        Number(edge.attributes['target']),
        Number(child(edge, 'data').text),
      ]),
  };
};

type Parse = (constructor: typeof MultiGraph, source: string) => MultiGraph;
type ParserFactory = (parser: typeof DOMParser, document: typeof Document) => Parse;

function fromGraphology(parse: Parse): GraphReader {
  return ([text = '']) => {
    const graph = parse(MultiGraph, text);
    return {
      nodes: graph.mapNodes((id, attributes) => ({ id: Number(id), attributes: lowerNames(attributes) })),
      arcs: graph.mapEdges((_, attributes, source, target) => [
        Number(source),
        Number(target),
        Number(attributes['weight']),
      ]),
    };
  };
}

/** Throws at whatever the parser complains about. */
class StrictDomParser extends DOMParser {
  constructor() {
    super({
      onError: (level, message) => {
        // U+FFFD is what we put in the place of forbidden characters.
        if (level === 'warning' && message.startsWith('Unicode replacement character')) return;
        throw new Error(`${level}: ${message}`);
      },
    });
  }
}

/** Their parsers without their own, more forgiving, choice of a DOM; not among the declared types. */
const load = createRequire(import.meta.url) as (id: string) => ParserFactory;
const parserOf = (id: string): GraphReader => fromGraphology(load(id)(StrictDomParser, Document));

export const readGexfByGraphology: GraphReader = parserOf('graphology-gexf/common/parser.js');
export const readGraphmlByGraphology: GraphReader = parserOf('graphology-graphml/common/parser.js');
