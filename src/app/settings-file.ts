import { OrbweaverError } from '../base/errors.ts';
import type { GivenOption } from '../base/option.ts';
import { nearestName } from './nearest-name.ts';
import { SETTINGS_KEYS } from './settings-keys.ts';
import { readLines } from './text-file.ts';

export interface Settings {
  /** By option name, as if they were flags. */
  readonly given: ReadonlyMap<string, GivenOption>;
  /** For people, each naming file and line. */
  readonly notices: readonly string[];
}

interface Entry {
  readonly key: string;
  readonly value: string;
  readonly where: string;
}

/**
 * Reads the ini file of the 2016 RCCrawler: `Key = "text"` or `Key = 1`, with `#`, `;` and `[section]` lines passed over.
 * Names are matched without regard to case. An unknown key is a notice, not an error.
 * @throws {INPUT_INVALID} naming file and line, for a line that is no setting
 */
export async function readSettingsFile(path: string): Promise<Settings> {
  return parseSettingsFile(await readLines(path), path);
}

/** As `readSettingsFile`, from lines. */
export function parseSettingsFile(lines: readonly string[], path: string): Settings {
  const entries = lines.flatMap((line, index) => parseLine(line, `${path}:${index + 1}`));
  const values = new Map(entries.map(({ key, value }) => [key, value]));
  const given = new Map<string, GivenOption>();
  const notices: string[] = [];
  const withoutMeaning: string[] = [];
  for (const { key, value, where } of entries) {
    const known = Object.hasOwn(SETTINGS_KEYS, key) ? SETTINGS_KEYS[key] : undefined;
    if (known === undefined) {
      const nearest = nearestName(key, Object.keys(SETTINGS_KEYS));
      notices.push(
        `${where}: unknown key ${key} is ignored${nearest === undefined ? '' : `; did you mean ${nearest}?`}`,
      );
      continue;
    }
    const { option, read } = known;
    if (option === undefined && read === undefined) {
      withoutMeaning.push(key);
      continue;
    }
    const reading = read === undefined ? ({ type: 'option', texts: [value] } as const) : read(value, values);
    if (reading.type === 'option' && option !== undefined) {
      given.set(option, { texts: reading.texts, shownAs: `${where}: ${key}` });
    }
    if ('notice' in reading) notices.push(`${where}: ${key}: ${reading.notice}`);
  }
  if (withoutMeaning.length > 0) notices.push(`${path}: accepted, no meaning here: ${withoutMeaning.join(', ')}`);
  return { given, notices };
}

const KEY_BY_LOWER_CASE = new Map(Object.keys(SETTINGS_KEYS).map((key) => [key.toLowerCase(), key]));

function parseLine(raw: string, where: string): Entry[] {
  const line = raw.trim();
  if (line === '' || /^[#;]/.test(line) || /^\[.*\]$/.test(line)) return [];
  const match = /^([^=\s]+)\s*=\s*(.*)$/.exec(line);
  if (match === null)
    throw new OrbweaverError('INPUT_INVALID', `${where}: "${line.slice(0, 60)}" is not of the form Key = value`);
  const [, typed = '', rest = ''] = match;
  return [{ key: KEY_BY_LOWER_CASE.get(typed.toLowerCase()) ?? typed, value: readValue(rest, where), where }];
}

/** Text in quotes ends at the closing one; without quotes a comment may follow. */
function readValue(rest: string, where: string): string {
  const quoted = /^"([^"]*)"\s*(?:[#;].*)?$/.exec(rest) ?? /^'([^']*)'\s*(?:[#;].*)?$/.exec(rest);
  if (quoted !== null) return quoted[1] ?? '';
  if (/^["']/.test(rest)) throw new OrbweaverError('INPUT_INVALID', `${where}: a quotation mark is not closed`);
  return rest.replace(/\s[#;].*$/, '').trim();
}
