import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOrbweaverError } from '../../src/base/errors.ts';
import {
  createUrlKey,
  DEFAULT_NORMALIZE_RULES,
  NORMALIZE_RULE_NAMES,
  NORMALIZE_RULES,
  selectNormalizeRules,
  type NormalizeRule,
} from '../../src/web/url-key.ts';

interface SeedRule {
  readonly input: string;
  readonly output: string;
  readonly rule: string;
}

const { seedRules } = JSON.parse(readFileSync(new URL('../../fixtures/vectors/url.json', import.meta.url), 'utf8')) as {
  readonly seedRules: readonly SeedRule[];
};

const defaultKey = createUrlKey(DEFAULT_NORMALIZE_RULES);
const keyWith =
  (...rules: NormalizeRule[]): ((url: string) => string) =>
  (url) =>
    createUrlKey(new Set([...DEFAULT_NORMALIZE_RULES, ...rules]), {
      hostNames: new Map([
        ['23.23.23.23', 'example.com'],
        ['[2001:db8::1]', 'six.example'],
      ]),
    })(url);
const keyWithout = (...rules: NormalizeRule[]): ((url: string) => string) =>
  createUrlKey(new Set([...DEFAULT_NORMALIZE_RULES].filter((rule) => !rules.includes(rule))));

/** Odd pieces, so that escapes, separators and dots meet in every order. */
const piece = fc.constantFrom(
  'a',
  'B',
  '0',
  '2',
  '5',
  'e',
  '7E',
  '%',
  '%2',
  '%7e',
  '%41',
  '%2e',
  '%2F',
  '%25',
  '%e4',
  '.',
  '..',
  '/',
  '//',
  '?',
  '&',
  '=',
  'x=1',
  ';jsessionid=1',
  'sid=12345678',
  '+',
  '@',
  '~',
  '(S(',
  '))',
  'utm_source=x',
  "'",
);
const url = fc
  .tuple(
    fc.constantFrom('http://h', 'https://23.23.23.23', 'http://u:p@h:8080', 'http://[2001:db8::1]:81'),
    fc.array(piece, { maxLength: 14 }),
  )
  .map(([origin, pieces]) => new URL(`${origin}/${pieces.join('')}`).href);
const ruleSet = fc.subarray([...NORMALIZE_RULE_NAMES]).map((rules) => new Set(rules));
const hostNames = new Map([['23.23.23.23', 'example.com']]);

describe('the table', () => {
  test('has the rules, classes and defaults of the design', () => {
    const list = NORMALIZE_RULE_NAMES.map(
      (name) => `${name} ${NORMALIZE_RULES[name].class} ${NORMALIZE_RULES[name].default}`,
    );
    expect(list).toEqual([
      'lower-case-host 1 true',
      'drop-default-port 1 true',
      'upper-case-escapes 1 true',
      'decode-unreserved 1 true',
      'resolve-dots 2 true',
      'add-trailing-slash 2 false',
      'drop-fragment 3 true',
      'drop-bare-query 3 true',
      'sort-query 3 true',
      'collapse-slashes 3 false',
      'drop-empty-parameters 3 false',
      'ip-to-host 3 false',
      'drop-session-parameters 3 false',
    ]);
  });

  test('rules are switched by name, several in one value', () => {
    expect(selectNormalizeRules()).toEqual([...DEFAULT_NORMALIZE_RULES]);
    expect(selectNormalizeRules(['collapse-slashes, add-trailing-slash'], ['sort-query'])).toEqual([
      'lower-case-host',
      'drop-default-port',
      'upper-case-escapes',
      'decode-unreserved',
      'resolve-dots',
      'add-trailing-slash',
      'drop-fragment',
      'drop-bare-query',
      'collapse-slashes',
    ]);
  });

  test.each([
    [['no-such'], [], /--normalize: no rule is called "no-such"/],
    [[], ['toString'], /--no-normalize: no rule is called "toString"/],
    [['sort-query'], ['sort-query'], /both name sort-query/],
  ])('%j and %j are refused', (on, off, message) => {
    expect(() => selectNormalizeRules(on, off)).toThrow(message);
    try {
      selectNormalizeRules(on, off);
    } catch (error) {
      expect(isOrbweaverError(error, 'OPTIONS_INVALID')).toBe(true);
    }
  });
});

describe('each rule', () => {
  test('the rules of the thesis, each switched on', () => {
    const key = keyWith('collapse-slashes', 'ip-to-host', 'drop-empty-parameters');
    const slashedKey = keyWith('add-trailing-slash');
    expect(seedRules).toHaveLength(13);
    for (const { input, output, rule } of seedRules) {
      const made = rule.startsWith('trailing slash') ? slashedKey : key;
      expect(made(new URL(input).href), rule).toBe(output);
    }
  });

  test.each<[string, NormalizeRule[], string, string]>([
    ['octets', [], 'http://h/%7Ea%2fb?%7e=%c3', 'http://h/~a%2Fb?~=%C3'],
    ['a decoded digit never completes an escape', [], 'http://h/%%32%65', 'http://h/%%32e'],
    ['a decoded digit never completes an escape begun before', [], 'http://h/%4%31', 'http://h/%4%31'],
    ['a double escape stays double', [], 'http://h/%2541', 'http://h/%2541'],
    ['reserved characters stay escaped', [], 'http://h/a%3Fb%23c%26', 'http://h/a%3Fb%23c%26'],
    ['sorting is stable and looks at names only', [], 'http://h/?b=2&a=9&b=1&a=1', 'http://h/?a=9&a=1&b=2&b=1'],
    ['a name without value keeps its form', [], 'http://h/?b&a=&a', 'http://h/?a=&a&b'],
    ['names are compared after their octets', [], 'http://h/?b=1&%61=2', 'http://h/?a=2&b=1'],
    ['a bare ? goes', [], 'http://h/a?', 'http://h/a'],
    ['a query in a value stays', [], 'http://h/a?u=/x?y', 'http://h/a?u=/x?y'],
    ['user info goes', [], 'http://u:p@h/@x', 'http://h/@x'],
    ['+ and %20 are different', [], 'http://h/?a=1+2&a=1%202', 'http://h/?a=1+2&a=1%202'],
    ['slashes', ['collapse-slashes'], 'http://h//a///b?c=//', 'http://h/a/b?c=//'],
    ['trailing slash', ['add-trailing-slash'], 'http://h/a.d/b?x', 'http://h/a.d/b/?x'],
    ['no trailing slash behind a file', ['add-trailing-slash'], 'http://h/a/b.html', 'http://h/a/b.html'],
    ['empty parameters', ['drop-empty-parameters'], 'http://h/?a&b=&&c=1', 'http://h/?c=1'],
    ['only empty parameters', ['drop-empty-parameters'], 'http://h/?a&', 'http://h/'],
    ['an address with port', ['ip-to-host'], 'https://23.23.23.23:8443/x', 'https://example.com:8443/x'],
    ['an IPv6 address', ['ip-to-host'], 'http://[2001:db8::1]/x', 'http://six.example/x'],
    ['an unknown address', ['ip-to-host'], 'http://23.23.23.24/', 'http://23.23.23.24/'],
    ['session parameters', ['drop-session-parameters'], 'http://h/a?x=1&PHPSESSID=9&utm_source=n', 'http://h/a?x=1'],
    ['a session in the path', ['drop-session-parameters'], 'http://h/a;jsessionid=1F2?x=1', 'http://h/a?x=1'],
    ['a session segment', ['drop-session-parameters'], 'http://h/(S(lit3py55t21z5v55vlm25s55))/a', 'http://h/a'],
    ['sid only where it is long', ['drop-session-parameters'], 'http://h/?sid=12&sid=8f3a9c0d1e', 'http://h/?sid=12'],
  ])('%s', (_name, rules, input, output) => {
    expect(keyWith(...rules)(input)).toBe(output);
  });

  test.each<[NormalizeRule, string, string]>([
    ['upper-case-escapes', 'http://h/%2f%7e', 'http://h/%2f~'],
    ['decode-unreserved', 'http://h/%2f%7e', 'http://h/%2F%7E'],
    ['sort-query', 'http://h/?b&a', 'http://h/?b&a'],
    ['drop-bare-query', 'http://h/a?', 'http://h/a?'],
    ['drop-fragment', 'http://h/a#b', 'http://h/a#b'],
  ])('%s can be switched off', (rule, input, output) => {
    expect(keyWithout(rule)(input)).toBe(output);
    expect(defaultKey(input)).not.toBe(output);
  });

  test('what the parser does in any case is marked so', () => {
    const byParser = NORMALIZE_RULE_NAMES.filter((name) => NORMALIZE_RULES[name].byParser);
    expect(byParser).toEqual(['lower-case-host', 'drop-default-port', 'resolve-dots', 'drop-fragment']);
    const { href } = new URL('HTTP://EXAMPLE.com:80/a/../b/%2E/c');
    expect(href).toBe('http://example.com/b/c');
    expect(keyWithout('lower-case-host', 'drop-default-port', 'resolve-dots')(href)).toBe(href);
  });

  test('http and https are different keys, as are www and case of the path', () => {
    const urls = [
      'http://h/a',
      'https://h/a',
      'http://www.h/a',
      'http://h/A',
      'http://h/a/',
      'http://h/a?x',
      'http://h/a?x=',
    ];
    expect(new Set(urls.map(defaultKey)).size).toBe(urls.length);
  });
});

describe('properties', () => {
  test('the key of a key is the key, under any rules', () => {
    fc.assert(
      fc.property(url, ruleSet, (text, rules) => {
        const key = createUrlKey(rules, { hostNames });
        expect(key(key(text))).toBe(key(text));
      }),
      { numRuns: 5_000 },
    );
  });

  test('a key by the default rules is what the parser makes of it', () => {
    fc.assert(
      fc.property(url, (text) => {
        expect(defaultKey(new URL(defaultKey(text)).href)).toBe(defaultKey(text));
        expect(new URL(defaultKey(text)).host).toBe(new URL(text).host);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a plain URL comes back as the same text', () => {
    for (const text of ['http://h/', 'https://h:81/a/b.html', 'http://h/a//b/;c=d'])
      expect(defaultKey(text)).toBe(text);
  });

  test('a long query of rubbish takes no time', () => {
    const text = `http://h/?${'%&='.repeat(20_000)}`;
    const startedAt = performance.now();
    keyWith('drop-session-parameters', 'drop-empty-parameters')(text);
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});
