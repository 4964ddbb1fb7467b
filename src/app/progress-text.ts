import type { CrawlProgress } from '../crawl/progress.ts';
import { formatCount, formatDuration, formatPlural } from './number-text.ts';

/** One line about a running crawl, the most telling first, since a narrow terminal cuts the end. */
export function describeProgress(progress: CrawlProgress, timeLeftMs: number | undefined): string {
  const { site, state, pages, queued, level, errors, pagesPerSecond } = progress;
  if (state === 'starting') return `${site}: starting`;
  const rate = pagesPerSecond >= 10 ? formatCount(pagesPerSecond) : pagesPerSecond.toFixed(1);
  const facts = [
    `${formatPlural(pages, 'page')} done`,
    `${formatCount(queued)} queued`,
    `level ${level}`,
    `${rate} pages/s`,
    formatPlural(errors, 'error'),
  ];
  if (state === 'stopping') facts.unshift('stopping');
  else if (state === 'writing') facts.unshift('writing results');
  else if (timeLeftMs !== undefined) facts.push(`about ${formatDuration(timeLeftMs)} left`);
  return `${site}: ${facts.join(', ')}`;
}
