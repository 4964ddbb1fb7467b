import type { StopRule } from './stop-rule.ts';

/** `--max-level`: levels up to the limit are fetched, deeper ones are only listed. */
export const levelRule: StopRule = {
  reason: 'level',
  isReached: ({ nextLevel }, { maxLevel }) => nextLevel > maxLevel,
};
