import { parameterName } from './url-query.ts';
import { findUrlParts } from './url-parts.ts';

/** How many URLs of one pattern may be visited; for `--trap-budget`. Judged in commit order, so that results stay exact. */
export interface PatternBudget {
  /** Takes one of the pattern's budget: undefined when the URL may be visited, else the rule as text and nothing is counted. */
  take(url: string): string | undefined;
  /** Counts a URL that was admitted in an earlier run. Replaying all of them, in any order, restores the state. */
  restore(url: string): void;
}

/** @param limit URLs per pattern, at least 1 */
export function createPatternBudget(limit: number): PatternBudget {
  // Numbers instead of texts: a site of a million pages can have a million patterns.
  const counts = new Map<number, number>();
  return {
    take(url) {
      const pattern = urlPattern(url);
      const id = hashPattern(pattern);
      const count = counts.get(id) ?? 0;
      if (count >= limit) return `--trap-budget ${limit}: ${pattern.slice(0, 200)}`;
      counts.set(id, count + 1);
      return undefined;
    },
    restore(url) {
      const id = hashPattern(urlPattern(url));
      counts.set(id, (counts.get(id) ?? 0) + 1);
    },
  };
}

/**
 * What URLs made by one program have in common: dates, numbers, hexadecimal and other ids of the path are replaced by `{date}`,
 * `{n}`, `{id}`, and of the query only the sorted names are left. `/cal/2026-07/?m=7&y=2026` → `/cal/{date}/?m&y`.
 */
export function urlPattern(url: string): string {
  const parts = findUrlParts(url);
  if (parts === undefined) return url;
  const path = url.slice(parts.path, parts.query).split('/').map(generalize).join('/');
  if (parts.fragment - parts.query < 2) return path;
  const names = url
    .slice(parts.query + 1, parts.fragment)
    .split('&')
    .map(parameterName);
  return `${path}?${[...new Set(names)].toSorted().join('&')}`;
}

const DATE = /\d{4}[-_.]\d{1,2}(?:[-_.]\d{1,2})?/g;
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;
/** A run of letters and digits that holds both and is long enough not to be a word. */
const MIXED_ID = /(?<![0-9a-z])(?=[a-z]*\d)(?=\d*[a-z])[0-9a-z]{8,}(?![0-9a-z])/gi;
const DIGIT = /\d/;

function generalize(segment: string): string {
  if (!DIGIT.test(segment)) return segment;
  return segment.replace(UUID, '{id}').replace(DATE, '{date}').replace(MIXED_ID, '{id}').replace(/\d+/g, '{n}');
}

/** 53 bits (two 32-bit FNV-like mixes); two patterns among a million share one with a chance below 1 in 10,000. */
function hashPattern(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
    high ^= high >>> 15;
  }
  return (high & 0x1fffff) * 0x1_0000_0000 + (low >>> 0);
}
