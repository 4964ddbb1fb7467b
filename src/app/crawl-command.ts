import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { OrbweaverError } from '../base/errors.ts';
import { readOptions, type GivenOption } from '../base/option.ts';
import { NORMALIZE_RULES } from '../web/url-key.ts';
import type { Command } from './command.ts';
import { COMMAND_WORDS } from './command-words.ts';
import { describeEnd } from './end-report.ts';
import { exitCodeOf } from './exit-code.ts';
import { openLogFile, type LogFile } from './log-file.ts';
import { CRAWL_OPTIONS, LATER_CRAWL_OPTIONS, type CrawlValues } from './options.ts';
import { parseArguments } from './parse-arguments.ts';
import { openProgressView, openQuietView, type ProgressView } from './progress-view.ts';
import { DEFAULT_SITES_AT_ONCE, readCrawlOptions } from './read-crawl-options.ts';
import { runCrawl, type CrawlSiteResult } from './run-crawl.ts';
import { reportFailure } from './report-failure.ts';
import { findSeeds, type Seeds } from './seeds.ts';
import { readSettingsFile } from './settings-file.ts';
import { createSignalCounter } from './signals.ts';
import type { Streams } from './streams.ts';
import { createPaint, printable } from './terminal-text.ts';
import { formatCommandHelp } from './usage-text.ts';
import { readVersion } from './version.ts';

const EXIT_STOPPED = 3;

/** `orbweaver crawl`. `crawl` is given by tests. */
export function createCrawlCommand(crawl: typeof runCrawl = runCrawl): Command {
  return { run: (args, streams) => run(args, streams, crawl) };
}

async function run(args: readonly string[], streams: Streams, crawl: typeof runCrawl): Promise<number> {
  const { given, positionals } = parseArguments(args, CRAWL_OPTIONS, LATER_CRAWL_OPTIONS);
  if (given.has('help')) {
    streams.out.write(formatCommandHelp(COMMAND_WORDS.crawl, CRAWL_OPTIONS, describeRules()));
    return 0;
  }
  const { values, notices } = await mergeSettings(given);
  if (positionals.length === 0 && values.hosts === undefined) {
    throw new OrbweaverError('OPTIONS_INVALID', `no site given; usage: ${COMMAND_WORDS.crawl.usage}`);
  }
  const found = await findSeeds(positionals, values.hosts ?? []);
  const version = readVersion();
  const options = await readCrawlOptions(values, version);
  const deadline = systemClock.now() + (values.timeout ?? Infinity);
  // A site with a level limit of its own ends with URLs in its queue; what is left then cannot be told from the queue.
  const endsWithQueue = found.seeds.every((seed) => (seed.maxLevel ?? options.maxLevel) === Infinity);
  const limits = { maxPages: options.maxPages, endsWithQueue, deadline };
  const view =
    values.quiet === true
      ? openQuietView(streams.err)
      : openProgressView({ stream: streams.err, clock: systemClock, limits });
  const session: Session = { values, view, streams, found, notices: [...notices, ...found.notices] };
  const logger = openLog(session);
  const stopper = listenForSignals(session);
  try {
    logger.info('run started', { version, sites: found.seeds.length });
    for (const notice of session.notices) {
      logger.info(notice);
      if (values.quiet !== true) view.print(printable(`note: ${notice}`));
    }
    const failures: unknown[] = [];
    const results = await crawl({
      dataDirectory: dataDirectoryOf(values),
      outDirectory: values.out,
      options,
      seeds: found.seeds,
      sitesAtOnce: values.sites ?? DEFAULT_SITES_AT_ONCE,
      timeoutMs: values.timeout,
      stopFile: values['stop-file'],
      formats: values.format ?? ['gephi-csv'],
      fresh: values.fresh ?? false,
      sync: values.sync ?? false,
      version,
      signal: stopper.signal,
      logger,
      clock: systemClock,
      onFailure: (error) => failures.push(error),
      onProgress: (progress) => {
        view.update(progress);
        const isOneOfMany = found.seeds.length > 1 && values.quiet !== true;
        if (progress.state === 'ended' && isOneOfMany) view.print(`${progress.site}: ended, ${progress.pages} pages`);
      },
    });
    view.close();
    const code = report(results, session, logger);
    return Math.max(code, ...failures.map((error) => reportFailure(error, streams)));
  } catch (error) {
    logger.info('run failed', { reason: error instanceof Error ? error.message : String(error) });
    throw error;
  } finally {
    stopper.close();
    view.close();
    await logger.close();
  }
}

function describeRules(): string[] {
  const rules = Object.entries(NORMALIZE_RULES);
  const lines = rules.map(([name, rule]) => `  ${name.padEnd(25)}${rule.default ? 'on ' : 'off'}  ${rule.summary}`);
  return ['', 'Rules by which URLs are the same, with their defaults:', ...lines];
}

interface Session {
  readonly values: CrawlValues;
  readonly view: ProgressView;
  readonly streams: Streams;
  readonly found: Seeds;
  readonly notices: readonly string[];
}

/** Defaults, then the settings file, then flags. What a line of a hosts file says of its site is more special than all of these. */
async function mergeSettings(
  given: ReadonlyMap<string, GivenOption>,
): Promise<{ readonly values: CrawlValues; readonly notices: readonly string[] }> {
  const flags = readOptions(CRAWL_OPTIONS, given);
  if (flags.settings === undefined) return { values: flags, notices: [] };
  const settings = await readSettingsFile(flags.settings);
  return { values: readOptions(CRAWL_OPTIONS, new Map([...settings.given, ...given])), notices: settings.notices };
}

function dataDirectoryOf(values: CrawlValues): string {
  return values.data ?? 'archive';
}

function openLog({ values, view, streams }: Session): LogFile {
  const paint = createPaint(streams.err.isTerminal, streams.env);
  return openLogFile({
    folder: join(dataDirectoryOf(values), 'logs'),
    clock: systemClock,
    isVerbose: values.verbose ?? false,
    show: (level, line) => {
      if (values.quiet === true && level !== 'error') return;
      const colour = { debug: 'dim', info: 'dim', warn: 'yellow', error: 'red' } as const;
      view.print(paint(colour[level], `${level}: ${printable(line)}`));
    },
  });
}

function listenForSignals({ streams, view, values }: Session): { readonly signal: AbortSignal; close(): void } {
  const controller = new AbortController();
  const close = streams.onSignal(
    createSignalCounter(systemClock, {
      onFirst: (name) => {
        controller.abort();
        if (values.quiet !== true)
          view.print(`${name}: finishing what is in flight, then saving; once more leaves at once`);
      },
      onSecond: () => {
        view.close();
        streams.exitNow(EXIT_STOPPED);
      },
    }),
  );
  return { signal: controller.signal, close };
}

function report(results: readonly CrawlSiteResult[], { values, streams, found }: Session, logger: LogFile): number {
  const { out, err } = streams;
  const paint = createPaint(err.isTerminal, streams.env);
  for (const result of results) {
    const { site, endReason, pages, arcs } = result;
    logger.info('site ended', { site, endReason, pages, arcs });
    const code = exitCodeOf([endReason]);
    const [first = '', ...rest] = describeEnd(result);
    const colour = code === 0 ? 'green' : code === EXIT_STOPPED ? 'yellow' : 'red';
    // A site that was not crawled is an error; --quiet does not hide it.
    if (values.quiet !== true) err.write(`${[paint(colour, first), ...rest.map(printable)].join('\n')}\n`);
    else if (code > EXIT_STOPPED) err.write(`${paint(colour, first)}\n`);
  }
  if (values.json === true) {
    const summaries = results.map(({ summary }) => summary);
    const document = found.seeds.length === 1 ? summaries[0] : summaries;
    out.write(`${JSON.stringify(document, undefined, 2)}\n`);
  } else {
    for (const { files } of results) for (const file of files) out.write(`${file}\n`);
  }
  return exitCodeOf(results.map(({ endReason }) => endReason));
}
