/** Timers of Node wrap around beyond this. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * One limit for many exchanges with one timer. All have the same limit, so they expire in the order they came in, and only the
 * first needs watching: an exchange costs one map entry instead of a timer of its own.
 */
export class DeadlineQueue<T> {
  readonly #limitMs: number;
  readonly #onExpired: (item: T) => void;
  readonly #deadlines = new Map<T, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number, onExpired: (item: T) => void) {
    this.#limitMs = limitMs;
    this.#onExpired = onExpired;
  }

  /** `item` expires `limitMs` from now unless it is deleted. */
  add(item: T): void {
    if (this.#limitMs === Infinity) return;
    this.#deadlines.set(item, performance.now() + this.#limitMs);
    if (this.#timer === undefined) this.#watch(this.#limitMs);
  }

  delete(item: T): void {
    this.#deadlines.delete(item);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#deadlines.clear();
  }

  #watch(delayMs: number): void {
    // Sockets keep the process alive; this timer must not.
    this.#timer = setTimeout(() => this.#expire(), Math.min(delayMs, MAX_TIMER_MS)).unref();
  }

  #expire(): void {
    this.#timer = undefined;
    // Timers may fire a fraction of a millisecond early.
    const now = performance.now() + 1;
    for (const [item, deadline] of this.#deadlines) {
      if (deadline > now) {
        if (this.#timer === undefined) this.#watch(deadline - now + 1);
        return;
      }
      this.#deadlines.delete(item);
      this.#onExpired(item);
    }
  }
}
