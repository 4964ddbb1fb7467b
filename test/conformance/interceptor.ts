import { describe, expect, it } from 'vitest';
import type { FetchFunction, FetchOutcome, Interceptor, ResponseHeaders } from '../../src/fetch/outcome.ts';

/** What every interceptor must do, whatever it adds. `make` gives one that is ready to work without waiting. */
export function describeInterceptor(name: string, make: () => Interceptor): void {
  const headers: ResponseHeaders = { get: () => undefined, getAll: () => [] };
  const outcomes: Record<string, FetchOutcome> = {
    response: { type: 'response', status: 200, headers, body: new Uint8Array([1]) },
    'not found': { type: 'response', status: 404, headers, body: undefined },
    redirect: { type: 'redirect', status: 301, headers, location: { url: 'http://127.0.0.1/x' } },
    refused: { type: 'refused', reason: 'size', status: 200, detail: 'more than 1 byte' },
    failed: { type: 'failed', reason: 'unreachable', code: 'tls:CERT_HAS_EXPIRED', detail: '' },
  };
  const url = 'http://127.0.0.1/';

  describe(`the interceptor ${name}`, () => {
    for (const [kind, outcome] of Object.entries(outcomes)) {
      it(`passes a ${kind} outcome on untouched, after one exchange`, async () => {
        let calls = 0;
        const fetch = make()((request) => {
          calls++;
          expect(request.url).toBe(url);
          return Promise.resolve(outcome);
        });
        expect(await fetch({ url })).toBe(outcome);
        expect(calls).toBe(1);
      });
    }

    it('passes on every part of the request', async () => {
      const { signal } = new AbortController();
      const request = { url, headers: { 'x-own': '1' }, wantsBody: () => false, truncateAt: 5, signal };
      let seen: unknown;
      const fetch = make()((passed) => {
        seen = passed;
        return Promise.resolve(outcomes['response'] as FetchOutcome);
      });
      await fetch(request);
      expect(seen).toMatchObject(request);
    });

    it('ends at once with an outcome when the signal is aborted before or meanwhile', async () => {
      const controller = new AbortController();
      const aborted: FetchOutcome = { type: 'refused', reason: 'aborted', status: 0, detail: '' };
      const hanging: FetchFunction = ({ signal }) =>
        new Promise((resolve) => {
          if (signal?.aborted === true) resolve(aborted);
          signal?.addEventListener('abort', () => resolve(aborted), { once: true });
        });
      const fetch = make()(hanging);
      const pending = fetch({ url, signal: controller.signal });
      setTimeout(() => controller.abort(), 5);
      expect(await pending).toMatchObject({ type: 'refused', reason: 'aborted' });
      expect(await fetch({ url, signal: controller.signal })).toMatchObject({ type: 'refused', reason: 'aborted' });
    });

    it('never throws for an odd URL', async () => {
      const fetch = make()(() => Promise.resolve(outcomes['failed'] as FetchOutcome));
      for (const odd of ['', 'x', 'http://[', 'javascript:1', 'http://127.0.0.1:99999/']) {
        expect(await fetch({ url: odd })).toBe(outcomes['failed']);
      }
    });

    it('can be used by many at once', async () => {
      const fetch = make()(async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return outcomes['response'] as FetchOutcome;
      });
      const results = await Promise.all(Array.from({ length: 50 }, () => fetch({ url })));
      expect(new Set(results)).toEqual(new Set([outcomes['response']]));
    });
  });
}
