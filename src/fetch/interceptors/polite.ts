import { anyOf } from '../any-signal.ts';
import type { Interceptor } from '../outcome.ts';
import type { Politeness } from '../politeness.ts';

export interface PoliteOptions {
  readonly politeness: Politeness;
  /** Ends waiting for a turn (but no exchange under way): for a stop from outside. */
  readonly waitSignal?: AbortSignal;
}

/** Each exchange waits for its turn at the site. Inside `retry`, so that every try waits, and no place is held between tries. */
export function bePolite({ politeness, waitSignal }: PoliteOptions): Interceptor {
  return (next) => async (request) => {
    const slot = await politeness.acquire(anyOf(request.signal, waitSignal));
    if (slot.isAborted) return { type: 'refused', reason: 'aborted', status: 0, detail: '' };
    const startedAt = performance.now();
    try {
      return await next(request);
    } finally {
      slot.release({ answerMs: performance.now() - startedAt });
    }
  };
}
