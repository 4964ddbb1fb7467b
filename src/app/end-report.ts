import type { LinkReason } from '../graph/link-reason.ts';
import type { EndReason } from '../store/records.ts';
import { formatBytes, formatCount, formatDuration, formatPlural } from './number-text.ts';
import type { CrawlSiteResult } from './run-crawl.ts';

/** Why it ended, and how to go on from there. */
const ENDS: Readonly<Record<EndReason, { readonly text: string; readonly next?: string }>> = {
  done: { text: 'done' },
  level: { text: 'done down to the level limit', next: 'a higher --max-level goes on from here' },
  pages: { text: 'stopped at the limit of pages', next: 'a higher --max-pages goes on from here' },
  bytes: { text: 'stopped at the limit of bytes', next: 'a higher --max-bytes goes on from here' },
  timeout: { text: 'stopped by --timeout', next: 'run the same command again' },
  'stop-file': { text: 'stopped by the stop file', next: 'remove the file and run the same command again' },
  signal: { text: 'stopped by a signal', next: 'run the same command again' },
  'site-dead': { text: 'stopped: the site no longer answers', next: 'run the same command again when it does' },
  trap: {
    text: 'done but for URLs taken for crawler traps',
    next: 'links.csv lists them, and `orbweaver why URL` names the rule',
  },
  'robots-unreachable': {
    text: 'not crawled: robots.txt could not be read',
    next: 'run the same command again later, or with --robots ignore if you may',
  },
  'start-denied': {
    text: 'not crawled: robots.txt forbids the start page',
    next: 'give another start URL, or --robots ignore if you may',
  },
  'start-unreachable': {
    text: 'not crawled: the start page could not be had',
    next: 'check the address and try again',
  },
};

/** What the reasons of the summary are called here; `external` and `scheme` are part of any site and stand apart. */
const LEFT_OUT: Readonly<Record<Exclude<LinkReason, 'external' | 'scheme'>, string>> = {
  duplicate: 'of equal content',
  redirect: 'redirecting',
  broken: 'broken',
  unreachable: 'without answer',
  timeout: 'too slow',
  robots: 'forbidden by robots.txt',
  'not-html': 'not HTML',
  scope: 'out of scope',
  filter: 'filtered out',
  level: 'too deep',
  limit: 'not visited',
  size: 'too large',
  'too-long': 'with too long a URL',
  trap: 'taken for a trap',
  address: 'at private addresses',
};

/** The report on one site for people: lines without line ends. */
export function describeEnd(result: CrawlSiteResult): string[] {
  const { site, summary, endReason, pages, arcs, notices } = result;
  const { text, next } = ENDS[endReason];
  const { reasons, levels, links, selfLinks, externalLinks, externalUrls, linksCut } = summary;
  const lines = [`${site}: ${text}`];
  if (pages > 0) {
    const deepest = levels.length - 1;
    const spread = deepest < 12 ? ` (${levels.map(formatCount).join(', ')})` : '';
    lines.push(
      `  ${formatPlural(pages, 'page')}, ${formatPlural(arcs, 'arc')}, levels 0 to ${deepest}${spread}`,
      `  ${formatPlural(links, 'link')}, of these ${formatCount(selfLinks)} within a page, ${formatCount(externalLinks)} to other hosts`,
    );
  }
  const left = Object.entries(LEFT_OUT).flatMap(([reason, words]) => {
    const count = reasons[reason as LinkReason] ?? 0;
    return count === 0 ? [] : [`${formatCount(count)} ${words}`];
  });
  if (externalUrls > 0) left.unshift(`${formatCount(externalUrls)} off the site`);
  if (left.length > 0) lines.push(...wrapList('  URLs that are no pages: ', left));
  if (linksCut > 0) lines.push(`  ${formatPlural(linksCut, 'link')} beyond the limit per page, not kept`);
  lines.push(`  ${formatBytes(summary.bytes)} read${describeTime(summary)}`);
  for (const notice of notices) lines.push(`  note: ${notice}`);
  if (next !== undefined) lines.push(`  next: ${next}`);
  return lines;
}

function describeTime({ startedAt, finishedAt }: { readonly startedAt: string; readonly finishedAt: string }): string {
  const ms = Date.parse(finishedAt) - Date.parse(startedAt);
  return ms >= 0 ? `, ${formatDuration(ms)} from first start to end` : '';
}

const MAX_COLUMNS = 78;

/** Items after a head, separated by commas, on as many lines as they need; none is broken. */
function wrapList(head: string, items: readonly string[]): string[] {
  const lines: string[] = [];
  let line = head;
  for (const [index, item] of items.entries()) {
    const text = index < items.length - 1 ? `${item}, ` : item;
    if (line.length + text.trimEnd().length > MAX_COLUMNS && line.trim() !== '') {
      lines.push(line.trimEnd());
      line = '    ';
    }
    line += text;
  }
  return [...lines, line.trimEnd()];
}
