import { choice, bytes, flag, integer, list, refine, seconds, text, texts, type OptionValues } from '../base/option.ts';
import { GRAPH_FORMATS, type GraphFormat } from '../graph/export/index.ts';
import { LINK_KINDS } from '../web/scan-result.ts';
import { readHeader } from './read-header.ts';

const FORMATS = Object.keys(GRAPH_FORMATS) as GraphFormat[];

/** Options that several commands share. */
export const DATA_OPTION = text({
  group: 'where',
  value: 'DIR',
  summary: 'data directory: the saved state, results and logs',
  defaultText: './archive',
  example: '/var/lib/orbweaver',
});

export const HELP_OPTION = flag({ group: 'results', summary: 'this text' });

/**
 * Every option of `orbweaver crawl` that works in this version. `--help`, the checks and the table in README.md come from here;
 * `read-crawl-options.ts` turns the values into what the engine takes.
 */
export const CRAWL_OPTIONS = {
  data: DATA_OPTION,
  out: text({
    group: 'where',
    value: 'DIR',
    summary: 'folder for the result files',
    defaultText: '<data>/graphs',
    example: 'result',
  }),
  hosts: texts({
    group: 'where',
    value: 'FILE',
    summary: 'a list of sites, one a line (repeatable)',
    example: 'hosts.txt',
  }),
  settings: text({
    group: 'where',
    value: 'FILE',
    summary: 'settings of RCCrawler (2016); options given here win',
    example: 'settings.ini',
  }),
  'stop-file': text({
    group: 'where',
    value: 'PATH',
    summary: 'end the crawl, saved, as soon as this file exists',
    example: 'stop.txt',
  }),
  cookies: text({
    group: 'where',
    value: 'FILE',
    summary: 'cookies in the Netscape format of curl and wget, each sent to its own host only',
    example: 'cookies.txt',
  }),

  'max-level': integer(
    {
      group: 'limits',
      value: 'N',
      summary: 'deepest level that is fetched, in clicks from the start page; a negative number is no limit',
      defaultText: 'no limit',
      example: '3',
    },
    { min: 0, negativeIs: Infinity },
  ),
  'max-pages': integer(
    { group: 'limits', value: 'N', summary: 'pages per site', defaultText: 'no limit', example: '10000' },
    { min: 1 },
  ),
  'max-bytes': bytes({
    group: 'limits',
    value: 'BYTES',
    summary: 'bytes of pages read per site; 64K, 10M, 2G',
    defaultText: 'no limit',
    example: '2G',
  }),
  'max-size': bytes({
    group: 'limits',
    value: 'BYTES',
    summary: 'largest page, decompressed; a larger one is no node and is listed',
    defaultText: '16M',
    example: '10M',
  }),
  timeout: seconds({
    group: 'limits',
    value: 'SECONDS',
    summary: 'time for the whole run',
    defaultText: 'no limit',
    example: '3600',
  }),
  'request-timeout': seconds({
    group: 'limits',
    value: 'SECONDS',
    summary: 'time for one exchange, from connecting to the last byte',
    defaultText: '30',
    example: '10',
  }),
  'trap-budget': integer(
    {
      group: 'limits',
      value: 'N',
      summary:
        'URLs visited per pattern (numbers, dates and ids of the path and values of the query left open); the rest counts as a trap',
      defaultText: 'no budget',
      example: '500',
    },
    { min: 1 },
  ),

  concurrency: integer(
    { group: 'speed', value: 'N', summary: 'connections per site', defaultText: '2', example: '4' },
    { min: 1, max: 256 },
  ),
  delay: integer(
    {
      group: 'speed',
      value: 'MS',
      summary: 'pause of each connection after an answer, in milliseconds; a longer Crawl-delay of robots.txt wins',
      defaultText: '250, more for slow sites; 0 on this machine',
      example: '1000',
    },
    { min: 0, max: 86_400_000 },
  ),
  sites: integer(
    { group: 'speed', value: 'N', summary: 'sites crawled at once', defaultText: '4', example: '10' },
    { min: 1, max: 1000 },
  ),

  robots: choice(
    {
      group: 'rules',
      value: 'MODE',
      summary: 'obey, strict or ignore robots.txt; strict differs from obey for archives only',
      defaultText: 'obey',
      example: 'ignore',
    },
    ['obey', 'strict', 'ignore'],
  ),
  'user-agent': refine(
    text({
      group: 'rules',
      value: 'TEXT',
      summary: 'how the crawler names itself; the part before the first / is looked up in robots.txt',
      defaultText: 'Orbweaver/<version>',
      example: 'MyStudy/1.0 (me@example.edu)',
    }),
    (value, name) => readHeader(`User-Agent: ${value}`, name).value,
  ),
  header: refine(
    texts({
      group: 'rules',
      value: "'NAME: VALUE'",
      summary: 'header sent to the site itself, never to other hosts (repeatable)',
      example: "'Accept-Language: de'",
    }),
    (lines, name) => lines.map((line) => readHeader(line, name)),
  ),
  include: texts({
    group: 'rules',
    value: 'REGEX',
    summary: 'only URLs in which this is found (repeatable: one of them)',
    example: '/docs/',
  }),
  exclude: texts({
    group: 'rules',
    value: 'REGEX',
    summary: 'no URLs in which this is found (repeatable)',
    example: '/print/',
  }),
  keyword: texts({
    group: 'rules',
    value: 'TEXT',
    summary:
      'only URLs with this text in the path or query, in any case (repeatable: one of them); the start page always',
    example: 'library',
  }),
  scope: choice(
    {
      group: 'rules',
      value: 'SCOPE',
      summary: 'site, or directory: only URLs below the folder of the start page',
      defaultText: 'site',
      example: 'directory',
    },
    ['site', 'directory'],
  ),
  'same-scheme': flag({ group: 'rules', summary: 'only http or only https, as the start page' }),
  links: list(
    {
      group: 'rules',
      value: 'LIST',
      summary: 'elements whose links are followed: a, area, frame (also iframe)',
      defaultText: 'a',
      example: 'a,area',
    },
    LINK_KINDS,
  ),
  'follow-meta-refresh': flag({ group: 'rules', summary: 'follow <meta http-equiv=refresh> as a redirect' }),
  normalize: texts({
    group: 'rules',
    value: 'RULE[,RULE]',
    summary: 'switch rules on by which URLs are the same; they are listed below (repeatable)',
    example: 'drop-session-parameters',
  }),
  'no-normalize': texts({
    group: 'rules',
    value: 'RULE[,RULE]',
    summary: 'switch such rules off (repeatable)',
    example: 'sort-query',
  }),
  'keep-duplicates': flag({ group: 'rules', summary: 'keep pages of equal content as nodes of their own' }),
  'allow-private': flag({
    group: 'rules',
    summary: 'let public sites lead to private addresses (10.x, 192.168.x, this machine)',
  }),
  'retry-broken': flag({
    group: 'rules',
    summary: 'ask again for what gave no answer, 429 or 5xx, on a crawl that has ended',
  }),
  fresh: flag({ group: 'rules', summary: 'forget the saved state of these sites and start anew' }),

  format: list(
    {
      group: 'results',
      value: 'LIST',
      summary: `graph files: ${FORMATS.join(', ')}`,
      defaultText: 'gephi-csv',
      example: 'gephi-csv,gexf',
    },
    FORMATS,
  ),
  json: flag({
    group: 'results',
    summary: 'one JSON document on stdout instead of paths: the summary, or an array for several sites',
  }),
  quiet: flag({ group: 'results', summary: 'no progress and no report, only errors' }),
  verbose: flag({ group: 'results', summary: 'log every URL, to stderr and to the log file' }),
  sync: flag({ group: 'results', summary: 'wait for the disk after every commit, so that a power cut loses nothing' }),
  help: HELP_OPTION,
} as const;

export type CrawlValues = OptionValues<typeof CRAWL_OPTIONS>;

/** Names that are settled and come with the offline archive. Given today, they end the command: ignoring them would mislead. */
export const LATER_CRAWL_OPTIONS: readonly string[] = [
  'archive',
  'render',
  'type',
  'extension',
  'script-links',
  'external-depth',
  'guess-links',
];
