import { OrbweaverError } from '../base/errors.ts';
import { normalizeOctets } from './url-octets.ts';
import { findUrlParts } from './url-parts.ts';
import { normalizeQuery } from './url-query.ts';
import { dropPathSession } from './url-session.ts';

/**
 * Switches of URL normalisation. Class 1 keeps the meaning (RFC 3986 §6.2.2), 2 mostly keeps it (§6.2.2.3, §6.2.3), 3 changes it.
 * `byParser`: every link passes the WHATWG URL parser before its key is made, which applies the rule in any case;
 * switching it off has no effect on what is fetched or what counts as the same.
 */
export const NORMALIZE_RULES = {
  'lower-case-host': { class: 1, default: true, byParser: true, summary: 'lower-case scheme and host' },
  'drop-default-port': { class: 1, default: true, byParser: true, summary: 'drop :80 of http and :443 of https' },
  'upper-case-escapes': { class: 1, default: true, byParser: false, summary: 'upper-case percent-escapes: %3a is %3A' },
  'decode-unreserved': {
    class: 1,
    default: true,
    byParser: false,
    summary: 'decode escapes of letters, digits, - . _ ~: %7E is ~',
  },
  'resolve-dots': { class: 2, default: true, byParser: true, summary: 'resolve . and .. in the path' },
  'add-trailing-slash': {
    class: 2,
    default: false,
    byParser: false,
    summary: 'add a slash to a path whose last segment has no dot: /a is /a/',
  },
  'drop-fragment': {
    class: 3,
    default: true,
    byParser: true,
    summary: 'drop the fragment: links are resolved without it, servers never see it',
  },
  'drop-bare-query': { class: 3, default: true, byParser: false, summary: 'drop a ? with nothing after it' },
  'sort-query': {
    class: 3,
    default: true,
    byParser: false,
    summary: 'sort query parameters by name; equal names keep their order',
  },
  'collapse-slashes': { class: 3, default: false, byParser: false, summary: 'one slash for several in the path' },
  'drop-empty-parameters': {
    class: 3,
    default: false,
    byParser: false,
    summary: 'drop query parameters without a value: ?a&b=1 is ?b=1',
  },
  'ip-to-host': { class: 3, default: false, byParser: false, summary: 'replace an IP address by its known host name' },
  'drop-session-parameters': {
    class: 3,
    default: false,
    byParser: false,
    summary: 'drop session and tracking parameters: PHPSESSID, ;jsessionid=, utm_*, gclid and the like',
  },
} as const satisfies Readonly<Record<string, NormalizeRuleInfo>>;

export interface NormalizeRuleInfo {
  readonly class: 1 | 2 | 3;
  readonly default: boolean;
  readonly byParser: boolean;
  /** For --help. */
  readonly summary: string;
}

export type NormalizeRule = keyof typeof NORMALIZE_RULES;

export const NORMALIZE_RULE_NAMES = Object.keys(NORMALIZE_RULES) as readonly NormalizeRule[];

export const DEFAULT_NORMALIZE_RULES: ReadonlySet<NormalizeRule> = new Set(
  NORMALIZE_RULE_NAMES.filter((name) => NORMALIZE_RULES[name].default),
);

/**
 * The rules that hold after `--normalize` and `--no-normalize`, in table order. Each value may list several, separated by commas.
 * @throws OPTIONS_INVALID for an unknown rule, or one switched both on and off
 */
export function selectNormalizeRules(on: readonly string[] = [], off: readonly string[] = []): NormalizeRule[] {
  const switchedOn = readRuleNames(on, '--normalize');
  const switchedOff = readRuleNames(off, '--no-normalize');
  for (const name of switchedOn) {
    if (!switchedOff.has(name)) continue;
    throw new OrbweaverError('OPTIONS_INVALID', `--normalize and --no-normalize both name ${name}`);
  }
  return NORMALIZE_RULE_NAMES.filter(
    (name) => switchedOn.has(name) || (NORMALIZE_RULES[name].default && !switchedOff.has(name)),
  );
}

function readRuleNames(values: readonly string[], flag: string): Set<NormalizeRule> {
  const names = new Set<NormalizeRule>();
  for (const value of values) {
    for (const part of value.split(',')) {
      const name = part.trim();
      if (name === '') continue;
      if (!Object.hasOwn(NORMALIZE_RULES, name)) {
        throw new OrbweaverError(
          'OPTIONS_INVALID',
          `${flag}: no rule is called "${name}"; rules: ${NORMALIZE_RULE_NAMES.join(', ')}`,
        );
      }
      names.add(name as NormalizeRule);
    }
  }
  return names;
}

export interface UrlKeyOptions {
  /** Host names by IP address as it stands in a URL (`23.23.23.23`, `[2001:db8::1]`), for `ip-to-host`. Nothing is looked up. */
  readonly hostNames?: ReadonlyMap<string, string>;
}

/** Rules that can change a URL in which there is neither `%` nor `?`. */
const RULES_FOR_PLAIN_URLS: readonly NormalizeRule[] = [
  'add-trailing-slash',
  'collapse-slashes',
  'ip-to-host',
  'drop-session-parameters',
];

/**
 * Makes the function that tells which URLs are the same: equal keys, same URL. The key is never fetched.
 * It takes an absolute URL as the WHATWG parser serialises it; user name and password have no part in the key. Idempotent.
 * Order: fragment, user info, host, octets, session parameters, slashes, query.
 */
export function createUrlKey(rules: ReadonlySet<NormalizeRule>, options: UrlKeyOptions = {}): (url: string) => string {
  const isPlainEnough = !RULES_FOR_PLAIN_URLS.some((rule) => rules.has(rule));
  const has = (rule: NormalizeRule): boolean => rules.has(rule);
  const octetRules = { upperCase: has('upper-case-escapes'), decodeUnreserved: has('decode-unreserved') };
  const fixesOctets = octetRules.upperCase || octetRules.decodeUnreserved;
  const queryRules = {
    sort: has('sort-query'),
    dropEmpty: has('drop-empty-parameters'),
    dropSession: has('drop-session-parameters'),
    dropBare: has('drop-bare-query'),
  };
  const hostNames = has('ip-to-host') ? options.hostNames : undefined;

  const normalize = (url: string): string => {
    const parts = findUrlParts(url);
    if (parts === undefined) return url;
    let authority = url.slice(parts.authority, parts.path);
    authority = authority.slice(authority.lastIndexOf('@') + 1);
    if (hostNames !== undefined) authority = nameHost(authority, hostNames);
    let path = url.slice(parts.path, parts.query);
    let query = url.slice(parts.query, parts.fragment);
    if (fixesOctets) {
      path = normalizeOctets(path, octetRules);
      query = normalizeOctets(query, octetRules);
    }
    if (queryRules.dropSession) path = dropPathSession(path);
    if (has('collapse-slashes')) path = path.replace(/\/{2,}/g, '/');
    if (path === '') path = '/';
    if (has('add-trailing-slash') && !path.slice(path.lastIndexOf('/')).includes('.') && !path.endsWith('/'))
      path += '/';
    if (query !== '') query = normalizeQuery(query, queryRules);
    const fragment = has('drop-fragment') ? '' : url.slice(parts.fragment);
    return url.slice(0, parts.authority) + authority + path + query + fragment;
  };

  if (!isPlainEnough) return normalize;
  // Three native scans cost less than one regular expression; an `@` in a path only costs the slower way.
  return (url) =>
    url.includes('%') || url.includes('?') || url.includes('@') || url.includes('#') ? normalize(url) : url;
}

function nameHost(authority: string, hostNames: ReadonlyMap<string, string>): string {
  const port = /:\d*$/.exec(authority)?.[0] ?? '';
  const host = authority.slice(0, authority.length - port.length);
  const name = hostNames.get(host);
  return name === undefined ? authority : name + port;
}
