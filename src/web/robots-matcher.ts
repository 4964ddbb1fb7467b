import { normalizeOctets } from './url-octets.ts';

/** An `Allow` or `Disallow` line with a value. */
export interface RobotsRule {
  readonly allow: boolean;
  /** As written. */
  readonly pattern: string;
  /** Line number, from 1. */
  readonly line: number;
}

interface CompiledRule {
  readonly rule: RobotsRule;
  /** Octets of the normalised pattern: the longest match wins (RFC 9309 §2.2.2). */
  readonly octets: number;
  /** Literal texts between the `*`, one for a rule without. */
  readonly pieces: readonly string[];
  /** The pattern ends in `$`. */
  readonly isAnchored: boolean;
}

/**
 * Makes the function that finds the rule for a path with its query: the most octets win, `Allow` among equals (RFC 9309 §2.2.2).
 * Rules without wildcards cost one look-up per length that occurs, the others one linear scan each, so that neither 20,000
 * rules nor `/*a*a*a*b` hold a crawl up.
 */
export function createRobotsMatcher(rules: readonly RobotsRule[]): (pathAndQuery: string) => RobotsRule | undefined {
  const prefixes = new Map<string, CompiledRule>();
  const globs: CompiledRule[] = [];
  for (const rule of rules) {
    const compiled = compileRule(rule);
    const [piece] = compiled.pieces;
    if (compiled.pieces.length > 1 || compiled.isAnchored || piece === undefined) {
      globs.push(compiled);
    } else if (prefixes.get(piece)?.rule.allow !== true) {
      prefixes.set(piece, compiled);
    }
  }
  const lengths = [...new Set([...prefixes.keys()].map((prefix) => prefix.length))].toSorted((a, b) => b - a);
  globs.sort((a, b) => b.octets - a.octets || Number(b.rule.allow) - Number(a.rule.allow));

  return (pathAndQuery) => {
    const path = escapeWildcards(canonicalize(pathAndQuery));
    let best: CompiledRule | undefined;
    for (const length of lengths) {
      if (length > path.length) continue;
      best = prefixes.get(path.slice(0, length));
      if (best !== undefined) break;
    }
    for (const glob of globs) {
      if (best !== undefined && !isStronger(glob, best)) break;
      if (matchesGlob(glob, path)) return glob.rule;
    }
    return best?.rule;
  };
}

function isStronger(left: CompiledRule, right: CompiledRule): boolean {
  return left.octets > right.octets || (left.octets === right.octets && left.rule.allow && !right.rule.allow);
}

function compileRule(rule: RobotsRule): CompiledRule {
  const pattern = canonicalize(rule.pattern);
  const isAnchored = pattern.endsWith('$');
  const text = isAnchored ? pattern.slice(0, -1) : pattern;
  const pieces = text.split(/\*+/).map((piece) => piece.replaceAll('$', '%24'));
  return { rule, octets: pattern.length, pieces, isAnchored };
}

/** The first piece is a prefix, each further one its leftmost occurrence; no choice has ever to be taken back. */
function matchesGlob({ pieces, isAnchored }: CompiledRule, path: string): boolean {
  const first = pieces[0] as string;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = pieces.length - 1;
  if (last === 0) return !isAnchored || at === path.length;
  for (let index = 1; index <= last; index++) {
    const piece = pieces[index] as string;
    if (index === last && isAnchored) return path.length - piece.length >= at && path.endsWith(piece);
    const found = path.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return true;
}

/** What a browser or RFC 3986 escapes in a path or query; `*`, `$` and `%` are left. */
const TO_ESCAPE = /[\0-\x20"'<>\\^`{|}\x7f-\uffff]+/g;

/** One form for paths and patterns to be compared in (RFC 9309 §2.2.2: octets outside ASCII escaped, unreserved ones not). */
function canonicalize(text: string): string {
  return normalizeOctets(text.replace(TO_ESCAPE, escapeOctets));
}

function escapeOctets(run: string): string {
  let escaped = '';
  for (const octet of Buffer.from(run, 'utf8')) escaped += `%${octet.toString(16).toUpperCase().padStart(2, '0')}`;
  return escaped;
}

/** In a path these are themselves, as `%2A` and `%24` are in a pattern (RFC 9309 §2.2.3). */
function escapeWildcards(path: string): string {
  return path.includes('*') || path.includes('$') ? path.replaceAll('*', '%2A').replaceAll('$', '%24') : path;
}
