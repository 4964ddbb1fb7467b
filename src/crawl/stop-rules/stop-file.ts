import { access } from 'node:fs/promises';
import type { StopRule } from './stop-rule.ts';

const LOOK_EVERY_MS = 500;

/** `--stop-file`: ends when a file with this path exists, so that a crawl without a terminal can be stopped. */
export const stopFileRule: StopRule = {
  reason: 'stop-file',
  watch: (stop, { stopFile }) => {
    if (stopFile === undefined) return () => undefined;
    const look = (): void => {
      access(stopFile).then(stop, () => undefined);
    };
    look();
    const timer = setInterval(look, LOOK_EVERY_MS);
    timer.unref();
    return () => clearInterval(timer);
  },
};
