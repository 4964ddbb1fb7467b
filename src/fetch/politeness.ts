import type { Clock } from '../base/clock.ts';
import { allowManyListeners } from './any-signal.ts';

export interface PolitenessOptions {
  /** Exchanges at once. */
  readonly connections: number;
  /** Pause of a connection between the end of an exchange and its next start; undefined: grows with the site's answer time. */
  readonly delayMs: number | undefined;
  /** Smallest gap between two request starts of the site, over all connections (robots.txt Crawl-delay); 0 for none. */
  readonly minIntervalMs: number;
  readonly clock: Clock;
}

/** The right to make one exchange. */
export interface Slot {
  /** The wait was ended by the signal: make no request. */
  readonly isAborted: boolean;
  /** To be called once the exchange is over; further calls do nothing. `answerMs`: how long the site took. */
  release(result?: { readonly answerMs?: number }): void;
}

/** Pause on public hosts before anything is known of them, and its bounds. */
const MIN_ADAPTIVE_MS = 250;
const MAX_ADAPTIVE_MS = 10_000;
/** Weight of the newest answer in the moving average of answer times. */
const NEWEST_WEIGHT = 0.2;

const ABORTED: Slot = { isAborted: true, release: () => undefined };

interface Waiter {
  grant(slot: Slot): void;
}

/**
 * When the next request to one site may start: at most `connections` at once, each with a pause after its exchange; a gap between
 * the starts of the whole site; and a stop of the whole site after 429 and 503. The largest of these wins. First come, first served.
 * With all of it 0 an exchange costs a counter and no timer.
 */
export class Politeness {
  readonly #connections: number;
  readonly #delayMs: number | undefined;
  readonly #clock: Clock;
  #minIntervalMs: number;
  #active = 0;
  /** When each resting connection may start again, milliseconds since the epoch. Empty when there are no pauses. */
  readonly #rests: number[] = [];
  #nextStart = 0;
  #pausedUntil = 0;
  #answerMs = 0;
  readonly #waiting = new Set<Waiter>();
  #alarm: { readonly at: number; readonly controller: AbortController } | undefined;

  constructor(options: PolitenessOptions) {
    this.#connections = options.connections;
    this.#delayMs = options.delayMs;
    this.#minIntervalMs = options.minIntervalMs;
    this.#clock = options.clock;
  }

  /** Pause a connection makes now, milliseconds. */
  get delayMs(): number {
    if (this.#delayMs !== undefined) return this.#delayMs;
    return Math.min(MAX_ADAPTIVE_MS, Math.max(MIN_ADAPTIVE_MS, this.#answerMs));
  }

  /** Exchanges under way, and those that wait for their turn. */
  get load(): { readonly active: number; readonly waiting: number } {
    return { active: this.#active, waiting: this.#waiting.size };
  }

  /** Waits for the next free connection. Never rejects: when the signal ends the wait, the slot says so. */
  acquire(signal?: AbortSignal): Promise<Slot> {
    if (signal?.aborted === true) return Promise.resolve(ABORTED);
    if (this.#waiting.size === 0 && this.#active < this.#connections && this.#earliestStart() <= this.#now()) {
      return Promise.resolve(this.#start());
    }
    return new Promise((resolve) => {
      const abort = (): void => {
        this.#waiting.delete(waiter);
        resolve(ABORTED);
        this.#pump();
      };
      const waiter: Waiter = {
        grant: (slot) => {
          signal?.removeEventListener('abort', abort);
          resolve(slot);
        },
      };
      if (signal !== undefined) {
        allowManyListeners(signal);
        signal.addEventListener('abort', abort, { once: true });
      }
      this.#waiting.add(waiter);
      this.#pump();
    });
  }

  /** No request of the site starts for so long. A longer stop that holds already stays. */
  backOff(durationMs: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.now() + durationMs);
    this.#pump();
  }

  /** A crawl delay became known; the larger one holds. */
  raiseMinInterval(intervalMs: number): void {
    if (intervalMs <= this.#minIntervalMs) return;
    // The last start was at `nextStart` minus the former interval.
    this.#nextStart += this.#nextStart === 0 ? 0 : intervalMs - this.#minIntervalMs;
    this.#minIntervalMs = intervalMs;
    this.#pump();
  }

  #now(): number {
    // Without any pause in force the time is not even asked.
    return this.#rests.length === 0 && this.#nextStart === 0 && this.#pausedUntil === 0 ? 0 : this.#clock.now();
  }

  /** Earliest start of the next exchange; connections that have never worked need no rest. */
  #earliestStart(): number {
    const { length } = this.#rests;
    const rested = length > 0 && this.#active + length >= this.#connections ? Math.min(...this.#rests) : 0;
    return Math.max(rested, this.#nextStart, this.#pausedUntil);
  }

  #start(): Slot {
    this.#active++;
    if (this.#rests.length > 0) this.#takeRested();
    if (this.#minIntervalMs > 0) this.#nextStart = this.#clock.now() + this.#minIntervalMs;
    let isReleased = false;
    return {
      isAborted: false,
      release: ({ answerMs } = {}) => {
        if (isReleased) return;
        isReleased = true;
        this.#active--;
        if (answerMs !== undefined) this.#learn(answerMs);
        const { delayMs } = this;
        if (delayMs > 0) this.#rests.push(this.#clock.now() + delayMs);
        if (this.#waiting.size > 0) this.#pump();
      },
    };
  }

  /** Uses the connection that has rested longest, unless there is one that has never worked. */
  #takeRested(): void {
    const now = this.#clock.now();
    const { length } = this.#rests;
    const index = this.#rests.indexOf(Math.min(...this.#rests));
    // `active` counts this exchange already.
    if (this.#active + length > this.#connections || (this.#rests[index] as number) <= now)
      this.#rests.splice(index, 1);
  }

  #learn(answerMs: number): void {
    this.#answerMs += (answerMs - this.#answerMs) * (this.#answerMs === 0 ? 1 : NEWEST_WEIGHT);
  }

  /** Starts whoever may start, and sets the alarm for the next one. */
  #pump(): void {
    for (const waiter of this.#waiting) {
      if (this.#active >= this.#connections) break;
      const at = this.#earliestStart();
      if (at > this.#now()) {
        this.#setAlarm(at);
        return;
      }
      this.#waiting.delete(waiter);
      waiter.grant(this.#start());
    }
    // Nobody waits for a time: either nobody waits, or a release will wake the next one.
    this.#alarm?.controller.abort();
    this.#alarm = undefined;
  }

  #setAlarm(at: number): void {
    if (this.#alarm?.at === at) return;
    this.#alarm?.controller.abort();
    const controller = new AbortController();
    const alarm = { at, controller };
    this.#alarm = alarm;
    void this.#clock.sleep(at - this.#clock.now(), controller.signal).then(() => {
      if (this.#alarm !== alarm) return;
      this.#alarm = undefined;
      this.#pump();
    });
  }
}
