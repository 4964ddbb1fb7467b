import { OrbweaverError } from '../base/errors.ts';
import { decodeForMatching } from './url-octets.ts';
import { pathAndQueryOf } from './url-parts.ts';

/** A user's expression may be slow on long input; a URL that may be visited is no longer than this (design section 11). */
const MAX_INPUT_LENGTH = 2_083;

export interface FilterOptions {
  /** JavaScript regular expressions, case-sensitive, searched anywhere in the URL; at least one must match. Empty: no condition. */
  readonly include: readonly string[];
  /** As `include`; none may match. */
  readonly exclude: readonly string[];
  /** Texts of which one must stand in the decoded path or query, case-insensitive. Empty: no condition. */
  readonly keywords: readonly string[];
  /** URLs that always pass: the start URL, also after its redirects. */
  readonly startUrls?: readonly string[];
}

/**
 * Makes the function that tells why an absolute URL is filtered out: the rule as text, undefined when it passes.
 * Expressions see the URL as it is fetched, without fragment, and, where it has percent-escapes, decoded as well.
 * @throws OPTIONS_INVALID naming an expression that does not compile or an empty keyword
 */
export function createUrlFilter(options: FilterOptions): (url: string) => string | undefined {
  const includes = options.include.map((source) => compile(source, '--include'));
  const excludes = options.exclude.map((source) => ({
    pattern: compile(source, '--exclude'),
    rule: `--exclude ${source}`,
  }));
  const keywords = options.keywords.map(foldKeyword);
  const startUrls = new Set(options.startUrls);
  const notIncluded = `--include ${options.include.join(', ')}`;
  const noKeyword = `--keyword ${options.keywords.join(', ')}`;
  if (includes.length === 0 && excludes.length === 0 && keywords.length === 0) return () => undefined;

  return (url) => {
    if (startUrls.has(url)) return undefined;
    const input = url.length > MAX_INPUT_LENGTH ? url.slice(0, MAX_INPUT_LENGTH) : url;
    const decoded = decodeForMatching(input);
    const matches = (pattern: RegExp): boolean => pattern.test(input) || (decoded !== input && pattern.test(decoded));
    for (const { pattern, rule } of excludes) if (matches(pattern)) return rule;
    if (includes.length > 0 && !includes.some(matches)) return notIncluded;
    if (keywords.length > 0) {
      const text = fold(decodeForMatching(pathAndQueryOf(input)));
      if (!keywords.some((keyword) => text.includes(keyword))) return noKeyword;
    }
    return undefined;
  };
}

function compile(source: string, flag: string): RegExp {
  try {
    return new RegExp(source);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OrbweaverError('OPTIONS_INVALID', `${flag} "${source}": ${reason}`, { cause });
  }
}

function foldKeyword(keyword: string): string {
  if (keyword.trim() === '') throw new OrbweaverError('OPTIONS_INVALID', '--keyword: the text is empty');
  return fold(keyword);
}

/** One form for texts that people take for the same: `É` typed as one character or as two, in either case. */
function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
