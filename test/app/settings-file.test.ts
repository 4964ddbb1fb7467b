import { describe, expect, it } from 'vitest';
import { CRAWL_OPTIONS } from '../../src/app/options.ts';
import { parseSettingsFile, readSettingsFile } from '../../src/app/settings-file.ts';
import { SETTINGS_KEYS } from '../../src/app/settings-keys.ts';
import { readOptions } from '../../src/base/option.ts';

const parse = (text: string): ReturnType<typeof parseSettingsFile> => parseSettingsFile(text.split('\n'), 's.ini');
const valuesOf = (text: string): object => readOptions(CRAWL_OPTIONS, parse(text).given);

describe('settings file of RCCrawler', () => {
  it('reads the file of the thesis as it stands', async () => {
    const { given, notices } = await readSettingsFile('fixtures/thesis/settings.ini');
    expect(readOptions(CRAWL_OPTIONS, given)).toEqual({
      out: 'result',
      timeout: 240_000_000,
      'stop-file': 'stop.txt',
      robots: 'obey',
      format: ['gephi-csv'],
    });
    expect(notices.join('\n')).toContain('SaveDuplicates');
    expect(notices.join('\n')).not.toContain('unknown');
  });

  it('knows every key of that file, and no others', async () => {
    const { readFile } = await import('node:fs/promises');
    const text = await readFile('fixtures/thesis/settings.ini', 'utf8');
    const keys = text.split(/\r?\n/).flatMap((line) => /^\w+/.exec(line)?.[0] ?? []);
    expect(Object.keys(SETTINGS_KEYS).toSorted()).toEqual(keys.toSorted());
  });

  it('tells of every key that has no meaning here', async () => {
    const { notices } = await readSettingsFile('fixtures/thesis/settings.ini');
    for (const [key, { option, read }] of Object.entries(SETTINGS_KEYS)) {
      if (option === undefined && read === undefined) expect(notices.join('\n')).toContain(key);
    }
  });

  it('notes an unknown key with its line and goes on', () => {
    const { given, notices } = parse('[main]\nTimeoutSecond = 5\nTimeoutSeconds = 7');
    expect(notices).toEqual(['s.ini:2: unknown key TimeoutSecond is ignored; did you mean TimeoutSeconds?']);
    expect([...given.keys()]).toEqual(['timeout']);
  });

  it('lets a limit hold only when its finisher is named, as RCCrawler did', () => {
    const { given, notices } = parse(
      'ApplicationFinishers = "WorkIsDoneAF"\nTimeoutSeconds = 5\nStopFile = "stop.txt"',
    );
    expect([...given.keys()]).toEqual([]);
    expect(notices).toHaveLength(2);
    expect(valuesOf('TimeoutSeconds = 5')).toEqual({ timeout: 5000 });
  });

  it('is quiet when the common log is not displayed', () => {
    expect(valuesOf('DisplayCommonLog = 0')).toEqual({ quiet: true });
    expect(valuesOf('DisplayCommonLog = 1')).toEqual({});
  });

  it('reads quotes, comments and any case of the names', () => {
    expect(valuesOf('resultfolder = "my results" ; where\n# x\n; y\nSTOPFILE=\'a;b\'')).toEqual({
      out: 'my results',
      'stop-file': 'a;b',
    });
  });

  it('names file and line of a bad value and of a line that is no setting', () => {
    expect(() => valuesOf('\nTimeoutSeconds = soon')).toThrow(
      's.ini:2: TimeoutSeconds: "soon" is not a number of seconds',
    );
    expect(() => parse('ResultFolder')).toThrow('s.ini:1: "ResultFolder" is not of the form Key = value');
    expect(() => parse('ResultFolder = "x')).toThrow('s.ini:1: a quotation mark is not closed');
  });
});
