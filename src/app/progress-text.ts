import type { CrawlProgress } from '../crawl/progress.ts';
import { formatCount, formatDuration, formatPlural } from './number-text.ts';

/** One line about a running crawl, the most telling first, since a narrow terminal cuts the end. */
export function describeProgress(progress: CrawlProgress, timeLeftMs: number | undefined): string {
  const { site, state, pages, queued, level, errors, pagesPerSecond } = progress;
  if (state === 'starting') return `${site}: starting`;
  const rate = pagesPerSecond >= 10 ? formatCount(pagesPerSecond) : pagesPerSecond.toFixed(1);
  const facts = [
    formatPlural(pages, 'page'),
    `${formatCount(queued)} queued`,
    ...(state === 'crawling' && timeLeftMs !== undefined ? [`~${formatDuration(timeLeftMs)} left`] : []),
    `${rate}/s`,
    `level ${level}`,
    ...(errors > 0 ? [formatPlural(errors, 'error')] : []),
  ];
  if (state === 'stopping') facts.unshift('stopping');
  else if (state === 'writing') facts.unshift('writing results');
  return `${site}: ${facts.join(', ')}`;
}
