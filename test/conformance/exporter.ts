import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GRAPH_FORMATS, writeGraphFiles, type GraphFormat } from '../../src/graph/export/index.ts';
import type { NodeColumn } from '../../src/graph/export/node-columns.ts';
import { TextSink } from '../../src/graph/export/text-sink.ts';
import type { GraphNode, GraphSource, SourceArcs } from '../../src/graph/graph-source.ts';
import { nastyText } from '../support/random-site.ts';
import type { GraphReader, ReadGraph } from '../support/read-graph.ts';

const MAX_PIECE_CHARS = 64 * 1024 + 4_096;

/** What every graph format must do. `readers`: one of ours, and at least one of other people. */
export function describeExporter(format: GraphFormat, readers: Readonly<Record<string, GraphReader>>): void {
  describe(`the format ${format}, as every graph format,`, () => {
    for (const [name, read] of Object.entries(readers)) {
      it(`is read back by ${name} as the graph it was made from`, async () => {
        await inDirectory(async (folder) => {
          await fc.assert(
            fc.asyncProperty(randomGraph, async (graph) => {
              expect(read(await write(format, graph, folder))).toEqual(expectedOf(graph, []));
            }),
            { numRuns: 150 },
          );
        });
      });

      it(`is read back by ${name} when it is one page without arcs`, async () => {
        await inDirectory(async (folder) => {
          const graph = makeGraph([{ label: '/', title: '', arcs: [] }]);
          expect(read(await write(format, graph, folder))).toEqual(expectedOf(graph, []));
        });
      });

      it(`is read back by ${name} with the columns that were added`, async () => {
        await inDirectory(async (folder) => {
          const graph = makeGraph(
            Array.from({ length: 3 }, (_, index) => ({ label: `/${index}`, title: 't', arcs: [] })),
          );
          const columns: NodeColumn[] = [
            { header: 'Community', name: 'community', type: 'integer', valueOf: ({ id }) => id % 2 },
            { header: 'PageRank', name: 'pageRank', type: 'double', valueOf: ({ id }) => 1 / id / 1e9 },
            { header: 'Note, "quoted"', name: 'note, "quoted"', type: 'string', valueOf: () => '<a> & "b"' },
          ];
          expect(read(await write(format, graph, folder, columns))).toEqual(expectedOf(graph, columns));
        });
      });
    }

    it('holds no character that XML 1.0 forbids, and is valid UTF-8', async () => {
      await inDirectory(async (folder) => {
        await fc.assert(
          fc.asyncProperty(randomGraph, async (graph) => {
            for (const text of await write(format, graph, folder)) {
              expect(text).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
              expect(text).not.toMatch(/[\t\r\u0085\u2028\u2029]/);
            }
          }),
          { numRuns: 100 },
        );
      });
    });

    it('keeps the length of its pieces bounded, and reads nothing more of the graph while the disk is busy', async () => {
      for (const writer of GRAPH_FORMATS[format]) {
        const pulled = { count: 0 };
        const graph = largeGraph(2_000, pulled);
        let longest = 0;
        let pieces = 0;
        const sink = new TextSink({
          async writeFile(text) {
            longest = Math.max(longest, text.length);
            pieces++;
            const before = pulled.count;
            await new Promise((resolve) => setTimeout(resolve, 1));
            expect(pulled.count).toBe(before);
          },
        });
        await writer.write(graph, sink);
        await sink.flush();
        expect(longest).toBeLessThan(MAX_PIECE_CHARS);
        expect(pieces).toBeGreaterThan(2);
      }
    });

    it('gives the same bytes for the same graph', async () => {
      await inDirectory(async (folder) => {
        const graph = largeGraph(200, { count: 0 });
        expect(await write(format, graph, folder)).toEqual(await write(format, graph, folder));
        expect((await readdir(folder)).toSorted()).toEqual(
          GRAPH_FORMATS[format].map(({ extension }) => `site.test${extension}`).toSorted(),
        );
      });
    });
  });
}

interface NodeSpec {
  readonly label: string;
  readonly title: string;
  /** [target index, weight]. */
  readonly arcs: readonly (readonly [number, number])[];
}

const randomGraph: fc.Arbitrary<GraphSource & { readonly list: readonly NodeSpec[] }> = fc
  .array(
    fc.record({
      label: nastyText.map((text) => `/${text}`),
      title: nastyText,
      arcs: fc.array(fc.tuple(fc.nat({ max: 20 }), fc.integer({ min: 1, max: 2 ** 31 })), { maxLength: 6 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map(makeGraph);

function makeGraph(list: readonly NodeSpec[]): GraphSource & { readonly list: readonly NodeSpec[] } {
  const arcs = list.flatMap((node, index): SourceArcs[] => {
    const weights = new Map(node.arcs.map(([to, weight]) => [(to % list.length) + 1, weight]));
    weights.delete(index + 1);
    const sorted = [...weights].toSorted(([a], [b]) => a - b);
    const targets = Uint32Array.from(sorted, ([target]) => target);
    return sorted.length === 0
      ? []
      : [{ source: index + 1, targets, weights: Uint32Array.from(sorted, ([, weight]) => weight) }];
  });
  return {
    list,
    name: 'site.test',
    pages: list.length,
    arcs: arcs.reduce((sum, { targets }) => sum + targets.length, 0),
    async *nodes() {
      for (const [index, { label, title }] of list.entries()) yield makeNode(index + 1, label, title);
    },
    async *arcsBySource() {
      yield* arcs;
    },
  };
}

function makeNode(id: number, label: string, title: string): GraphNode {
  return {
    id,
    label,
    url: `http://site.test${label}`,
    level: id % 3,
    inDegree: id + 1,
    outDegree: id + 2,
    selfLinks: id + 3,
    externalLinks: id + 4,
    title,
    bytes: 2 ** 40 + id,
    digest: 'ab'.repeat(32),
  };
}

function largeGraph(pages: number, pulled: { count: number }): GraphSource {
  const targets = Uint32Array.from({ length: 100 }, (_, index) => index + 1);
  return {
    name: 'site.test',
    pages,
    arcs: pages * targets.length,
    async *nodes() {
      for (let id = 1; id <= pages; id++) {
        pulled.count++;
        yield makeNode(id, `/page-${id}`, 'A title, "quoted"');
      }
    },
    async *arcsBySource() {
      for (let id = 1; id <= pages; id++) {
        pulled.count++;
        yield { source: id + 100, targets, weights: targets };
      }
    },
  };
}

/** What the files must say, by rules written again here. */
function expectedOf(
  graph: { readonly list: readonly NodeSpec[] } & GraphSource,
  columns: readonly NodeColumn[],
): ReadGraph {
  const nodes = graph.list.map(({ label, title }, index) => {
    const node = makeNode(index + 1, label, title);
    const added = columns.map(({ name, valueOf }) => [name.toLowerCase(), String(valueOf(node))]);
    const attributes: Record<string, string> = {
      label: plain(label),
      url: plain(node.url),
      level: String(node.level),
      indegree: String(node.inDegree),
      outdegree: String(node.outDegree),
      selflinks: String(node.selfLinks),
      externallinks: String(node.externalLinks),
      title: plain(title)
        .split(/[\t\n\f\r ]+/)
        .filter(Boolean)
        .join(' '),
      bytes: String(node.bytes),
      digest: node.digest,
      ...Object.fromEntries(added),
    };
    return { id: index + 1, attributes };
  });
  const arcs = graph.list.flatMap((node, index) => {
    const weights = new Map(node.arcs.map(([to, weight]) => [(to % graph.list.length) + 1, weight]));
    weights.delete(index + 1);
    return [...weights]
      .toSorted(([a], [b]) => a - b)
      .map(([target, weight]): [number, number, number] => [index + 1, target, weight]);
  });
  return { nodes, arcs };
}

function plain(text: string): string {
  let result = '';
  for (const character of text.replaceAll('\r\n', '\n')) {
    const code = character.codePointAt(0) as number;
    if ([9, 10, 13, 0x85, 0x2028, 0x2029].includes(code)) result += ' ';
    else if (code < 32 || (code >= 0xd800 && code <= 0xdfff) || code === 0xfffe || code === 0xffff) result += '\ufffd';
    else result += character;
  }
  return result;
}

/** The texts of the files of a format, which must be valid UTF-8. */
async function write(
  format: GraphFormat,
  graph: GraphSource,
  folder: string,
  columns: readonly NodeColumn[] = [],
): Promise<string[]> {
  const paths = await writeGraphFiles(graph, { folder, formats: [format], columns });
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return Promise.all(paths.map(async (path) => decoder.decode(await readFile(path))));
}

async function inDirectory(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-export-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
