import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOrbweaverError } from '../../src/base/errors.ts';
import { parseTypedSite } from '../../src/web/typed-site.ts';

test.each([
  ['example.com', 'http://example.com/'],
  [' Example.COM\n', 'http://example.com/'],
  ['www.example.com', 'http://www.example.com/'],
  ['example.com.', 'http://example.com/'],
  ['example.com:8080', 'http://example.com:8080/'],
  ['https://example.com', 'https://example.com/'],
  ['HTTPS://Example.com:443/', 'https://example.com/'],
  ['http://example.com:80/docs/', 'http://example.com/docs/'],
  ['//example.com/x', 'http://example.com/x'],
  ['localhost', 'http://localhost/'],
  ['localhost:3000/a', 'http://localhost:3000/a'],
  ['myhost:81', 'http://myhost:81/'],
  ['127.0.0.1:8080/git.html', 'http://127.0.0.1:8080/git.html'],
  ['[::1]:8080/x', 'http://[::1]:8080/x'],
  ['https://[2001:DB8::1]/', 'https://[2001:db8::1]/'],
  ['münchen.example', 'http://xn--mnchen-3ya.example/'],
  ['example.com/index.html', 'http://example.com/index.html'],
  ['example.com/docs/', 'http://example.com/docs/'],
  ['example.com/docs', 'http://example.com/docs'],
  ['example.com//a//b/', 'http://example.com//a//b/'],
  ['example.com/%7Ea/%2Fb', 'http://example.com/%7Ea/%2Fb'],
  ['example.com?b=&a&b&utm_source=x#top', 'http://example.com/?b=&a&b&utm_source=x'],
  ['example.com#top', 'http://example.com/'],
  ['example.com/a b', 'http://example.com/a%20b'],
  ['http:example.com', 'http://example.com/'],
  ['my_host.example', 'http://my_host.example/'],
])('%j starts at %s', (text, url) => {
  expect(parseTypedSite(text)).toBe(url);
});

test.each([
  ['', /no host name/],
  ['   ', /no host name/],
  ['http://', /no host name/],
  ['/etc/passwd', /no host name/],
  ['?q', /no host name/],
  ['not a site', /blank/],
  ['exa\tmple.com', /blank/],
  ['example.com/a\nb', /blank/],
  ['42', /number/],
  ['ftp://example.com', /ftp: is not crawled/],
  ['mailto:a@example.com', /mailto: is not crawled/],
  ['javascript:alert(1)', /javascript: is not crawled/],
  ['tel:112', /tel: is not crawled/],
  ['file:///etc/passwd', /file: is not crawled/],
  ['data:text/html,x', /data: is not crawled/],
  ['user:pw@example.com', /is not crawled|user name/],
  ['user@example.com', /user name/],
  ['https://user:pw@example.com/', /user name/],
  ['example..com', /host name/],
  ['.example.com', /host name/],
  ['-example.com', /host name/],
  ['*.example.com', /host name/],
  ['a'.repeat(64), /host name/],
  ['exa<mple.com', /host name/],
  ['example.com:99999', /port/],
  ['example.com:0', /port/],
  ['http://example.com:x/', /port/],
  ['1.2.3.4.5', /host name/],
  ['[::1', /host name/],
  ['--max-level', /host name/],
])('%j is refused with a reason', (text, reason) => {
  expect(() => parseTypedSite(text)).toThrow(reason);
  try {
    parseTypedSite(text);
  } catch (error) {
    expect(isOrbweaverError(error, 'OPTIONS_INVALID')).toBe(true);
    expect(String(error).split('\n')).toHaveLength(1);
  }
});

test('whatever is typed gives a start URL that gives itself again, or OPTIONS_INVALID in one short line', () => {
  const piece = fc.constantFrom(
    'a',
    'example',
    '.',
    'com',
    ':',
    '80',
    '/',
    '//',
    '@',
    '?',
    '#',
    '[',
    ']',
    'http',
    'é',
    ' ',
    '%41',
    '\\',
    '\n',
    '-',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
        fc.string({ unit: 'binary' }),
      ),
      (text) => {
        let url: string;
        try {
          url = parseTypedSite(text);
        } catch (error) {
          expect(isOrbweaverError(error, 'OPTIONS_INVALID')).toBe(true);
          expect((error as Error).message.length).toBeLessThan(400);
          return;
        }
        expect(url).toMatch(/^https?:\/\/[^/@#]+\/[^#]*$/);
        expect(parseTypedSite(url)).toBe(url);
      },
    ),
    { numRuns: 3_000 },
  );
});
