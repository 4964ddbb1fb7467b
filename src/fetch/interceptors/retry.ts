import type { Clock } from '../../base/clock.ts';
import { allowManyListeners, anyOf } from '../any-signal.ts';
import type { FetchOutcome, FetchRequest, Interceptor } from '../outcome.ts';
import { parseRetryAfter } from '../retry-after.ts';

export interface RetryOptions {
  readonly clock: Clock;
  /** In all, the first included. Default 3. */
  readonly tries?: number;
  /** Wait before the second try; doubles with each further one. Default 500; 100 is right for this machine. */
  readonly baseDelayMs?: number;
  /** A site that asks to wait longer is not asked again: its last answer stands. Default 60,000. */
  readonly maxRetryAfterMs?: number;
  /** The site asked for peace (429, 503): nobody should ask it anything for so long. */
  readonly onBackOff?: (durationMs: number, request: FetchRequest) => void;
  /** Ends waiting between tries (but no try under way): for a stop from outside. */
  readonly waitSignal?: AbortSignal;
}

const BUSY: ReadonlySet<number> = new Set([429, 503]);
const RETRYABLE: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
/** Faults that are the server's nature and not its mood: the next try would get the same. */
const LASTING: ReadonlySet<string> = new Set(['bad-response', 'bad-encoding', 'header-too-large', 'invalid-request']);

/**
 * Tries again after timeouts, lost connections, 429 and 500, 502, 503, 504. Each try is an exchange with its own time limit. A wait
 * that is ended by a signal gives `refused aborted`, since the question is still open.
 */
export function retry(options: RetryOptions): Interceptor {
  const { clock, tries = 3, baseDelayMs = 500, maxRetryAfterMs = 60_000, onBackOff, waitSignal } = options;
  return (next) => async (request) => {
    for (let attempt = 1; ; attempt++) {
      const outcome = await next(request);
      if (!isRetryable(outcome)) return outcome;
      const asked = outcome.type === 'response' ? parseRetryAfter(outcome.headers.get('retry-after'), clock.now()) : 0;
      const waitMs = Math.max(baseDelayMs * 2 ** (attempt - 1), asked ?? 0);
      const isBusy = outcome.type === 'response' && BUSY.has(outcome.status);
      if (isBusy) onBackOff?.(Math.min(waitMs, maxRetryAfterMs), request);
      if (attempt >= tries || waitMs > maxRetryAfterMs) return outcome;
      const signal = anyOf(request.signal, waitSignal);
      if (signal !== undefined) allowManyListeners(signal);
      if (signal?.aborted !== true) await clock.sleep(waitMs, signal);
      if (signal?.aborted === true) return { type: 'refused', reason: 'aborted', status: 0, detail: '' };
    }
  };
}

function isRetryable(outcome: FetchOutcome): boolean {
  if (outcome.type === 'response') return RETRYABLE.has(outcome.status);
  return outcome.type === 'failed' && !outcome.code.startsWith('tls:') && !LASTING.has(outcome.code);
}
