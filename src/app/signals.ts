import type { Clock } from '../base/clock.ts';

/** npm passes on what its child got from the terminal already: the same signal twice at nearly the same time is one. */
const SAME_SIGNAL_MS = 500;

export interface SignalActions {
  /** Finish what is in flight, save, end. */
  readonly onFirst: (signal: string) => void;
  /** Leave at once. */
  readonly onSecond: (signal: string) => void;
}

/** Makes the function that is told of each signal: the first asks for an orderly end, a second one, whatever it is, for one at once. */
export function createSignalCounter(clock: Pick<Clock, 'now'>, actions: SignalActions): (signal: string) => void {
  const lastAt = new Map<string, number>();
  let count = 0;
  return (signal) => {
    const now = clock.now();
    const last = lastAt.get(signal);
    lastAt.set(signal, now);
    if (last !== undefined && now - last < SAME_SIGNAL_MS) return;
    count++;
    if (count === 1) actions.onFirst(signal);
    else actions.onSecond(signal);
  };
}
