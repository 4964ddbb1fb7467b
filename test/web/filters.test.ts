import { expect, test } from 'vitest';
import { isOrbweaverError } from '../../src/base/errors.ts';
import { createUrlFilter, type FilterOptions } from '../../src/web/filters.ts';

const filter = (options: Partial<FilterOptions>): ((url: string) => string | undefined) =>
  createUrlFilter({ include: [], exclude: [], keywords: [], ...options });

test('without filters everything passes', () => {
  expect(filter({})('http://h/a')).toBeUndefined();
});

test('one of the includes must match, none of the excludes may', () => {
  const judge = filter({ include: ['/docs/', '\\.html$'], exclude: ['/print/', '[?&]sort='] });
  expect(judge('http://h/docs/a')).toBeUndefined();
  expect(judge('http://h/a.html')).toBeUndefined();
  expect(judge('http://h/a')).toBe('--include /docs/, \\.html$');
  expect(judge('http://h/docs/print/a')).toBe('--exclude /print/');
  expect(judge('http://h/docs/a?x&sort=up')).toBe('--exclude [?&]sort=');
});

test('expressions see the URL also decoded', () => {
  const judge = filter({ exclude: ['/été/', '%20'] });
  expect(judge('http://h/%C3%A9t%C3%A9/')).toBe('--exclude /été/');
  expect(judge('http://h/a%20b')).toBe('--exclude %20');
  expect(judge('http://h/%C3%A9/')).toBeUndefined();
});

test('expressions are case-sensitive and keep no state between URLs', () => {
  const judge = filter({ exclude: ['/A'] });
  expect([judge('http://h/a'), judge('http://h/A'), judge('http://h/A')]).toEqual([
    undefined,
    '--exclude /A',
    '--exclude /A',
  ]);
});

test('a keyword stands in the decoded path or query, in any case, not in the host', () => {
  const judge = filter({ keywords: ['Žluť', 'tool'] });
  expect(judge('http://h/%C5%BELU%C5%A4/x')).toBeUndefined();
  expect(judge('http://h/zlut/x')).toBe('--keyword Žluť, tool');
  expect(judge('http://h/a?q=TOOLS')).toBeUndefined();
  expect(judge('http://tool.test/a')).toBe('--keyword Žluť, tool');
  expect(judge('http://h/%FF/tool')).toBeUndefined();
  // The same letter in two code points.
  expect(filter({ keywords: ['é'] })('http://h/e%CC%81')).toBeUndefined();
});

test('the start page always passes', () => {
  const judge = filter({
    include: ['/docs/'],
    exclude: ['h/'],
    keywords: ['x'],
    startUrls: ['http://h/', 'https://h/start'],
  });
  expect(judge('http://h/')).toBeUndefined();
  expect(judge('https://h/start')).toBeUndefined();
  expect(judge('http://h/start')).toBe('--exclude h/');
});

test.each([
  [{ include: ['('] }, /--include "\("/],
  [{ exclude: ['[z-a]'] }, /--exclude "\[z-a\]"/],
  [{ keywords: [' '] }, /--keyword/],
])('%j is refused by name', (options, message) => {
  expect(() => filter(options)).toThrow(message);
  try {
    filter(options);
  } catch (error) {
    expect(isOrbweaverError(error, 'OPTIONS_INVALID')).toBe(true);
  }
});

test('a quadratic expression on a long URL stays bounded', () => {
  const judge = filter({ exclude: ['a*b$'] });
  const startedAt = performance.now();
  judge(`http://h/${'a'.repeat(1_000_000)}`);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
