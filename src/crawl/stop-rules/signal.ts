import type { StopRule } from './stop-rule.ts';

/** SIGINT or SIGTERM, or the program that runs the crawl. */
export const signalRule: StopRule = {
  reason: 'signal',
  watch: (stop, { signal }) => {
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    return () => signal.removeEventListener('abort', stop);
  },
};
