import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createScope, type ScopeOptions } from '../../src/web/scope.ts';
import { siteOf } from '../../src/web/site-name.ts';

const scopeOf =
  (options: Partial<ScopeOptions> = {}): ((url: string) => string) =>
  (url) => {
    const startUrl = options.startUrl ?? 'http://example.com/docs/start.html';
    return createScope({ site: siteOf(startUrl), scope: 'site', sameScheme: false, ...options, startUrl })(url).kind;
  };

test.each([
  ['http://example.com/', 'visit'],
  ['https://example.com/x', 'visit'],
  ['http://example.com:443/x', 'visit'],
  ['https://example.com:80/x', 'visit'],
  ['http://example.com:8080/', 'external'],
  ['http://www.example.com/', 'external'],
  ['http://example.com.evil.test/', 'external'],
  ['http://example.community/', 'external'],
  ['http://other.test/example.com/', 'external'],
])('%s is %s', (url, kind) => {
  expect(scopeOf()(url)).toBe(kind);
});

test('a site with a port is that port only', () => {
  const judge = scopeOf({ startUrl: 'http://127.0.0.1:8101/git.html' });
  expect(
    ['http://127.0.0.1:8101/x', 'https://127.0.0.1:8101/x', 'http://127.0.0.1/', 'http://127.0.0.1:81010/'].map(judge),
  ).toEqual(['visit', 'visit', 'external', 'external']);
});

test('IPv6 literals end in what looks like a port', () => {
  const judge = scopeOf({ startUrl: 'http://[2001:db8::8101]/' });
  expect(judge('https://[2001:db8::8101]/x')).toBe('visit');
  expect(judge('http://[2001:db8::8101]:443/x')).toBe('visit');
  expect(judge('http://[2001:db8::8101]:8101/x')).toBe('external');
});

test('--same-scheme leaves the other scheme out of scope, not external', () => {
  const judge = scopeOf({ startUrl: 'https://example.com/', sameScheme: true });
  expect(judge('https://example.com/a')).toBe('visit');
  expect(judge('http://example.com/a')).toBe('scope');
  expect(judge('http://other.test/a')).toBe('external');
});

test('--scope directory is the folder of the start URL', () => {
  const judge = scopeOf({ scope: 'directory' });
  expect(judge('http://example.com/docs/')).toBe('visit');
  expect(judge('https://example.com/docs/a/b?c')).toBe('visit');
  expect(judge('http://example.com/docs')).toBe('scope');
  expect(judge('http://example.com/docs2/')).toBe('scope');
  expect(judge('http://example.com/?x=/docs/')).toBe('scope');
  expect(scopeOf({ scope: 'directory', startUrl: 'http://example.com/a?b=/c/d' })('http://example.com/z')).toBe(
    'visit',
  );
});

test('the folder is compared without regard to needless escapes', () => {
  const judge = scopeOf({ scope: 'directory', startUrl: 'http://example.com/%7euser/' });
  expect(judge('http://example.com/~user/a')).toBe('visit');
  expect(judge('http://example.com/%7Euser/a')).toBe('visit');
});

const longUrl = (host: string, length: number): string => `http://${host}/`.padEnd(length, 'x');

test('a URL of 2,083 characters is visited, one more is too long', () => {
  const judge = scopeOf();
  expect(judge(longUrl('example.com', 2_083))).toBe('visit');
  expect(judge(longUrl('example.com', 2_084))).toBe('too-long');
  expect(scopeOf({ maxUrlLength: 100 })(longUrl('example.com', 101))).toBe('too-long');
  expect(judge(longUrl('other.test', 16_384))).toBe('external');
  expect(judge(longUrl('other.test', 16_385))).toBe('too-long');
});

test('every refusal has its rule', () => {
  const judge = createScope({
    site: 'example.com',
    scope: 'directory',
    startUrl: 'http://example.com/docs/',
    sameScheme: true,
  });
  expect(judge('http://x.test/').rule).toBe('outside example.com');
  expect(judge('http://example.com/a').rule).toBe('--scope directory: outside /docs/');
  expect(judge('https://example.com/docs/').rule).toBe('--same-scheme');
  expect(judge('http://example.com/docs/'.padEnd(3_000, 'x')).rule).toBe('longer than 2083 characters');
  expect(judge('http://example.com/docs/').rule).toBe('');
});

test('scope and site name agree on every URL', () => {
  const host = fc.constantFrom('h', 'h:80', 'h:443', 'h:8080', 'g.h', '[::1]', '[::1]:80', '[::1]:81');
  const url = fc
    .tuple(fc.constantFrom('http', 'https'), host)
    .map(([scheme, name]) => new URL(`${scheme}://${name}/x`).href);
  fc.assert(
    fc.property(url, url, (startUrl, link) => {
      expect(scopeOf({ startUrl })(link)).toBe(siteOf(startUrl) === siteOf(link) ? 'visit' : 'external');
    }),
  );
});
