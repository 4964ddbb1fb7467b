import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { decodeRobotsText } from '../../src/web/robots-text.ts';
import { parseRobots, productTokenOf } from '../../src/web/robots-txt.ts';

interface Vectors {
  readonly about: { readonly robotsParserWrong: readonly string[] };
  readonly cases: readonly {
    readonly id: string;
    readonly agent: string;
    readonly text: string;
    readonly url: string;
    readonly allowed: boolean;
    readonly basis: string;
  }[];
  readonly delaysAndSitemaps: readonly {
    readonly robots: string;
    readonly fn: 'getSitemaps' | 'getCrawlDelay';
    readonly ua: string | null;
    readonly value: unknown;
  }[];
}

type RobotsParser = (url: string, text: string) => { isAllowed(url: string, agent: string): boolean | undefined };

const vectors = JSON.parse(
  readFileSync(new URL('../../fixtures/vectors/robots.json', import.meta.url), 'utf8'),
) as Vectors;
const robotsParser = createRequire(import.meta.url)('robots-parser') as RobotsParser;
/** Some sources give only the path. */
const absolute = (url: string): string => new URL(url, 'http://site.test/').href;
const bytes = (text: string, encoding: BufferEncoding = 'utf8'): Uint8Array => Buffer.from(text, encoding);
const allows = (text: string | Uint8Array, path: string, agent = 'orbweaver'): boolean =>
  parseRobots(text, agent).isAllowed(`http://site.test${path}`).allowed;

const BLOCKED = 'User-agent: *\nDisallow: /blocked/\n';
const isObeyed = (source: string | Uint8Array): boolean => !allows(source, '/blocked/x') && allows(source, '/free');
const delayOf = (text: string): number | undefined => parseRobots(text, 'orbweaver').crawlDelayMs;

describe('vectors', () => {
  test.each(['rfc9309', 'contradicts-rfc9309', 'agrees-but-uses-undefined-syntax'])(
    'every case of basis %s gets the answer of RFC 9309, as text and as octets',
    (basis) => {
      const cases = vectors.cases.filter((one) => one.basis === basis);
      expect(cases.length).toBeGreaterThan(5);
      const wrong = cases.filter(({ text, agent, url, allowed }) =>
        [text, bytes(text)].some((source) => parseRobots(source, agent).isAllowed(absolute(url)).allowed !== allowed),
      );
      expect(wrong.map(({ id }) => id)).toEqual([]);
    },
  );

  test('crawl delays and sitemaps are read as robots-parser reads them', () => {
    expect(vectors.delaysAndSitemaps.length).toBeGreaterThan(20);
    for (const { robots, fn, ua, value } of vectors.delaysAndSitemaps) {
      const rules = parseRobots(robots, ua ?? '*');
      const delay = rules.crawlDelayMs === undefined ? null : rules.crawlDelayMs / 1_000;
      expect(fn === 'getSitemaps' ? rules.sitemaps : delay, robots).toEqual(value);
    }
  });
});

describe('the second opinion', () => {
  // Only what robots-parser gets right: no escapes, no `$` or `*` in URLs, own groups with rules.
  const path = fc
    .array(fc.constantFrom('/', 'a', 'b', 'ab', '.html'), { maxLength: 6 })
    .map((parts) => `/${parts.join('')}`);
  const pattern = fc
    .tuple(path, fc.array(fc.constantFrom('*', '/a', 'b', '/'), { maxLength: 4 }), fc.constantFrom('', '', '$'))
    .map(([start, rest, end]) => start + rest.join('') + end);
  const rule = fc.tuple(fc.constantFrom('Allow', 'Disallow'), pattern).map(([name, value]) => `${name}: ${value}`);
  const group = fc
    .tuple(fc.constantFrom('*', 'orbweaver', 'other'), fc.array(rule, { minLength: 1, maxLength: 6 }))
    .map(([agent, rules]) => [`User-agent: ${agent}`, ...rules].join('\n'));

  test('robots-parser agrees on random files and URLs', () => {
    let denied = 0;
    fc.assert(
      fc.property(fc.array(group, { maxLength: 4 }), path, (groups, urlPath) => {
        const text = groups.join('\n\n');
        const expected = robotsParser('http://site.test/robots.txt', text).isAllowed(
          `http://site.test${urlPath}`,
          'orbweaver',
        );
        if (expected === false) denied++;
        expect(allows(text, urlPath)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
    expect(denied).toBeGreaterThan(100);
  });

  test('robots-parser still errs where the vectors say so, so that own code is still needed', () => {
    const wrong = vectors.cases.filter(({ text, agent, url, allowed }) => {
      const answer = robotsParser(new URL('/robots.txt', absolute(url)).href, text).isAllowed(absolute(url), agent);
      return answer !== undefined && answer !== allowed;
    });
    const ids = new Set(wrong.map(({ id }) => id));
    expect(vectors.about.robotsParserWrong.filter((id) => !ids.has(id))).toEqual([]);
  });
});

describe('groups', () => {
  test('several groups of one agent are one', () => {
    const text =
      'User-agent: orbweaver\nDisallow: /a\n\nUser-agent: x\nDisallow: /\n\nUser-agent: OrbWeaver\nDisallow: /b\n';
    expect([allows(text, '/a'), allows(text, '/b'), allows(text, '/c')]).toEqual([false, false, true]);
  });

  test('an own group hides the group of all, also when it has no rules', () => {
    expect(allows('User-agent: *\nDisallow: /\n\nUser-agent: orbweaver\n', '/a')).toBe(true);
    expect(allows('User-agent: *\nDisallow: /\n\nUser-agent: orbweaver\nDisallow: /secret\n', '/public')).toBe(true);
    expect(allows('User-agent: orbweaver\nDisallow: /secret\n\nUser-agent: *\nDisallow: /\n', '/public')).toBe(true);
  });

  test('rules before the first User-agent line bind nobody', () => {
    expect(allows('Disallow: /\nUser-agent: *\nDisallow: /a', '/b')).toBe(true);
  });

  test('a User-agent line without a name begins a group of nobody', () => {
    expect(allows('User-agent: *\nDisallow: /a\nUser-agent:\nDisallow: /\n', '/b')).toBe(true);
  });

  test('a product token matches whole and in any case', () => {
    expect(allows('User-agent: orb\nDisallow: /', '/a')).toBe(true);
    expect(allows('User-agent: ORBWEAVER/9.9\nDisallow: /', '/a', 'Orbweaver/0.1 (+http://x/)')).toBe(false);
    expect(productTokenOf('Orbweaver/0.1 (+http://x/)')).toBe('orbweaver');
  });
});

describe('matching', () => {
  test('the rule is told with its line', () => {
    const rules = parseRobots('# all\nUser-agent: *\n\nDisallow: /private/ # keep out\n', 'orbweaver');
    expect(rules.isAllowed('http://h/private/x')).toEqual({ allowed: false, rule: 'line 4: Disallow: /private/' });
    expect(rules.isAllowed('http://h/public')).toEqual({ allowed: true, rule: '' });
  });

  test('the longest rule wins, Allow among equals, in any order', () => {
    const lines = ['Allow: /p', 'Disallow: /', 'Disallow: /page', 'Allow: /page', 'Disallow: /*.htm'];
    for (const order of [lines, lines.toReversed()]) {
      const text = `User-agent: *\n${order.join('\n')}`;
      expect(['/page', '/p.htm', '/x', '/page.htm'].map((path) => allows(text, path))).toEqual([
        true,
        false,
        false,
        false,
      ]);
    }
  });

  test('wildcards and the end anchor', () => {
    const text = 'User-agent: *\nDisallow: /*.php$\nDisallow: /a*b*c$\nDisallow: /exact$\nDisallow: /fish*\n';
    const denied = ['/x.php', '/a.php.php', '/abc', '/aXbXbXc', '/a/bcbc', '/exact', '/fish', '/fisher/x'];
    const allowed = ['/x.php?q', '/x.php5', '/abcd', '/acb', '/exactly', '/exact/', '/Fish'];
    expect(denied.filter((path) => allows(text, path))).toEqual([]);
    expect(allowed.filter((path) => !allows(text, path))).toEqual([]);
  });

  test('pieces of an anchored pattern do not overlap', () => {
    expect(allows('User-agent: *\nDisallow: /ab*ba$', '/aba')).toBe(true);
    expect(allows('User-agent: *\nDisallow: /ab*ba$', '/abba')).toBe(false);
  });

  test('escapes and raw characters are the same, reserved ones are not', () => {
    expect(allows('User-agent: *\nDisallow: /caf\u00e9', '/caf%c3%a9')).toBe(false);
    expect(allows('User-agent: *\nDisallow: /%7ejoe', '/~joe')).toBe(false);
    expect(allows('User-agent: *\nDisallow: /a%2Fb', '/a/b')).toBe(true);
    expect(allows('User-agent: *\nDisallow: /a b', '/a%20b')).toBe(false);
    expect(allows('User-agent: *\nDisallow: /a%2Ab', '/axb')).toBe(true);
    expect(allows('User-agent: *\nDisallow: /a$b', '/a$b')).toBe(false);
  });

  test('robots.txt itself is always allowed, its query is not it', () => {
    expect(allows('User-agent: *\nDisallow: /', '/robots.txt')).toBe(true);
    expect(allows('User-agent: *\nDisallow: /', '/robots.txt?x')).toBe(false);
  });
});

describe('files as they come', () => {
  test('byte order marks, UTF-16, CR and CRLF', () => {
    expect(isObeyed(`\ufeff${BLOCKED}`)).toBe(true);
    expect(isObeyed(bytes(`\ufeff${BLOCKED}`))).toBe(true);
    expect(isObeyed(bytes(`\ufeff${BLOCKED}`, 'utf16le'))).toBe(true);
    expect(isObeyed(Buffer.from(`\ufeff${BLOCKED}`, 'utf16le').swap16())).toBe(true);
    expect(isObeyed(BLOCKED.replaceAll('\n', '\r'))).toBe(true);
    expect(isObeyed(BLOCKED.replaceAll('\n', '\r\n'))).toBe(true);
    expect(isObeyed(bytes(`\ufeff${BLOCKED.replaceAll('\n', '\r')}`))).toBe(true);
  });

  test('Latin-1 octets match URLs that carry them', () => {
    const text = bytes('User-agent: *\nDisallow: /caf\u00e9/\n', 'latin1');
    expect(allows(text, '/caf%E9/x')).toBe(false);
    expect(allows(decodeRobotsText(text), '/caf%E9/x')).toBe(false);
    expect(allows(text, '/cafe/x')).toBe(true);
  });

  test('binary rubbish and an HTML page allow everything', () => {
    expect(allows(Buffer.alloc(5_000, 0xff), '/a')).toBe(true);
    expect(allows(Buffer.alloc(5_000), '/a')).toBe(true);
    expect(allows('<!doctype html><title>Home</title><p style="a:b">Disallow: /</p>', '/')).toBe(true);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (octets) => {
        expect(typeof parseRobots(octets, 'orbweaver').isAllowed('http://h/a').allowed).toBe('boolean');
      }),
    );
  });

  test('500 KiB are read and not more, and no rule is cut in half', () => {
    const filler = `Disallow: /zz/${'x'.repeat(85)}\n`.repeat(5_118);
    const text = `User-agent: *\n${filler}Disallow: /private/folder\nDisallow: /late\n`;
    const head = text.length - 'Disallow: /private/folder\nDisallow: /late\n'.length;
    expect(head).toBeLessThan(512_000);
    expect(head + 12).toBeGreaterThan(511_000);
    // Filled up so that the limit falls right behind `Disallow: /`.
    const padded = text.replace('Disallow: /private', `#${'x'.repeat(512_000 - head - 13)}\nDisallow: /private`);
    expect(padded.slice(0, 512_000).endsWith('\nDisallow: /')).toBe(true);
    for (const source of [padded, bytes(padded)]) {
      expect(allows(source, '/free')).toBe(true);
      expect(allows(source, '/late')).toBe(true);
      expect(allows(source, `/zz/${'x'.repeat(85)}`)).toBe(false);
    }
  });
});

describe('crawl delay and sitemaps', () => {
  test('seconds with fractions become whole milliseconds, nonsense is no delay', () => {
    expect(delayOf('User-agent: *\nCrawl-delay: 0.5')).toBe(500);
    expect(delayOf('User-agent: *\nCrawl-delay: 0')).toBe(0);
    for (const value of ['-1', '1e9', 'soon', '1,5', 'Infinity', '']) {
      expect(delayOf(`User-agent: *\nCrawl-delay: ${value}`), value).toBeUndefined();
    }
  });

  test('an endless delay is a day, so that no timer overflows', () => {
    expect(delayOf(`User-agent: *\nCrawl-delay: ${'9'.repeat(400)}`)).toBe(86_400_000);
  });

  test('the own delay counts, the larger of two', () => {
    expect(
      delayOf('User-agent: *\nCrawl-delay: 9\nUser-agent: orbweaver\nCrawl-delay: 2\nCrawl-delay: 3\nDisallow: /x'),
    ).toBe(3_000);
    expect(delayOf('User-agent: *\nCrawl-delay: 9\nDisallow: /y\nUser-agent: orbweaver\nDisallow: /x')).toBeUndefined();
  });

  test('sitemaps belong to no group and are listed as written', () => {
    const text = 'Sitemap: /a.xml\nUser-agent: x\nSITEMAP : https://h/b.xml \nDisallow: /';
    expect(parseRobots(text, 'orbweaver').sitemaps).toEqual(['/a.xml', 'https://h/b.xml']);
  });
});

describe('hostile files', () => {
  const url = `http://h/${'a/'.repeat(1_000)}`;

  test.each([
    ['plain rules', (n: number) => `/zz${n}/${'x'.repeat(n % 400)}`, 20_000],
    ['many lengths', (n: number) => `/${'a/'.repeat(n)}x`, 700],
    ['wildcards', (n: number) => `/*a*a*a*${n}z`, 20_000],
    ['one long wildcard pattern', (_n: number) => `/${'*a'.repeat(200_000)}*z$`, 1],
  ])('%s cost milliseconds, not seconds', (_name, pattern, count) => {
    const lines = Array.from({ length: count }, (_, index) => `Disallow: ${pattern(index)}`);
    const startedAt = performance.now();
    const rules = parseRobots(`User-agent: *\n${lines.join('\n')}`, 'orbweaver');
    const parsedAt = performance.now();
    for (let index = 0; index < 20; index++) expect(rules.isAllowed(url).allowed).toBe(true);
    const perUrlMs = (performance.now() - parsedAt) / 20;
    expect(parsedAt - startedAt).toBeLessThan(2_000);
    expect(perUrlMs).toBeLessThan(150);
  });
});
