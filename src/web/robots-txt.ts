import { trimControls } from './ascii-trim.ts';
import { createRobotsMatcher, type RobotsRule } from './robots-matcher.ts';
import { cutRobotsText, decodeRobotsText } from './robots-text.ts';
import { pathAndQueryOf } from './url-parts.ts';

/** What a robots.txt says to one crawler. */
export interface RobotsRules {
  /** Judges an absolute URL of the file's origin (the origin is not looked at). `rule` is empty when no line decided. */
  isAllowed(url: string): RobotsAnswer;
  /** Pause asked for, at most a day; undefined when none is. */
  readonly crawlDelayMs: number | undefined;
  /** As written, also relative ones; they belong to no group. */
  readonly sitemaps: readonly string[];
}

export interface RobotsAnswer {
  readonly allowed: boolean;
  /** `line 3: Disallow: /private/`. */
  readonly rule: string;
}

/** A longer pause overflows timers; the file is asked for again after a day (RFC 9309 §2.4). */
const MAX_CRAWL_DELAY_MS = 86_400_000;
const MAX_RULE_TEXT = 200;
const ALLOWED: RobotsAnswer = { allowed: true, rule: '' };

/**
 * Reads a robots.txt by RFC 9309. Never throws: what is no record is skipped.
 *
 * Own code and not robots-parser 3, which is wrong on escaped unreserved octets, `%2A` and `%24`, an own group without rules, records
 * between two User-agent lines, `/robots.txt` itself and a bare `?`, and which tries every rule for every URL; it is the second
 * opinion in the tests.
 * @param text the octets as received, or the text of `decodeRobotsText`
 * @param productToken the crawler's name, `Orbweaver`; of a whole User-Agent field the part before the `/` counts
 */
export function parseRobots(text: string | Uint8Array, productToken: string): RobotsRules {
  const own = newGroup();
  const others = newGroup();
  const sitemaps: string[] = [];
  const token = productTokenOf(productToken);
  let isOwnNamed = false;
  // Groups that the current rules go to, and those that a Crawl-delay goes to: it is no rule of the RFC and must not
  // end the list of agents (§2.2.4), but it speaks only for those named since the last one.
  let ruleGroups: Group[] = [];
  let delayGroups: Group[] = [];
  let isNaming = false;
  let isNamingForDelay = false;

  let line = 0;
  for (const [name, value] of readRecords(text)) {
    line++;
    switch (name) {
      case 'user-agent': {
        if (!isNaming) ruleGroups = [];
        if (!isNamingForDelay) delayGroups = [];
        isNaming = true;
        isNamingForDelay = true;
        const agent = agentOf(value);
        const group = agent === '*' ? others : agent !== '' && agent === token ? own : undefined;
        if (group === undefined) break;
        if (group === own) isOwnNamed = true;
        ruleGroups.push(group);
        delayGroups.push(group);
        break;
      }
      case 'allow':
      case 'disallow':
        isNaming = false;
        isNamingForDelay = false;
        if (value === '') break;
        for (const group of new Set(ruleGroups)) {
          group.rules.push({ allow: name === 'allow', pattern: value, line });
        }
        break;
      case 'crawl-delay':
        isNamingForDelay = false;
        for (const group of delayGroups) group.delayMs = largerDelay(group.delayMs, value);
        break;
      case 'sitemap':
        if (value !== '') sitemaps.push(value);
        break;
    }
  }

  const { rules, delayMs } = isOwnNamed ? own : others;
  const findRule = rules.length === 0 ? undefined : createRobotsMatcher(rules);
  return {
    crawlDelayMs: delayMs,
    sitemaps,
    isAllowed(url) {
      if (findRule === undefined) return ALLOWED;
      const path = pathAndQueryOf(url);
      // §2.2.2: implicitly allowed.
      if (path === '/robots.txt') return ALLOWED;
      const rule = findRule(path);
      return rule === undefined ? ALLOWED : { allowed: rule.allow, rule: describeRule(rule) };
    },
  };
}

/** The name by which robots.txt calls a crawler, lower case: `Orbweaver/1.0 (+https://…)` → `orbweaver`. */
export function productTokenOf(userAgent: string): string {
  return agentOf(userAgent.trim());
}

interface Group {
  readonly rules: RobotsRule[];
  delayMs: number | undefined;
}

function newGroup(): Group {
  return { rules: [], delayMs: undefined };
}

/** Name in lower case and value of each line, empty where a line is no record. */
function* readRecords(source: string | Uint8Array): Generator<readonly [name: string, value: string]> {
  const text = typeof source === 'string' ? cutRobotsText(source) : decodeRobotsText(source);
  for (const line of text.split(/\r\n|\r|\n/)) {
    const hash = line.indexOf('#');
    const record = hash < 0 ? line : line.slice(0, hash);
    const colon = record.indexOf(':');
    if (colon < 0) yield ['', ''];
    else yield [trimControls(record.slice(0, colon)).toLowerCase(), trimControls(record.slice(colon + 1))];
  }
}

/** `*`, or the product token at the start, lower case. More characters are taken than §2.2.1 has: crawlers have digits in their names. */
function agentOf(value: string): string {
  return /^[^\s/]+/.exec(value)?.[0].toLowerCase() ?? '';
}

function largerDelay(delayMs: number | undefined, value: string): number | undefined {
  if (!/^(?:\d+\.?\d*|\.\d+)$/.test(value)) return delayMs;
  return Math.max(delayMs ?? 0, Math.min(Math.ceil(Number(value) * 1_000), MAX_CRAWL_DELAY_MS));
}

function describeRule({ allow, pattern, line }: RobotsRule): string {
  const text = pattern.length > MAX_RULE_TEXT ? `${pattern.slice(0, MAX_RULE_TEXT)}…` : pattern;
  return `line ${line}: ${allow ? 'Allow' : 'Disallow'}: ${text}`;
}
