import { expect } from 'vitest';
import type { OracleGraph } from './oracle-crawl.ts';
import type { Results } from './read-results.ts';

/** Expects the result files to hold exactly the graph of the oracle, row by row. */
export function expectSameGraph(results: Results, oracle: OracleGraph): void {
  const inDegrees = countBy(oracle.arcs.map(({ target }) => target));
  const outDegrees = countBy(oracle.arcs.map(({ source }) => source));
  const nodes = oracle.pages.map((page) => {
    const { pathname, search } = new URL(page.url);
    return {
      ...page,
      label: pathname + search,
      inDegree: inDegrees.get(page.id) ?? 0,
      outDegree: outDegrees.get(page.id) ?? 0,
    };
  });
  // The short comparisons first: their messages say more.
  expect(results.nodes.map(({ url }) => url)).toEqual(nodes.map(({ url }) => url));
  const differing = nodes.flatMap((node, index) =>
    Object.entries(node).flatMap(([field, value]) => {
      const actual: unknown = results.nodes[index]?.[field as keyof (typeof results.nodes)[number]];
      return actual === value ? [] : [{ url: node.url, field, expected: value, actual }];
    }),
  );
  expect(differing.slice(0, 5)).toEqual([]);
  expectSameRows(results.arcs, oracle.arcs);
  expectSameRows(results.links, oracle.links);
  expect(results.summary).toMatchObject(oracle.summary);
}

/** Says the first rows that differ instead of printing thousands. */
function expectSameRows<T extends object>(actual: readonly T[], expected: readonly T[]): void {
  const wanted = expected.map(rowKey);
  const got = actual.map(rowKey);
  const wantedSet = new Set(wanted);
  const gotSet = new Set(got);
  expect({
    missing: wanted.filter((row) => !gotSet.has(row)).slice(0, 5),
    surplus: got.filter((row) => !wantedSet.has(row)).slice(0, 5),
  }).toEqual({ missing: [], surplus: [] });
  const firstOutOfOrder = got.findIndex((row, index) => row !== wanted[index]);
  expect(got[firstOutOfOrder], `row ${firstOutOfOrder} is out of order`).toBe(wanted[firstOutOfOrder]);
  expect(got.length).toBe(wanted.length);
}

function countBy(values: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function rowKey(row: object): string {
  return JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
