import { existsSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPatternBudget, urlPattern } from '../../src/web/trap-budget.ts';
import { detectTrap } from '../../src/web/trap.ts';

describe('repeated path segments', () => {
  test.each([
    ['http://h/a/a/a/a', 'repeated path segment "a"'],
    ['http://h/x/a/a/a/a/', 'repeated path segment "a"'],
    ['http://h/i.php/x/x/x/x', 'repeated path segment "x"'],
    ['http://h/a/b/a/b/a/b/', 'repeated path segment "a/b"'],
    ['http://h/s/a/b/c/a/b/c/a/b/c', 'repeated path segment "a/b/c"'],
    ['http://h/a/////', 'repeated path segment ""'],
    ['http://h/dir/1/dir/2/dir/3/dir/4/dir/5/dir/6', 'repeated path segment "dir"'],
  ])('%s is a trap', (url, rule) => {
    expect(detectTrap(url)).toBe(rule);
  });

  test.each([
    'http://h/',
    'http://h/a/a/a',
    'http://h/a/a/a/',
    'http://h/a/b/a/b',
    'http://h/a/b/a/b/a',
    'http://h/tiles/0/0/0.png',
    'http://h/2011/11/11/11.html',
    'http://h/a//b//c',
    'http://h/0/1/0/3/0/5/0/7/0/9/0',
    'http://h/x?p=/a/a/a/a/a/a',
    'http://h/javadoc/org/example/org/example/Example.html',
  ])('%s is none', (url) => {
    expect(detectTrap(url)).toBeUndefined();
  });
});

const manyValues = (count: number): string => Array.from({ length: count }, (_, index) => `f[]=${index}`).join('&');
const manyNames = (count: number): string => Array.from({ length: count }, (_, index) => `p${index}=1`).join('&');

describe('growing queries', () => {
  test('the same parameter again and again', () => {
    expect(detectTrap('http://h/?a=1&a=1&a=1&a=1')).toBeUndefined();
    expect(detectTrap('http://h/?a=1&a=1&a=1&a=1&a=1')).toBe('growing query: parameter "a" repeated');
  });

  test('a name may repeat with other values a dozen times', () => {
    expect(detectTrap(`http://h/?${manyValues(16)}`)).toBeUndefined();
    expect(detectTrap(`http://h/?${manyValues(17)}`)).toBe('growing query: parameter "f[]" repeated');
  });

  test('many parameters', () => {
    expect(detectTrap(`http://h/?${manyNames(64)}`)).toBeUndefined();
    expect(detectTrap(`http://h/?${manyNames(65)}`)).toBe('growing query: 65 parameters');
  });

  test('a login page that wraps its own address', () => {
    let url = 'http://h/login';
    const rules: (string | undefined)[] = [];
    for (let click = 0; click < 8; click++) {
      rules.push(detectTrap(url));
      url = `http://h/login?back=${encodeURIComponent(url)}`;
    }
    expect(rules.slice(0, 4)).toEqual([undefined, undefined, undefined, undefined]);
    expect(rules.at(-1)).toBe('growing query: URLs nested in each other');
  });

  test('blank parameters alone are no growth', () => {
    expect(detectTrap('http://h/?a=1&&&&&&&&b=2')).toBeUndefined();
  });
});

describe('with the linking page', () => {
  test('one odd link is no trap, growth is', () => {
    expect(detectTrap('http://h/a/a/a/a', 'http://h/index.html')).toBeUndefined();
    expect(detectTrap('http://h/a/a/a/a', 'http://h/a/a/a/')).toBe('repeated path segment "a"');
    const query = 'q=1&'.repeat(100);
    expect(detectTrap(`http://h/?${query}`, 'http://h/')).toBeUndefined();
    expect(detectTrap(`http://h/?${query}`, 'http://h/?q=1&q=1&q=1&q=1')).toMatch(/growing query/);
  });

  test('every endless chain ends', () => {
    const step = fc.constantFrom('a/', 'b/c/', '../x/y/', './z/', 'a/../b/', '../../x/x/x/');
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 3 }), (steps) => {
        let from = 'http://h/start/';
        const seen = new Set([from]);
        for (let click = 0; click < 400; click++) {
          const next = new URL(steps[click % steps.length] as string, from).href;
          // A chain that comes back to known pages is no trap; nor is what is too long for a link.
          if (click > 50 && seen.has(next)) return;
          if (next.length > 2_083 || detectTrap(next, from) !== undefined) return;
          seen.add(next);
          from = next;
        }
        throw new Error(`went on to ${from.slice(0, 200)}`);
      }),
      { numRuns: 300 },
    );
  });
});

test('no address of the reference graphs is a trap', () => {
  const file = new URL('../../fixtures/reference-graphs.json', import.meta.url);
  if (!existsSync(file)) return;
  const paths = [...new Set(readFileSync(file, 'utf8').match(/"[^"\s]*\/[^"\s]*"/g))].map((text) => text.slice(1, -1));
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => detectTrap(new URL(path, 'http://h/').href) !== undefined)).toEqual([]);
});

test('a plain URL costs well under a microsecond', () => {
  const urls = ['http://h/git-rebase.html', 'http://h/docs/guide/intro.html', 'http://h/a/b/c/d/e/f.html'];
  const startedAt = performance.now();
  for (let index = 0; index < 300_000; index++) detectTrap(urls[index % 3] as string);
  const nanoseconds = ((performance.now() - startedAt) * 1e6) / 300_000;
  // Generous, for a loaded machine; about 250 when it is idle.
  expect(nanoseconds).toBeLessThan(5_000);
});

describe('pattern budgets', () => {
  test.each([
    ['http://h/', '/'],
    ['http://h/cal?y=2026&m=7', '/cal?m&y'],
    ['http://h/2026/07/14/', '/{n}/{n}/{n}/'],
    ['http://h/on/2026-07-14.html', '/on/{date}.html'],
    ['http://h/item-4711/page2.html', '/item-{n}/page{n}.html'],
    ['http://h/o/550e8400-e29b-41d4-a716-446655440000', '/o/{id}'],
    ['http://h/s/9f86d081884c7d65/x', '/s/{id}/x'],
    ['http://h/a?b=1&b=2&a', '/a?a&b'],
    ['http://h/a?', '/a'],
    ['http://h/javascript/tutorial', '/javascript/tutorial'],
  ])('%s has the pattern %s', (url, pattern) => {
    expect(urlPattern(url)).toBe(pattern);
  });

  test('a pattern is visited as often as its budget allows', () => {
    const budget = createPatternBudget(2);
    expect(budget.take('http://h/p/1')).toBeUndefined();
    expect(budget.take('http://h/q/1')).toBeUndefined();
    expect(budget.take('http://h/p/2')).toBeUndefined();
    expect(budget.take('http://h/p/3')).toBe('--trap-budget 2: /p/{n}');
    expect(budget.take('http://h/p/4')).toBe('--trap-budget 2: /p/{n}');
    expect(budget.take('http://h/q/2')).toBeUndefined();
  });

  test('replaying the admitted URLs restores the state', () => {
    const url = fc
      .tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(9))
      .map(([name, number]) => `http://h/${name}/${number}`);
    fc.assert(
      fc.property(fc.array(url), fc.array(url), fc.integer({ min: 1, max: 5 }), (before, after, limit) => {
        const first = createPatternBudget(limit);
        const admitted = before.filter((text) => first.take(text) === undefined);
        const resumed = createPatternBudget(limit);
        for (const text of admitted) resumed.restore(text);
        expect(after.map((text) => resumed.take(text))).toEqual(after.map((text) => first.take(text)));
      }),
    );
  });

  test('a hostile address takes no time', () => {
    const startedAt = performance.now();
    urlPattern(`http://h/${'a1'.repeat(50_000)}/${'0'.repeat(100_000)}?${'a&'.repeat(50_000)}`);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
