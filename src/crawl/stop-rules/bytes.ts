import type { StopRule } from './stop-rule.ts';

/** `--max-bytes`: decoded bodies of the pages committed so far. */
export const bytesRule: StopRule = {
  reason: 'bytes',
  isReached: ({ state }, { maxBytes }) => state.bytes >= maxBytes,
};
