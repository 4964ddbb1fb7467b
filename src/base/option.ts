import { OrbweaverError } from './errors.ts';

/**
 * One option: from this come the parser's configuration, the checks, `--help` and the table in README.md.
 * A table of our own and no validation library: importing zod takes 75 to 120 ms, more than all else at start.
 */
export interface Option<T> {
  readonly group: string;
  /** What it does, unit and limits included; no full stop at the end. */
  readonly summary: string;
  /** Placeholder of the value in `--help`; empty for a flag, which takes none. */
  readonly value: string;
  /** The default as people read it; empty when there is none. */
  readonly defaultText: string;
  /** A value as one would write it; empty for a flag. */
  readonly example: string;
  /** Every mention counts; otherwise the last one does. */
  readonly isRepeatable: boolean;
  /** @throws {OPTIONS_INVALID} one line, beginning with `name` as the user wrote it */
  readonly read: (texts: readonly string[], name: string) => T;
}

export type OptionTable = Readonly<Record<string, Option<unknown>>>;

/** What is left out was not given. */
export type OptionValues<T extends OptionTable> = {
  readonly [K in keyof T]?: T[K] extends Option<infer V> ? V : never;
};

/** An option as it was given, before it is read. */
export interface GivenOption {
  readonly texts: readonly string[];
  /** For messages: `--timeout`, `settings.ini:22: TimeoutSeconds`. */
  readonly shownAs: string;
}

export interface OptionWords {
  readonly group: string;
  readonly summary: string;
  readonly value?: string;
  readonly defaultText?: string;
  readonly example?: string;
}

/**
 * Reads what was given, in the order of the table.
 * @throws {OPTIONS_INVALID} at the first bad value
 */
export function readOptions<T extends OptionTable>(table: T, given: ReadonlyMap<string, GivenOption>): OptionValues<T> {
  const values: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(table)) {
    const found = given.get(name);
    if (found !== undefined) values[name] = option.read(found.texts, found.shownAs);
  }
  return values as OptionValues<T>;
}

/** Present or not. */
export function flag(words: OptionWords): Option<boolean> {
  return { ...fill(words), read: () => true };
}

export function text(words: OptionWords): Option<string> {
  return one(words, (given, name) => (given === '' ? fail(name, 'needs a value that is not empty') : given));
}

/** May be given several times. */
export function texts(words: OptionWords): Option<readonly string[]> {
  const single = text(words);
  return { ...fill(words), isRepeatable: true, read: (all, name) => all.map((given) => single.read([given], name)) };
}

/** A whole number within limits; with `negativeIs`, any negative one stands for that value. */
export function integer(
  words: OptionWords,
  limits: { readonly min: number; readonly max?: number; readonly negativeIs?: number },
): Option<number> {
  const { min, max = Number.MAX_SAFE_INTEGER, negativeIs } = limits;
  const range = limits.max === undefined ? `from ${min}` : `from ${min} to ${max}`;
  return one(words, (given, name) => {
    const number = /^[+-]?\d{1,16}$/.test(given) ? Number(given) : NaN;
    if (number < 0 && negativeIs !== undefined) return negativeIs;
    if (number >= min && number <= max) return number;
    return fail(name, `"${shorten(given)}" is not a whole number ${range}`);
  });
}

/** Seconds, with a fraction if need be; the value is in milliseconds. */
export function seconds(words: OptionWords): Option<number> {
  return one(words, (given, name) => {
    const value = /^\d{1,10}(?:\.\d+)?$/.test(given) ? Number(given) : 0;
    return value > 0 ? Math.ceil(value * 1000) : fail(name, `"${shorten(given)}" is not a number of seconds above 0`);
  });
}

const SIZE_UNITS: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/** Bytes, or `64K`, `10M`, `1.5G` in powers of 1,024. */
export function bytes(words: OptionWords): Option<number> {
  return one(words, (given, name) => {
    const match = /^(\d{1,15}(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?$/i.exec(given);
    const size = match === null ? 0 : Math.floor(Number(match[1]) * (SIZE_UNITS[(match[2] ?? '').toUpperCase()] ?? 1));
    return size > 0 && Number.isSafeInteger(size)
      ? size
      : fail(name, `"${shorten(given)}" is not a size in bytes, such as 500000, 64K or 10M`);
  });
}

export function choice<C extends string>(words: OptionWords, choices: readonly C[]): Option<C> {
  return one(words, (given, name) => pick(given, name, choices));
}

/** Names with commas between them; may be given several times. */
export function list<C extends string>(words: OptionWords, choices: readonly C[]): Option<readonly C[]> {
  return {
    ...fill(words),
    isRepeatable: true,
    read: (all, name) => {
      const names = all.flatMap((given) => given.split(',').map((part) => part.trim()));
      const filled = names.filter((part) => part !== '');
      if (filled.length === 0) return fail(name, `needs at least one of ${choices.join(', ')}`);
      return [...new Set(filled.map((part) => pick(part, name, choices)))];
    },
  };
}

/** The same option, read further. */
export function refine<A, B>(option: Option<A>, read: (value: A, name: string) => B): Option<B> {
  return { ...option, read: (all, name) => read(option.read(all, name), name) };
}

function one<T>(words: OptionWords, read: (given: string, name: string) => T): Option<T> {
  return { ...fill(words), read: (all, name) => read((all.at(-1) ?? '').trim(), name) };
}

function fill(words: OptionWords): Omit<Option<unknown>, 'read'> {
  const { group, summary, value = '', defaultText = '', example = '' } = words;
  return { group, summary, value, defaultText, example, isRepeatable: false };
}

function pick<C extends string>(given: string, shownAs: string, choices: readonly C[]): C {
  const found = choices.find((name) => name === given);
  return found ?? fail(shownAs, `"${shorten(given)}" is not one of ${choices.join(', ')}`);
}

function fail(name: string, reason: string): never {
  throw new OrbweaverError('OPTIONS_INVALID', `${name}: ${reason}`, { context: { option: name } });
}

function shorten(given: string): string {
  return given.length > 60 ? `${given.slice(0, 60)}…` : given;
}
