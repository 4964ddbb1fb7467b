import type { StopRule } from './stop-rule.ts';

/** Longest delay setTimeout takes. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** `--timeout`: the time of the whole run, all sites together. */
export const timeoutRule: StopRule = {
  reason: 'timeout',
  watch: (stop, { deadline, clock }) => {
    if (deadline === Infinity) return () => undefined;
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      const leftMs = deadline - clock.now();
      if (leftMs <= 0) stop();
      else timer = setTimeout(wait, Math.min(leftMs, MAX_TIMER_MS));
    };
    timer = setTimeout(wait, 0);
    return () => clearTimeout(timer);
  },
};
