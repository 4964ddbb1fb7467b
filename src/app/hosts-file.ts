import { OrbweaverError, isOrbweaverError } from '../base/errors.ts';
import type { SeedRequest } from '../crawl/crawl-options.ts';
import { parseTypedSite } from '../web/typed-site.ts';
import { readLines } from './text-file.ts';

export interface HostsFile {
  readonly seeds: readonly SeedRequest[];
  /** For people: lines that were left out. */
  readonly notices: readonly string[];
}

const FORMAT = '{http|https}://{host};{connections};{max level};{delay in ms}';
const MAX_CONNECTIONS = 256;
const MAX_DELAY_MS = 86_400_000;

/**
 * Reads a list of sites in the format of RCCrawler: one site a line, `#` starts a comment,
 * `{http|https}://{host}[:port][/path];{connections};{max level, negative = unlimited};{delay in ms per connection}`.
 * Fields that are left out or empty are taken from the options of the run.
 * @throws {INPUT_INVALID} naming file and line
 */
export async function readHostsFile(path: string): Promise<HostsFile> {
  return parseHostsFile(await readLines(path), path);
}

/** As `readHostsFile`, from lines. */
export function parseHostsFile(lines: readonly string[], path: string): HostsFile {
  const seeds = new Map<string, SeedRequest>();
  const firstLines = new Map<string, number>();
  const notices: string[] = [];
  for (const [index, raw] of lines.entries()) {
    const line = stripComment(raw);
    if (line === '') continue;
    const seed = parseLine(line, `${path}:${index + 1}`);
    const first = firstLines.get(seed.url);
    if (first === undefined) {
      firstLines.set(seed.url, index + 1);
      seeds.set(seed.url, seed);
    } else {
      notices.push(`${path}:${index + 1}: ${seed.url} stands in line ${first} already; this line is left out`);
    }
  }
  if (seeds.size === 0) throw new OrbweaverError('INPUT_INVALID', `${path}: there is no site in this file`);
  return { seeds: [...seeds.values()], notices };
}

/** A `#` within a URL would be a fragment, which means nothing here, so it may start a comment anywhere. */
function stripComment(line: string): string {
  const hash = line.indexOf('#');
  return (hash < 0 ? line : line.slice(0, hash)).trim();
}

function parseLine(line: string, where: string): SeedRequest {
  const fields = line.split(';').map((field) => field.trim());
  // A semicolon at the end of a line is common in such lists.
  if (fields.length === 5 && fields[4] === '') fields.pop();
  if (fields.length > 4) throw invalid(where, `${fields.length} fields, at most 4 are known: ${FORMAT}`);
  const [address = '', connections = '', level = '', delay = ''] = fields;
  if (!/^https?:\/\//i.test(address)) {
    throw invalid(where, `"${address.slice(0, 60)}" does not begin with http:// or https://; the format is ${FORMAT}`);
  }
  const concurrency = readNumber(connections, 'connections', where, 1, MAX_CONNECTIONS);
  const maxLevel = readNumber(level, 'max level', where, -Infinity, Number.MAX_SAFE_INTEGER);
  const delayMs = readNumber(delay, 'delay in ms', where, 0, MAX_DELAY_MS);
  return {
    url: readAddress(address, where),
    ...(concurrency !== undefined && { concurrency }),
    ...(maxLevel !== undefined && { maxLevel: maxLevel < 0 ? Infinity : maxLevel }),
    ...(delayMs !== undefined && { delayMs }),
  };
}

function readAddress(address: string, where: string): string {
  try {
    return parseTypedSite(address);
  } catch (error) {
    if (!isOrbweaverError(error)) throw error;
    throw new OrbweaverError('INPUT_INVALID', `${where}: ${error.message}`, { cause: error });
  }
}

function readNumber(field: string, name: string, where: string, min: number, max: number): number | undefined {
  if (field === '') return undefined;
  const number = /^[+-]?\d{1,15}$/.test(field) ? Number(field) : NaN;
  if (number >= min && number <= max) return number;
  const range = min === -Infinity ? '' : ` from ${min} to ${max}`;
  throw invalid(where, `${name}: "${field.slice(0, 60)}" is not a whole number${range}`);
}

function invalid(where: string, reason: string): OrbweaverError {
  return new OrbweaverError('INPUT_INVALID', `${where}: ${reason}`);
}
