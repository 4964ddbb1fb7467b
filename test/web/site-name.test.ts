import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { siteFileName, siteOf } from '../../src/web/site-name.ts';

test.each([
  ['http://example.com/', 'example.com'],
  ['https://example.com/a?b#c', 'example.com'],
  ['http://example.com:443/', 'example.com'],
  ['https://example.com:80/x', 'example.com'],
  ['http://www.example.com/', 'www.example.com'],
  ['http://u:p@example.com:8080/@x', 'example.com:8080'],
  ['http://127.0.0.1:8101/git.html', '127.0.0.1:8101'],
  ['https://[2001:db8::1]:8080/', '[2001:db8::1]:8080'],
  ['http://[2001:db8::80]/', '[2001:db8::80]'],
  ['http://h:8080', 'h:8080'],
  ['http://h?x=http://y/', 'h'],
])('%s belongs to %s', (url, site) => {
  expect(siteOf(url)).toBe(site);
});

test.each([
  ['example.com', 'example.com'],
  ['127.0.0.1:8101', '127.0.0.1_8101'],
  ['[2001:db8::1]:8080', 'ipv6_2001-db8--1_8080'],
  ['[::1]', 'ipv6_--1'],
  ['con', '_con'],
  ['aux.example', '_aux.example'],
  ['com1:81', 'com1_81'],
  ['lpt9', '_lpt9'],
  ['console.example', 'console.example'],
  ['example.com.', 'example.com_'],
  ['-x.example', '_-x.example'],
])('the files of %s are called %s', (site, name) => {
  expect(siteFileName(site)).toBe(name);
});

test('long and odd names are cut, safe and different', () => {
  const long = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.example`;
  const names = [long, `${long}:81`, long.replace('c.', 'd.'), 'a!b', 'a$b', '../x'].map(siteFileName);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z0-9_][a-z0-9._-]{0,119}$/);
});

test('any site gives a name that every file system takes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (site) => {
      const name = siteFileName(site);
      expect(name).toMatch(/^[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_-])?$/);
      expect(name.length).toBeLessThanOrEqual(120);
    }),
  );
});
