import { parameterName } from './url-query.ts';
import { findUrlParts } from './url-parts.ts';

/**
 * From these numbers on a URL counts as made by a trap. They keep clear of what real sites do: shard and tile paths repeat a
 * segment up to three times (`/0/0/0`), dates twice (`/2011/11/11`), package paths a pair twice; searches repeat a parameter
 * name a dozen times (`f[]=`) but hardly ever with the same value.
 */
const MAX = {
  repeats: 4,
  sequenceRepeats: 3,
  segmentUses: 6,
  sameParameter: 5,
  sameName: 17,
  parameters: 65,
  escapeDepth: 4,
};
type Limits = typeof MAX;
/** What the linking page must show itself, one step before. */
const BEFORE: Limits = {
  repeats: 3,
  sequenceRepeats: 2,
  segmentUses: 5,
  sameParameter: 4,
  sameName: 16,
  parameters: 64,
  escapeDepth: 3,
};

/** Longest sequence of segments looked for. */
const MAX_PERIOD = 8;

/**
 * Tells whether a URL looks as if a site went on making URLs for ever: path segments that repeat (`/a/a/a/a`, `/a/b/a/b/a/b`) or a
 * query that grows (the same parameter again and again, or a URL inside a URL inside a URL). Very cheap for plain URLs.
 * @param url absolute http(s) URL
 * @param fromUrl the page that links to it; given, it must show the repetition too, one step shorter, so that a single odd link
 *   is no trap and only growth is
 * @returns the rule as text, undefined when nothing is found
 */
export function detectTrap(url: string, fromUrl?: string): string | undefined {
  const rule = findRepetition(url, MAX);
  if (rule === undefined || fromUrl === undefined) return rule;
  return findRepetition(fromUrl, BEFORE) === undefined ? undefined : rule;
}

function findRepetition(url: string, limits: Limits): string | undefined {
  const parts = findUrlParts(url);
  if (parts === undefined) return undefined;
  return (
    findPathRepetition(url, parts.path, parts.query, limits) ??
    (parts.fragment - parts.query > 2 ? findQueryGrowth(url.slice(parts.query + 1, parts.fragment), limits) : undefined)
  );
}

function findPathRepetition(url: string, from: number, to: number, limits: Limits): string | undefined {
  let slashes = 0;
  for (let at = url.indexOf('/', from); at >= 0 && at < to; at = url.indexOf('/', at + 1)) slashes++;
  if (slashes < limits.repeats) return undefined;
  const segments = url.slice(from + 1, to).split('/');
  if (segments.at(-1) === '') segments.pop();
  for (let period = 1; period <= MAX_PERIOD; period++) {
    const wanted = period === 1 ? limits.repeats : limits.sequenceRepeats;
    if (period * wanted > segments.length) break;
    let run = 0;
    for (let index = period; index < segments.length; index++) {
      run = segments[index] === segments[index - period] ? run + 1 : 0;
      if (run < period * (wanted - 1)) continue;
      const sequence = segments.slice(index - period + 1, index + 1).join('/');
      return `repeated path segment "${bound(sequence)}"`;
    }
  }
  if (segments.length < limits.segmentUses) return undefined;
  const uses = new Map<string, number>();
  for (const segment of segments) {
    // One character is how hashes are spread over folders.
    if (segment.length < 2) continue;
    const count = (uses.get(segment) ?? 0) + 1;
    if (count >= limits.segmentUses) return `repeated path segment "${bound(segment)}"`;
    uses.set(segment, count);
  }
  return undefined;
}

function findQueryGrowth(query: string, limits: Limits): string | undefined {
  // %2F, %252F, %25252F …: each level is a URL quoted inside another.
  if (query.includes(`%${'25'.repeat(limits.escapeDepth - 1)}`)) return 'growing query: URLs nested in each other';
  if (!query.includes('&')) return undefined;
  const parameters = query.split('&');
  if (parameters.length < limits.sameParameter) return undefined;
  if (parameters.length >= limits.parameters) return `growing query: ${parameters.length} parameters`;
  const uses = new Map<string, number>();
  for (const parameter of parameters) {
    const name = parameterName(parameter);
    const same = (uses.get(parameter) ?? 0) + 1;
    uses.set(parameter, same);
    // The name alone is counted under a text that no parameter has.
    const named = (uses.get(`&${name}`) ?? 0) + 1;
    uses.set(`&${name}`, named);
    if (parameter !== '' && (same >= limits.sameParameter || named >= limits.sameName)) {
      return `growing query: parameter "${bound(name)}" repeated`;
    }
  }
  return undefined;
}

function bound(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}
