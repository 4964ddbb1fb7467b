import type { EndReason } from '../store/records.ts';

/** Exit codes of every command. */
export const EXIT_CODES = {
  0: 'done: all there is, or all down to the level asked for',
  1: 'a bug, or an error nobody thought of',
  2: 'wrong use: an option, a value, an input file, or options that do not fit the saved crawl',
  3: 'stopped before the end, state saved: the same command goes on',
  4: 'no start page could be had (no answer, refused by robots.txt, or robots.txt unreachable)',
  5: 'the store is locked, damaged or cannot be written',
} as const;
export type ExitCode = keyof typeof EXIT_CODES;

const OF_END_REASON: Readonly<Record<EndReason, ExitCode>> = {
  done: 0,
  level: 0,
  pages: 3,
  bytes: 3,
  timeout: 3,
  'stop-file': 3,
  signal: 3,
  'site-dead': 3,
  trap: 3,
  'robots-unreachable': 4,
  'start-denied': 4,
  'start-unreachable': 4,
};

/** For several sites the highest. */
export function exitCodeOf(reasons: readonly EndReason[]): ExitCode {
  const codes = reasons.map((reason) => OF_END_REASON[reason]);
  return codes.toSorted((a, b) => b - a)[0] ?? 0;
}
