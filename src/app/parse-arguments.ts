import { parseArgs } from 'node:util';
import { OrbweaverError } from '../base/errors.ts';
import type { GivenOption, OptionTable } from '../base/option.ts';
import { nearestName } from './nearest-name.ts';

export interface ParsedArguments {
  readonly given: ReadonlyMap<string, GivenOption>;
  readonly positionals: readonly string[];
}

const SHORT_NAMES: Readonly<Record<string, string>> = { h: 'help', q: 'quiet' };

/**
 * Splits a command line by a table of options. A value may begin with a minus sign (`--max-level -1`), but not look like an option.
 * @param later options that are known and come with a later version
 * @throws {OPTIONS_INVALID} one line: unknown option (with the nearest name), missing or superfluous value
 */
export function parseArguments(
  args: readonly string[],
  table: OptionTable,
  later: readonly string[] = [],
): ParsedArguments {
  const options: Record<string, { type: 'string' | 'boolean'; short?: string }> = {};
  for (const [name, { value }] of Object.entries(table)) {
    const short = Object.keys(SHORT_NAMES).find((letter) => SHORT_NAMES[letter] === name);
    options[name] = { type: value === '' ? 'boolean' : 'string', ...(short !== undefined && { short }) };
  }
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  const texts = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    // Only own keys are options: `--constructor` is none.
    const option = Object.hasOwn(table, name) ? table[name] : undefined;
    if (option === undefined) throw unknownOption(name, rawName, table, later);
    texts.set(name, [...(texts.get(name) ?? []), readValue(option.value, rawName, value, token.inlineValue === true)]);
  }
  const given = [...texts].map(([name, all]) => [name, { texts: all, shownAs: `--${name}` }] as const);
  return { given: new Map(given), positionals };
}

function readValue(placeholder: string, rawName: string, value: string | undefined, isInline: boolean): string {
  if (placeholder === '') {
    if (value !== undefined) throw invalid(`${rawName} takes no value`);
    return '';
  }
  if (value === undefined || (!isInline && /^--?[a-z]/i.test(value))) {
    throw invalid(`${rawName} needs a value: ${rawName} ${placeholder}`);
  }
  return value;
}

function unknownOption(name: string, rawName: string, table: OptionTable, later: readonly string[]): OrbweaverError {
  if (later.includes(name)) return invalid(`--${name} is not available in this version`);
  const nearest = nearestName(name, Object.keys(table));
  return invalid(`unknown option ${rawName}${nearest === undefined ? '' : `; did you mean --${nearest}?`}`);
}

function invalid(message: string): OrbweaverError {
  return new OrbweaverError('OPTIONS_INVALID', message);
}
