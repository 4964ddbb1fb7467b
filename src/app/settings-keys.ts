import type { CRAWL_OPTIONS } from './options.ts';

/** What a key of RCCrawler's ini file means here. */
export interface SettingsKey {
  /** Option it sets, if any. */
  readonly option?: keyof typeof CRAWL_OPTIONS;
  /** For the table in README.md. */
  readonly meaning: string;
  /**
   * Texts for the option, or a notice why there is none. Without it the value itself is the text.
   * @param others other keys of the file, by name
   */
  readonly read?: (value: string, others: ReadonlyMap<string, string>) => SettingsReading;
}

export type SettingsReading =
  | { readonly type: 'option'; readonly texts: readonly string[]; readonly notice?: string }
  /** Said to the user. */
  | { readonly type: 'notice'; readonly notice: string }
  /** Holds anyway, nothing to say. */
  | { readonly type: 'nothing' };

const NO_MEANING = 'a part of RCCrawler’s own make-up; accepted, no meaning here';

/** The finishers by which RCCrawler ended: a time limit or stop file held only when its finisher was in the list. */
function hasFinisher(name: string, others: ReadonlyMap<string, string>): boolean {
  const finishers = others.get('ApplicationFinishers');
  return finishers === undefined || namesIn(finishers).includes(name);
}

function namesIn(list: string): string[] {
  return list.split(',').map((name) => name.trim());
}

/** Every key of the file, in its order. */
export const SETTINGS_KEYS: Readonly<Record<string, SettingsKey>> = {
  ApplicationManager: { meaning: NO_MEANING },
  ApplicationFinishers: {
    meaning:
      '`TimeoutAF` and `StopFileAF` decide whether `TimeoutSeconds` and `StopFile` hold; a crawl whose work is done always ends',
    read: () => ({ type: 'nothing' }),
  },
  DataManager: { meaning: NO_MEANING },
  DownloadingThread: { meaning: NO_MEANING },
  ParsingThread: { meaning: NO_MEANING },
  ParsingThreadsCount: { meaning: NO_MEANING },
  RoutineThread: { meaning: NO_MEANING },
  UrlAnalyzingThread: { meaning: NO_MEANING },
  ResultUnloaders: {
    option: 'format',
    meaning: '`GephiSiteGraphRU` is `--format gephi-csv`; other names are accepted with a notice',
    read: (value) => {
      const others = namesIn(value).filter((name) => name !== 'GephiSiteGraphRU' && name !== '');
      const notice = `no result files for ${others.join(', ')} here`;
      if (!namesIn(value).includes('GephiSiteGraphRU')) return { type: 'notice', notice };
      return { type: 'option', texts: ['gephi-csv'], ...(others.length > 0 && { notice }) };
    },
  },
  DownloadingThreadPDChunkSizeMultiplier: { meaning: NO_MEANING },
  ParsingThreadPDChunkSize: { meaning: NO_MEANING },
  DownloadingThreadSleepTime: { meaning: NO_MEANING },
  ParsingThreadSleepTime: { meaning: NO_MEANING },
  RoutineThreadSleepTime: { meaning: NO_MEANING },
  CommonLogFile: {
    meaning: 'accepted with a notice: the log goes to `<data>/logs`',
    read: () => ({ type: 'notice', notice: 'the log goes to <data>/logs, one JSON object per line' }),
  },
  ErrorLogFile: {
    meaning: 'as `CommonLogFile`: errors stand in the same log',
    read: () => ({ type: 'notice', notice: 'the log goes to <data>/logs, one JSON object per line' }),
  },
  DisplayCommonLog: {
    option: 'quiet',
    meaning: '`0` is `--quiet`; `1` is the default',
    read: (value) => (value === '0' ? { type: 'option', texts: [''] } : { type: 'nothing' }),
  },
  DisplayErrorLog: {
    meaning: '`1` is always so; `0` is accepted with a notice',
    read: (value) => (value === '0' ? { type: 'notice', notice: 'errors are always shown' } : { type: 'nothing' }),
  },
  RobotsTxtClass: {
    option: 'robots',
    meaning:
      '`OnlyDisallowRobotsTxt` is `--robots obey` (RFC 9309, so `Allow` and wildcards count too); other names are accepted with a notice',
    read: (value) =>
      value === 'OnlyDisallowRobotsTxt'
        ? { type: 'option', texts: ['obey'] }
        : { type: 'notice', notice: `"${value}" is not known; robots.txt is obeyed, see --robots` },
  },
  TimeoutSeconds: {
    option: 'timeout',
    meaning: '`--timeout`',
    read: (value, others) =>
      hasFinisher('TimeoutAF', others)
        ? { type: 'option', texts: [value] }
        : { type: 'notice', notice: 'does not hold, since ApplicationFinishers does not name TimeoutAF' },
  },
  ResultFolder: { option: 'out', meaning: '`--out`' },
  SaveDuplicates: {
    meaning: 'about RCCrawler’s cache of addresses, not about nodes; accepted with a notice, see `--keep-duplicates`',
    read: () => ({
      type: 'notice',
      notice: 'was about a cache of addresses and has no meaning here; duplicates are folded, see --keep-duplicates',
    }),
  },
  StopFile: {
    option: 'stop-file',
    meaning: '`--stop-file`',
    read: (value, others) =>
      hasFinisher('StopFileAF', others)
        ? { type: 'option', texts: [value] }
        : { type: 'notice', notice: 'does not hold, since ApplicationFinishers does not name StopFileAF' },
  },
};

/** The table of README.md; a test keeps the two equal. */
export function settingsKeysAsMarkdown(): string {
  const rows = Object.entries(SETTINGS_KEYS).map(([key, { meaning }]) => `| \`${key}\` | ${meaning} |`);
  return ['| key | meaning here |', '|---|---|', ...rows].join('\n');
}
