import { cleanText, cleanTitle } from './export/clean-text.ts';
import type { ChainLink, UrlExplanation } from './why.ts';

/** What each outcome means, for people. */
const MEANINGS: Readonly<Record<ChainLink['outcome'], string>> = {
  page: 'a page (node) of the graph',
  external: 'on another host: counted and listed, never fetched',
  broken: 'a broken link',
  unreachable: 'the server gave no answer',
  timeout: 'the answer took too long',
  robots: 'forbidden by robots.txt',
  'not-html': 'no HTML page',
  scheme: 'not http or https',
  scope: 'outside the scope of the crawl',
  level: 'deeper than the level limit: not fetched',
  limit: 'not fetched: its turn never came',
  size: 'larger than the size limit',
  'too-long': 'longer than the limit for URLs',
  trap: 'taken for a crawler trap',
  address: 'its address may not be asked',
  filter: 'left out by a filter',
  duplicate: 'a duplicate: same content as an earlier page',
  redirect: 'a redirect',
};

/**
 * An explanation as lines of plain text, without line ends. Control characters of what the web sent are replaced, so that
 * printing it to a terminal is safe.
 */
export function formatExplanation(explanation: UrlExplanation): string[] {
  const { redirects, isLoop, page, discovery, outcome } = explanation;
  const lines = [printable(explanation.url), `  outcome: ${describe(explanation)}`];
  for (const link of redirects) lines.push(`  leads to ${printable(link.url)}: ${describe(link)}`);
  if (isLoop) lines.push('  the redirects go round in a loop: a broken link');
  if (page !== undefined) {
    lines.push(`  page ${page.id}, level ${page.level}: ${printable(page.url)}`);
    if (page.title !== '') lines.push(`  title: ${printable(cleanTitle(page.title))}`);
  }
  if (outcome === 'duplicate') {
    lines.push(`  links of its own that lead elsewhere, not followed: ${explanation.duplicateLinksLost}`);
  }
  lines.push(`  first seen at level ${explanation.firstSeenLevel}, by this way:`);
  for (const [index, { url, origin, pageId }] of discovery.entries()) {
    const how = { seed: 'start', link: 'links to', redirect: 'redirects to' }[origin];
    lines.push(`    ${index + 1}. ${how} ${printable(url)}${pageId === 0 ? '' : ` (page ${pageId})`}`);
  }
  return lines;
}

function describe({ outcome, status, detail }: ChainLink): string {
  const facts = [outcome, MEANINGS[outcome]];
  if (status !== 0) facts.push(`status ${status}`);
  if (detail !== '') facts.push(printable(detail));
  return facts.join(' · ');
}

/** C1 controls can start terminal escape sequences too; files keep them, a terminal must not see them. */
function printable(text: string): string {
  return cleanText(text).replace(/[\u007f-\u009f]/g, '\ufffd');
}
