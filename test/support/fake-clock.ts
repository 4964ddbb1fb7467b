import type { Clock } from '../../src/base/clock.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock that moves only when it is told to. */
export class FakeClock implements Clock {
  #now: number;
  readonly #sleepers = new Set<Sleeper>();
  /** How often somebody began to sleep. */
  sleeps = 0;

  constructor(now = 1_000_000_000_000) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  /** Sleepers that have not woken. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.sleeps++;
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        this.#sleepers.delete(sleeper);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const sleeper: Sleeper = { at: this.#now + ms, wake: end };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', end, { once: true });
    });
  }

  /** Moves on by `ms`, waking sleepers in order, each at its own time; promises that follow are settled in between. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (;;) {
      let next: Sleeper | undefined;
      for (const sleeper of this.#sleepers) {
        if (sleeper.at <= end && (next === undefined || sleeper.at < next.at)) next = sleeper;
      }
      if (next === undefined) break;
      this.#now = Math.max(this.#now, next.at);
      next.wake();
      await settle();
    }
    this.#now = end;
  }
}

/** Lets everything that is ready run. */
export function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
