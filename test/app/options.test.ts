import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CRAWL_OPTIONS, LATER_CRAWL_OPTIONS } from '../../src/app/options.ts';
import { parseArguments } from '../../src/app/parse-arguments.ts';
import {
  DEFAULT_MAX_SIZE_BYTES,
  DEFAULT_REQUEST_TIMEOUT_MS,
  DEFAULT_SITES_AT_ONCE,
  readCrawlOptions,
} from '../../src/app/read-crawl-options.ts';
import { isOrbweaverError } from '../../src/base/errors.ts';
import { readOptions } from '../../src/base/option.ts';

const parse = (...args: string[]): ReturnType<typeof parseArguments> =>
  parseArguments(args, CRAWL_OPTIONS, LATER_CRAWL_OPTIONS);
const read = (...args: string[]): ReturnType<typeof readOptions<typeof CRAWL_OPTIONS>> =>
  readOptions(CRAWL_OPTIONS, parse(...args).given);

/** Every option of design section 9, whether it works yet or not. */
const DESIGN =
  `data out hosts settings max-level max-pages timeout request-timeout stop-file concurrency delay sites robots user-agent
  include exclude keyword normalize no-normalize same-scheme keep-duplicates follow-meta-refresh format archive render links
  scope retry-broken trap-budget script-links external-depth guess-links max-size type extension header cookies fresh quiet json`.split(
    /\s+/,
  );

describe('options of crawl', () => {
  it('knows every name of the design', () => {
    const known = [...Object.keys(CRAWL_OPTIONS), ...LATER_CRAWL_OPTIONS];
    expect(DESIGN.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('accepts every example it gives', () => {
    for (const [name, { example, value }] of Object.entries(CRAWL_OPTIONS)) {
      const args = value === '' ? [`--${name}`] : [`--${name}`, example.replace(/^'(.*)'$/, '$1')];
      expect(example === '', name).toBe(value === '');
      expect(Object.keys(read(...args)), name).toEqual([name]);
    }
  });

  it('states the defaults that hold', async () => {
    const options = await readCrawlOptions({}, '1.2.3');
    expect(options).toMatchObject({
      maxLevel: Infinity,
      robots: 'obey',
      scope: 'site',
      links: ['a'],
      userAgent: 'Orbweaver/1.2.3',
    });
    const reread = read(
      '--max-size',
      CRAWL_OPTIONS['max-size'].defaultText,
      '--request-timeout',
      CRAWL_OPTIONS['request-timeout'].defaultText,
      '--sites',
      CRAWL_OPTIONS.sites.defaultText,
    );
    expect(reread).toEqual({
      'max-size': DEFAULT_MAX_SIZE_BYTES,
      'request-timeout': DEFAULT_REQUEST_TIMEOUT_MS,
      sites: DEFAULT_SITES_AT_ONCE,
    });
  });

  it('turns values into what the engine takes', async () => {
    const line =
      '--max-level -1 --max-bytes 1.5K --delay 0 --exclude a --exclude b --links a,area --normalize collapse-slashes --no-normalize sort-query --keyword x';
    const values = read(...line.split(' '), '--header', 'X-A: b: c');
    const options = await readCrawlOptions(values, '0');
    expect(options).toMatchObject({
      maxLevel: Infinity,
      maxBytes: 1536,
      delayMs: 0,
      headers: { 'x-a': 'b: c' },
      exclude: ['a', 'b'],
      links: ['a', 'area'],
      keywords: ['x'],
    });
    expect(options.normalize).toContain('collapse-slashes');
    expect(options.normalize).not.toContain('sort-query');
  });

  it('keeps positional arguments apart, also after --', () => {
    expect(parse('a', '--delay', '5', 'b', '--', '--fresh').positionals).toEqual(['a', 'b', '--fresh']);
  });

  it.each([
    [['--max-levle', '3'], 'unknown option --max-levle; did you mean --max-level?'],
    [['--concurency=3'], 'unknown option --concurency; did you mean --concurrency?'],
    [['--constructor'], 'unknown option --constructor'],
    [['-x'], 'unknown option -x'],
    [['--archive'], '--archive is not available in this version'],
    [['--render', 'auto'], '--render is not available in this version'],
    [['--timeout'], '--timeout needs a value: --timeout SECONDS'],
    [['--out', '--quiet'], '--out needs a value: --out DIR'],
    [['--quiet=1'], '--quiet takes no value'],
    [['--max-level', 'x'], '--max-level: "x" is not a whole number from 0'],
    [['--max-pages', '0'], '--max-pages: "0" is not a whole number from 1'],
    [['--concurrency', '1e3'], '--concurrency: "1e3" is not a whole number from 1 to 256'],
    [['--timeout', '-5'], '--timeout: "-5" is not a number of seconds above 0'],
    [['--max-size', '10X'], '--max-size: "10X" is not a size in bytes, such as 500000, 64K or 10M'],
    [['--robots', 'no'], '--robots: "no" is not one of obey, strict, ignore'],
    [['--format', 'gephi-csv,xls'], '--format: "xls" is not one of gephi-csv, gexf, graphml'],
    [['--header', 'nonsense'], '--header: "nonsense" is not of the form \'Name: value\''],
    [['--header', 'Host: x'], '--header: host is set by the crawler itself'],
    [['--user-agent', 'a\nb'], '--user-agent: the value of user-agent holds a character that HTTP does not allow'],
  ])('refuses %j in one clear line', (args, message) => {
    let thrown: unknown;
    try {
      read(...args);
    } catch (error) {
      thrown = error;
    }
    expect(isOrbweaverError(thrown, 'OPTIONS_INVALID') && thrown.message).toBe(message);
  });

  it('refuses expressions, rules and cookie files that cannot be used', async () => {
    await expect(readCrawlOptions({ include: ['('] }, '0')).rejects.toMatchObject({ code: 'OPTIONS_INVALID' });
    await expect(readCrawlOptions({ normalize: ['nope'] }, '0')).rejects.toThrow('no rule is called "nope"');
    await expect(readCrawlOptions({ cookies: '/nonexistent' }, '0')).rejects.toThrow('/nonexistent: no such file');
    await expect(readCrawlOptions({ cookies: 'package.json' }, '0')).rejects.toThrow(/^package\.json: /);
  });

  it('never fails but with OPTIONS_INVALID, in one line', () => {
    const word = fc.oneof(
      fc.constantFrom(...Object.keys(CRAWL_OPTIONS).map((name) => `--${name}`)),
      fc.string({ maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (args) => {
        try {
          read(...args);
        } catch (error) {
          expect(error).toMatchObject({ code: 'OPTIONS_INVALID' });
        }
      }),
    );
  });
});
