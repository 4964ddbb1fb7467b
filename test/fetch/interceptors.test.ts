import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger, type LogFields } from '../../src/base/log.ts';
import { addHeaders, bePolite, type INTERCEPTORS, retry, trace } from '../../src/fetch/interceptors/index.ts';
import type { FetchOutcome, FetchRequest, ResponseHeaders } from '../../src/fetch/outcome.ts';
import { Politeness } from '../../src/fetch/politeness.ts';
import { parseRetryAfter } from '../../src/fetch/retry-after.ts';
import { describeInterceptor } from '../conformance/interceptor.ts';
import { FakeClock, settle } from '../support/fake-clock.ts';

const url = 'http://example.com/';
const politeness = new Politeness({ connections: 2, delayMs: 0, minIntervalMs: 0, clock: systemClock });
const MAKERS: Record<keyof typeof INTERCEPTORS, Parameters<typeof describeInterceptor>[1]> = {
  headers: () => addHeaders({ headers: { 'x-extra': '1' }, hosts: new Set(['127.0.0.1']) }),
  retry: () => retry({ clock: systemClock }),
  polite: () => bePolite({ politeness }),
  trace: () => trace({ log: silentLogger }),
};
for (const [name, make] of Object.entries(MAKERS)) describeInterceptor(name, make);

function response(status: number, retryAfter?: string): FetchOutcome {
  const headers: ResponseHeaders = {
    get: (name) => (name === 'retry-after' ? retryAfter : undefined),
    getAll: () => [],
  };
  return { type: 'response', status, headers, body: undefined };
}

function failed(code: string, reason: 'timeout' | 'unreachable' = 'unreachable'): FetchOutcome {
  return { type: 'failed', reason, code, detail: '' };
}

/** Runs `retry` over scripted outcomes (the last one repeats); gives what came out and when each try began. */
async function runRetry(
  outcomes: FetchOutcome[],
  options: Partial<Parameters<typeof retry>[0]> = {},
): Promise<{ outcome: FetchOutcome; times: number[]; backOffs: number[] }> {
  const clock = new FakeClock(Date.UTC(2026, 0, 1));
  const begin = clock.now();
  const times: number[] = [];
  const backOffs: number[] = [];
  const fetch = retry({ clock, onBackOff: (ms) => backOffs.push(ms), ...options })(() => {
    times.push(clock.now() - begin);
    return Promise.resolve(outcomes[Math.min(times.length, outcomes.length) - 1] as FetchOutcome);
  });
  const pending = fetch({ url });
  await clock.advance(1_000_000);
  return { outcome: await pending, times, backOffs };
}

async function sentWithHeaders(request: FetchRequest): Promise<FetchRequest> {
  let seen: FetchRequest | undefined;
  const fetch = addHeaders({
    headers: { authorization: 'secret', 'x-a': '1' },
    hosts: new Set(['example.com', 'example.com:8080']),
  })((passed) => {
    seen = passed;
    return Promise.resolve(response(200));
  });
  await fetch(request);
  return seen as FetchRequest;
}

describe('retry', () => {
  it.each([
    failed('total-timeout', 'timeout'),
    failed('ECONNRESET'),
    failed('ECONNREFUSED'),
    failed('ENOTFOUND'),
    failed('truncated'),
    response(429),
    response(500),
    response(502),
    response(503),
    response(504),
  ])('tries three times with growing waits: %o', async (outcome) => {
    const result = await runRetry([outcome]);
    expect(result.times).toEqual([0, 500, 1_500]);
    expect(result.outcome).toBe(outcome);
  });

  it.each([
    failed('tls:CERT_HAS_EXPIRED'),
    failed('bad-response'),
    failed('bad-encoding'),
    failed('header-too-large'),
    response(501),
    response(404),
    response(401),
  ])('tries once: %o', async (outcome) => {
    expect((await runRetry([outcome])).times).toEqual([0]);
  });

  it('ends with the first good answer', async () => {
    const good = response(200);
    const { outcome, times } = await runRetry([failed('ECONNRESET'), failed('ECONNRESET'), good, response(500)]);
    expect(outcome).toBe(good);
    expect(times).toHaveLength(3);
  });

  it('takes its number of tries and its first wait from the options', async () => {
    expect((await runRetry([response(500)], { tries: 5, baseDelayMs: 100 })).times).toEqual([0, 100, 300, 700, 1_500]);
  });

  it.each([
    ['2', 2_000],
    ['0', 500],
    ['60', 60_000],
    ['soon', 500],
    ['-5', 500],
    ['1.5', 500],
    ['', 500],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 5_000],
    ['Thursday, 01-Jan-26 00:00:05 GMT', 5_000],
    ['Thu Jan  1 00:00:05 2026', 5_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 500],
  ])('waits with Retry-After "%s" for %i ms', async (value, expected) => {
    const { times } = await runRetry([response(429, value), response(200)]);
    expect(times).toEqual([0, expected]);
  });

  it('gives up at once when it is asked to wait longer than the cap', async () => {
    const late = response(429, '86400');
    const { outcome, times, backOffs } = await runRetry([late]);
    expect(outcome).toBe(late);
    expect(times).toEqual([0]);
    expect(backOffs).toEqual([60_000]);
  });

  it('says how long the whole site should rest after 429 and 503, and only then', async () => {
    expect((await runRetry([response(429, '3'), response(503), response(200)])).backOffs).toEqual([3_000, 1_000]);
    expect((await runRetry([response(500), failed('ECONNRESET'), response(200)])).backOffs).toEqual([]);
  });

  it('ends waiting when either signal is aborted', async () => {
    for (const which of ['signal', 'waitSignal']) {
      const controller = new AbortController();
      const clock = new FakeClock();
      let calls = 0;
      const options = which === 'waitSignal' ? { clock, waitSignal: controller.signal } : { clock };
      const fetch = retry(options)(() => {
        calls++;
        return Promise.resolve(response(503));
      });
      const pending = fetch({ url, ...(which === 'signal' && { signal: controller.signal }) });
      await settle();
      controller.abort();
      expect(await pending).toMatchObject({ type: 'refused', reason: 'aborted' });
      expect(calls).toBe(1);
      expect(clock.sleeping).toBe(0);
    }
  });
});

describe('parseRetryAfter', () => {
  it('knows no value for rubbish', () => {
    for (const value of [undefined, '', 'soon', '-1', '1e3', 'Monday', '01 Jan 2026']) {
      expect(parseRetryAfter(value, 0)).toBeUndefined();
    }
    expect(parseRetryAfter('Mon, rubbish GMT', 0)).toBeUndefined();
    expect(parseRetryAfter('9'.repeat(20), 0)).toBeUndefined();
  });
});

describe('addHeaders', () => {
  it('adds the fields for its own host only', async () => {
    expect((await sentWithHeaders({ url: 'https://example.com/x' })).headers).toEqual({
      authorization: 'secret',
      'x-a': '1',
    });
    expect((await sentWithHeaders({ url: 'http://example.com:8080/' })).headers).toHaveProperty('authorization');
    const others = [
      'http://example.com:81/',
      'http://www.example.com/',
      'http://example.com.evil.org/',
      'http://example.com@evil.org/',
    ];
    for (const other of others) expect((await sentWithHeaders({ url: other })).headers, other).toBeUndefined();
  });

  it('lets the fields of the request win', async () => {
    expect((await sentWithHeaders({ url, headers: { 'x-a': '2' } })).headers).toEqual({
      authorization: 'secret',
      'x-a': '2',
    });
  });
});

describe('bePolite', () => {
  it('gives its place back even when the exchange throws, and holds none while it waits', async () => {
    const clock = new FakeClock();
    const strict = new Politeness({ connections: 1, delayMs: 0, minIntervalMs: 0, clock });
    const fetch = bePolite({ politeness: strict })(() => Promise.reject(new Error('a bug')));
    await expect(fetch({ url })).rejects.toThrow('a bug');
    expect(strict.load).toEqual({ active: 0, waiting: 0 });
  });

  it('makes no request when the wait is ended by its own signal', async () => {
    const clock = new FakeClock();
    const strict = new Politeness({ connections: 1, delayMs: 0, minIntervalMs: 0, clock });
    await strict.acquire();
    const stop = new AbortController();
    let calls = 0;
    const fetch = bePolite({ politeness: strict, waitSignal: stop.signal })(() => {
      calls++;
      return Promise.resolve(response(200));
    });
    const pending = fetch({ url, signal: new AbortController().signal });
    stop.abort();
    expect(await pending).toMatchObject({ type: 'refused', reason: 'aborted' });
    expect(calls).toBe(0);
  });

  it('leaves no warning about listeners when dozens wait', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on('warning', onWarning);
    const strict = new Politeness({ connections: 1, delayMs: 0, minIntervalMs: 0, clock: systemClock });
    const { signal } = new AbortController();
    const stop = new AbortController();
    const fetch = bePolite({ politeness: strict, waitSignal: stop.signal })(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return response(200);
    });
    await Promise.all(Array.from({ length: 40 }, () => fetch({ url, signal })));
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });
});

describe('trace', () => {
  it('writes one debug line for each exchange', async () => {
    const lines: LogFields[] = [];
    const log = { ...silentLogger, debug: (_message: string, fields?: LogFields) => void lines.push(fields ?? {}) };
    for (const outcome of [response(200), failed('ENOTFOUND')]) {
      await trace({ log })(() => Promise.resolve(outcome))({ url });
    }
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({ url, status: 200 });
    expect(lines[1]).toMatchObject({ url, failed: 'unreachable', code: 'ENOTFOUND' });
  });
});
