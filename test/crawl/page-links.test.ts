import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resolvePageLinks } from '../../src/crawl/page-links.ts';
import { encodeQuery } from '../../src/web/charset.ts';
import { createLinkResolver } from '../../src/web/resolve-link.ts';
import { createUrlKey, DEFAULT_NORMALIZE_RULES } from '../../src/web/url-key.ts';

const urlKey = createUrlKey(DEFAULT_NORMALIZE_RULES);

/** Link by link, with nothing remembered. */
function resolveEach(hrefs: readonly string[], baseUrl: string, encoding: string): [string, string, string, number][] {
  const resolve = createLinkResolver(baseUrl, encoding, encodeQuery);
  const byKey = new Map<string, [string, string, string, number]>();
  for (const href of hrefs) {
    const resolved = resolve(href);
    const [url, type] = typeof resolved === 'string' ? [resolved, 'http'] : [resolved.text, resolved.type];
    const key = type === 'http' ? urlKey(url) : url;
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, [key, url, type, 1]);
    else known[3]++;
  }
  return [...byKey.values()];
}

function resolveAll(hrefs: readonly string[], baseUrl: string, encoding: string): [string, string, string, number][] {
  const { keys, urls, types, counts } = resolvePageLinks(hrefs, baseUrl, encoding, urlKey);
  return keys.map((key, i) => [key, urls[i] as string, types[i] as string, counts[i] as number]);
}

const href = fc.constantFrom(
  ...[
    [
      '',
      '#',
      '#a',
      '#b',
      '?',
      '?a=1',
      '?b&a',
      ' #c',
      ' ',
      '\t?a=1',
      'b',
      './b',
      '../b',
      'b#x',
      'b?y',
      'b?y#z',
      '/',
      '/b',
      '//h/b',
    ],
    [
      'http:',
      'http:b',
      'http:?q',
      'http:#f',
      'https:?q',
      'ht\ntp:?q',
      'HTTP:b',
      'http://h/a/b',
      'HTTP://H/a/b',
      'https://h/b',
    ],
    [
      '.',
      '..',
      './',
      '../',
      '../..',
      '%2e%2e/b',
      '%62',
      '%7eb',
      '~b',
      'b c',
      '\\b',
      '\\\\h\\b',
      'b:c',
      './b:c',
      'mailto:x',
    ],
    [
      'javascript:void(0)',
      'http://[',
      'http://u:p@h/a/b',
      '\u00E9',
      '?\u00E9',
      'b?\u00E9',
      '/b?\u20AC',
      'data:,x',
      'b\n',
      'ftp://h/b',
    ],
  ].flat(),
);
const base = fc.constantFrom(
  ...[
    [
      'http://h/',
      'http://h/a/b',
      'http://h/a/c',
      'http://h/a/',
      'http://h/a/b?q',
      'http://h/a/b?q/r',
      'http://h/a/b?q/r#s/t',
    ],
    [
      'https://h/a/b',
      'http://h:8080/a/b',
      'http://h/a/b#f/g',
      'http://h/a/b/c/d',
      'http://u:p@h/a/b',
      'ftp://h/a/b',
      'mailto:x',
    ],
  ].flat(),
);

describe('resolvePageLinks', () => {
  test('remembers nothing that is not the same on the next page', () => {
    const page = fc.tuple(fc.array(href, { maxLength: 30 }), base, fc.constantFrom('utf-8', 'utf-8', 'windows-1252'));
    fc.assert(
      fc.property(fc.array(page, { minLength: 1, maxLength: 4 }), (pages) => {
        for (const [hrefs, url, encoding] of pages) {
          expect(resolveAll(hrefs, url, encoding)).toEqual(resolveEach(hrefs, url, encoding));
        }
      }),
      { numRuns: 3_000 },
    );
  });

  test('says the same before and after it has forgotten', () => {
    const hrefs = Array.from({ length: 3_000 }, (_, i) => `page-${i % 2_000}.html?${'x'.repeat(100)}`);
    for (let folder = 0; folder < 12; folder++) {
      const url = `http://h/${folder}/`;
      const { keys, counts } = resolvePageLinks(hrefs, url, 'utf-8', urlKey);
      expect(keys.length).toBe(2_000);
      expect(keys[0]).toBe(`http://h/${folder}/page-0.html?${'x'.repeat(100)}`);
      expect(counts.filter((count) => count === 2).length).toBe(1_000);
    }
  });

  test('counts the links of a page that has very many', () => {
    const hrefs = Array.from({ length: 30_000 }, (_, i) => `${i % 10_000}`);
    const { keys, counts } = resolvePageLinks(hrefs, 'http://h/', 'utf-8', urlKey);
    expect(keys.length).toBe(10_000);
    expect(new Set(counts)).toEqual(new Set([3]));
  });

  test('keeps the key functions of two sites apart', () => {
    const sorted = createUrlKey(new Set(['sort-query']));
    const asIs = createUrlKey(new Set());
    for (let round = 0; round < 2; round++) {
      expect(resolvePageLinks(['x?b&a'], 'http://h/', 'utf-8', sorted).keys).toEqual(['http://h/x?a&b']);
      expect(resolvePageLinks(['x?b&a'], 'http://h/', 'utf-8', asIs).keys).toEqual(['http://h/x?b&a']);
    }
  });

  test('bounds the text of links that are too long, and tells them apart', () => {
    const [first, second] = ['1', '2'].map((end) => `data:${'x'.repeat(20_000)}${end}`) as [string, string];
    const path = `/${'y'.repeat(20_000)}`;
    const { urls, counts, types } = resolvePageLinks([first, second, first, path], 'http://h/', 'utf-8', urlKey);
    expect(types).toEqual(['scheme', 'scheme', 'too-long']);
    expect(counts).toEqual([2, 1, 1]);
    for (const url of urls) expect(url.length).toBeLessThan(400);
  });
});
