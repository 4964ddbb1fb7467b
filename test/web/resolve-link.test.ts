import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeQuery } from '../../src/web/charset.ts';
import { createLinkResolver, type Resolved } from '../../src/web/resolve-link.ts';
import { createPlainResolver } from '../../src/web/url-plain-link.ts';

interface Vectors {
  readonly whatwgAccepted: readonly { readonly input: string; readonly base: string | null; readonly href: string }[];
  readonly whatwgRejected: readonly { readonly input: string; readonly base: string | null }[];
  readonly w3libSafeUrl: readonly {
    readonly input: string;
    readonly output: string;
    readonly options?: { readonly encoding?: string; readonly path_encoding?: string };
  }[];
}

const vectors = JSON.parse(
  readFileSync(new URL('../../fixtures/vectors/url.json', import.meta.url), 'utf8'),
) as Vectors;

/** An absolute base for inputs that have none; it must not matter. */
const NO_BASE = 'invalid base';
const resolve = (href: string, base: string, encoding = 'utf-8'): Resolved =>
  createLinkResolver(base, encoding, encodeQuery)(href);

/** The answer by the parser alone. */
function oracle(href: string, base: string | undefined): string | undefined {
  let url: URL;
  try {
    url = new URL(href, base === NO_BASE ? undefined : base);
  } catch {
    return undefined;
  }
  url.username = '';
  url.password = '';
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href.split('#', 1)[0] : url.protocol;
}

function expectLikeParser(href: string, base: string): void {
  const expected = oracle(href, base);
  const got = resolve(href, base);
  if (typeof got === 'string') expect(got).toBe(expected);
  // Texts of other schemes are not parsed, so some are listed that the parser refuses.
  else if (got.type === 'scheme') expect(expected === undefined || expected === `${got.scheme}:`, got.text).toBe(true);
  else expect(expected).toBeUndefined();
}

describe('vectors', () => {
  test('every accepted http case of the URL standard resolves to its URL', () => {
    expect(vectors.whatwgAccepted.length).toBe(230);
    for (const { input, base, href } of vectors.whatwgAccepted) {
      expect(new URL(input, base ?? undefined).href).toBe(href);
      expectLikeParser(input, base ?? NO_BASE);
    }
  });

  test('every rejected case is an invalid link or another scheme, not a crash', () => {
    expect(vectors.whatwgRejected.length).toBeGreaterThan(150);
    for (const { input, base } of vectors.whatwgRejected) {
      expect(typeof resolve(input, base ?? NO_BASE), JSON.stringify(input)).toBe('object');
    }
  });

  /** Where w3lib goes by RFC 3986 or by an option of its own, and browsers do not. */
  const W3LIB_DIFFERS = [
    /\/\/example\.com\/(?:\[x\]|a\]b)/, // [ ] are left in a path …
    /\?(?:tags|q=)\[/, // … and in a query (URL standard §1.3, path and query percent-encode sets)
    /\?b\\c/, // so is a backslash in a query
    /\/\/\[v6a\.ip\]/, // no IPv6 address: refused (§3.5)
  ];

  test('the inputs of w3lib resolve to what a browser makes of its answers, but for listed differences', () => {
    const encodings: Readonly<Record<string, string>> = { 'iso-8859-1': 'windows-1252', 'latin-1': 'windows-1252' };
    const differing: string[] = [];
    for (const { input, output, options } of vectors.w3libSafeUrl) {
      // A path is always UTF-8 in a browser.
      if (options?.path_encoding !== undefined) continue;
      const got = resolve(input, NO_BASE, encodings[options?.encoding ?? ''] ?? options?.encoding ?? 'utf-8');
      const expected = oracle(output, undefined);
      const isSame = typeof got === 'string' ? got === expected : expected?.startsWith('http') !== true;
      if (!isSame) differing.push(input);
    }
    expect(differing).toHaveLength(7);
    expect(differing.filter((input) => !W3LIB_DIFFERS.some((pattern) => pattern.test(input)))).toEqual([]);
  });
});

describe('links of a page', () => {
  const base = 'http://h.test/dir/page.html?q=1';

  test.each([
    ['', 'http://h.test/dir/page.html?q=1'],
    ['#top', 'http://h.test/dir/page.html?q=1'],
    [' \n#a b ', 'http://h.test/dir/page.html?q=1'],
    ['?', 'http://h.test/dir/page.html?'],
    ['?x=1#y', 'http://h.test/dir/page.html?x=1'],
    ['a.html', 'http://h.test/dir/a.html'],
    ['./a/../b', 'http://h.test/dir/b'],
    ['../../../x/y.html#frag', 'http://h.test/x/y.html'],
    ['..', 'http://h.test/'],
    ['.hidden/..more', 'http://h.test/dir/.hidden/..more'],
    ['/abs/path', 'http://h.test/abs/path'],
    ['/a//b/', 'http://h.test/a//b/'],
    ['//other.test/x', 'http://other.test/x'],
    ['//OTHER.test:80/x', 'http://other.test/x'],
    [' http://h.test/x ', 'http://h.test/x'],
    ['http:x', 'http://h.test/dir/x'],
    ['\\win\\path', 'http://h.test/win/path'],
    ['a\nb\tc', 'http://h.test/dir/abc'],
    ['a:b', { type: 'scheme', scheme: 'a', text: 'a:b' }],
    ['./a:b', 'http://h.test/dir/a:b'],
    ['x/a:b', 'http://h.test/dir/x/a:b'],
    ['%2e%2e/x', 'http://h.test/x'],
    ['a%2eb', 'http://h.test/dir/a%2eb'],
    ['é?é', 'http://h.test/dir/%C3%A9?%C3%A9'],
    ["a'b?a'b", "http://h.test/dir/a'b?a%27b"],
    ['http://user:pw@h.test/x', 'http://h.test/x'],
    ['http://user@h.test', 'http://h.test/'],
    ['mailto:a@b.test', { type: 'scheme', scheme: 'mailto', text: 'mailto:a@b.test' }],
    ['JavaScript:void(0)', { type: 'scheme', scheme: 'javascript', text: 'JavaScript:void(0)' }],
    ['java\nscript:x', { type: 'scheme', scheme: 'javascript', text: 'javascript:x' }],
    ['http://', { type: 'invalid', text: 'http://' }],
    ['http://a b/', { type: 'invalid', text: 'http://a b/' }],
    ['http://1.2.3.4.5/x', { type: 'invalid', text: 'http://1.2.3.4.5/x' }],
    ['https://xn--/x', { type: 'invalid', text: 'https://xn--/x' }],
  ])('%j', (href, expected) => {
    expect(resolve(href, base)).toEqual(expected);
  });

  test('a query is encoded in the encoding of the page, the path in UTF-8', () => {
    expect(resolve('é?é=ü#é', base, 'windows-1252')).toBe('http://h.test/dir/%C3%A9?%E9=%FC');
    expect(resolve('?я', base, 'windows-1251')).toBe('http://h.test/dir/page.html?%FF');
    expect(resolve('?я', base, 'windows-1252')).toBe('http://h.test/dir/page.html?%26%231103%3B');
    expect(resolve('?中', base, 'gbk')).toBe('http://h.test/dir/page.html?%D6%D0');
    expect(resolve('?é', base, 'utf-16le')).toBe('http://h.test/dir/page.html?%C3%A9');
    expect(resolve('http://x.test#?é', base, 'windows-1252')).toBe('http://x.test/');
  });

  test('credentials of the base are not inherited', () => {
    expect(resolve('x', 'http://u:p@h.test/a/b')).toBe('http://h.test/a/x');
    expect(resolve('', 'http://u:p@h.test/a/b#c')).toBe('http://h.test/a/b');
    expect(resolve('é', 'http://u:p@h.test/a/b')).toBe('http://h.test/a/%C3%A9');
  });

  test('a base without a usable scheme leaves absolute links', () => {
    for (const odd of ['data:text/html,x', 'mailto:x', 'not a url']) {
      expect(resolve('http://h.test/x', odd)).toBe('http://h.test/x');
      expect(resolve('x', odd)).toMatchObject({ type: 'invalid' });
    }
    expect(resolve('x', 'ftp://h.test/a/b')).toEqual({ type: 'scheme', scheme: 'ftp', text: 'ftp://h.test/a/x' });
  });

  test('an empty link on a page with a bare ? keeps it, as the URL standard says and Node does not', () => {
    expect(resolve('', 'http://h.test/a?')).toBe('http://h.test/a?');
    expect(resolve('#x', 'http://h.test/a?')).toBe('http://h.test/a?');
  });

  test('a data: link of megabytes costs nothing', () => {
    const href = `data:image/png;base64,${'A'.repeat(5_000_000)}`;
    const startedAt = performance.now();
    expect(resolve(href, base)).toMatchObject({ type: 'scheme', scheme: 'data' });
    expect(performance.now() - startedAt).toBeLessThan(100);
  });
});

describe('against the parser', () => {
  const piece = fc.constantFrom(
    'a',
    'B9',
    '.',
    '..',
    './',
    '../',
    '/',
    '//',
    '\\',
    '?',
    '#',
    ':',
    '@',
    '%',
    '%2e',
    '%2E%2e',
    '%41',
    '&',
    '=',
    ';',
    "'",
    '"',
    '<',
    '`',
    '{',
    '|',
    '^',
    '[',
    ']',
    '~',
    '\t',
    '\n',
    ' ',
    '\u0000',
    '\u007f',
    'é',
    '\u{1f600}',
    '\ud800',
    'http:',
    'http://',
    'https://',
    'HTTP://',
    'mailto:',
    'h.test',
    'h.test:80',
    '1.2',
    '0x7f',
    'xn--',
    'u:p@',
    '[::1]',
    ':443',
  );
  const href = fc.oneof(
    fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join('')),
    fc
      .tuple(fc.constantFrom('http://', 'https://', '//', '/', ''), fc.array(piece, { maxLength: 6 }))
      .map(([start, rest]) => start + rest.join('')),
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.stringMatching(/^[./?#a-c%2e:]{0,12}$/),
  );
  const base = fc.oneof(
    fc.constantFrom(
      'http://h.test/',
      'http://h.test',
      'https://h.test:8443/a/b/c.html',
      'http://h.test/a/b/?x=y#z',
      'http://u:p@h.test/a//',
      'http://[::1]:80/x',
      'https://1.2.3.4/a/b/../c',
      'http://h.test/a?',
      "http://h.test/a?b'c#",
      'http://h.test/a#?b',
    ),
    fc.array(piece, { maxLength: 6 }).map((pieces) => `http://h.test/${pieces.join('')}`),
  );

  test('random links on random bases resolve as the parser resolves them', () => {
    let plain = 0;
    fc.assert(
      fc.property(href, base, (text, baseUrl) => {
        // See the test about a bare ? of the base.
        fc.pre(!/\?(?:#|$)/.test(new URL(baseUrl).href));
        expectLikeParser(text, baseUrl);
        if (createPlainResolver(new URL(baseUrl))(text) !== undefined) plain++;
      }),
      { numRuns: 20_000 },
    );
    expect(plain).toBeGreaterThan(3_000);
  });

  test('usual links never reach the parser', () => {
    const resolvePlain = createPlainResolver(new URL('https://h.test/docs/guide/index.html'));
    const usual = [
      'a.html',
      '../x/y.html#frag',
      '/abs/path',
      '?q=1&r=2',
      '#frag',
      '',
      'https://h.test/docs/',
      './a',
      '.hidden',
    ];
    const more = [
      'https://cdn.example/x.js?v=1',
      '//cdn.example/x.js',
      'a%20b',
      '/wiki/A_(b)',
      '/@user/x',
      'sub/dir/file.tar.gz',
    ];
    expect([...usual, ...more].filter((text) => resolvePlain(text) === undefined)).toEqual([]);
  });
});
