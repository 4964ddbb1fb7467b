import type { StopRule } from './stop-rule.ts';

/** `--max-pages`. */
export const pagesRule: StopRule = {
  reason: 'pages',
  isReached: ({ state }, { maxPages }) => state.pages >= maxPages,
};
