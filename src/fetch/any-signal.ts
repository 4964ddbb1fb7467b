import { setMaxListeners } from 'node:events';

const joined = new WeakMap<AbortSignal, WeakMap<AbortSignal, AbortSignal>>();

/** One signal for two. Kept for each pair: making one for every request would pile up listeners on the long-lived ones. */
export function anyOf(first: AbortSignal | undefined, second: AbortSignal | undefined): AbortSignal | undefined {
  if (first === undefined || second === undefined || first === second) return first ?? second;
  let seconds = joined.get(first);
  if (seconds === undefined) joined.set(first, (seconds = new WeakMap()));
  let both = seconds.get(second);
  if (both === undefined) seconds.set(second, (both = AbortSignal.any([first, second])));
  return both;
}

const prepared = new WeakSet<AbortSignal>();

/**
 * One signal ends a whole crawl, so that dozens of exchanges listen to it at once. Each removes its listener in the end; Node's
 * warning at eleven would be a false alarm.
 */
export function allowManyListeners(signal: AbortSignal): void {
  if (prepared.has(signal)) return;
  prepared.add(signal);
  setMaxListeners(0, signal);
}
