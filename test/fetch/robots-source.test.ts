import { describe, expect, it } from 'vitest';
import type { FetchOutcome, FetchRequest, ResponseHeaders } from '../../src/fetch/outcome.ts';
import { fetchRobots } from '../../src/fetch/robots-source.ts';
import { FakeClock } from '../support/fake-clock.ts';

const ORIGIN = 'https://example.com';
const headers: ResponseHeaders = { get: () => undefined, getAll: () => [] };

function answer(status: number, body = '', isCut = false): FetchOutcome {
  return { type: 'response', status, headers, body: Buffer.from(body), ...(isCut && { isCut }) };
}

function redirect(url: string): FetchOutcome {
  return { type: 'redirect', status: 302, headers, location: { url } };
}

async function ask(script: (request: FetchRequest) => FetchOutcome) {
  const urls: string[] = [];
  const clock = new FakeClock(123);
  const fetch = (request: FetchRequest) => {
    urls.push(request.url);
    return Promise.resolve(script(request));
  };
  return { record: await fetchRobots(fetch, ORIGIN, { clock }), urls };
}

/** Place in a chain of redirects: `/3` is the third. */
function hop(request: FetchRequest): number {
  return Number(/\d+/.exec(new URL(request.url).pathname)?.[0] ?? 0);
}

function chain(length: number): (request: FetchRequest) => FetchOutcome {
  return (request) =>
    hop(request) < length ? redirect(`https://other.example/${hop(request) + 1}`) : answer(200, 'rules');
}

describe('fetchRobots', () => {
  it('asks /robots.txt of the origin for its first 500 KiB, whatever the type', async () => {
    const { record, urls } = await ask((request) => {
      expect(request.truncateAt).toBe(512_000);
      expect(request.wantsBody?.(200, headers)).toBe(true);
      expect(request.wantsBody?.(404, headers)).toBe(false);
      return answer(200, 'User-agent: *');
    });
    expect(urls).toEqual([`${ORIGIN}/robots.txt`]);
    expect(record).toEqual({
      origin: ORIGIN,
      state: 'found',
      status: 200,
      text: 'User-agent: *',
      detail: '',
      fetchedAt: 123,
    });
  });

  it.each([
    [200, 'found'],
    [204, 'found'],
    [300, 'unavailable'],
    [304, 'unavailable'],
    [400, 'unavailable'],
    [401, 'unavailable'],
    [403, 'unavailable'],
    [404, 'unavailable'],
    [410, 'unavailable'],
    [429, 'unreachable'],
    [451, 'unavailable'],
    [500, 'unreachable'],
    [501, 'unreachable'],
    [503, 'unreachable'],
    [999, 'unreachable'],
  ])('takes status %i as %s', async (status, state) => {
    const { record } = await ask(() => answer(status));
    expect(record).toMatchObject({ state, status, origin: ORIGIN });
  });

  it('follows five redirects, also to other hosts, and the rules stay those of the first', async () => {
    const five = await ask(chain(5));
    expect(five.record).toMatchObject({ origin: ORIGIN, state: 'found', text: 'rules' });
    expect(five.urls).toHaveLength(6);
    const six = await ask(chain(6));
    expect(six.record).toMatchObject({ state: 'unavailable', detail: 'more than 5 redirects' });
    expect(six.urls).toHaveLength(6);
  });

  it('ends a loop, and a redirect that leads nowhere, as unavailable', async () => {
    const loop = await ask(() => redirect(`${ORIGIN}/robots.txt`));
    expect(loop.record).toMatchObject({ state: 'unavailable', detail: 'redirect loop' });
    expect(loop.urls).toHaveLength(1);
    const { record } = await ask(() => ({
      type: 'redirect',
      status: 301,
      headers,
      location: { error: 'scheme', text: 'ftp://x/' },
    }));
    expect(record).toMatchObject({ state: 'unavailable', status: 301, detail: 'redirects to ftp://x/' });
  });

  it.each<FetchOutcome>([
    { type: 'failed', reason: 'timeout', code: 'total-timeout', detail: '' },
    { type: 'failed', reason: 'unreachable', code: 'ECONNRESET', detail: 'x' },
    { type: 'refused', reason: 'encoding', status: 200, detail: 'x-rot13' },
    { type: 'refused', reason: 'address', status: 0, detail: '' },
    { type: 'refused', reason: 'aborted', status: 0, detail: '' },
  ])('is unreachable after %o', async (outcome) => {
    const { record } = await ask(() => outcome);
    expect(record.state).toBe('unreachable');
    expect(record.detail).toContain(outcome.type === 'failed' ? outcome.code : (outcome as { reason: string }).reason);
  });

  it('drops the half line at the cut, which could be another rule', async () => {
    const { record } = await ask(() => answer(200, 'Disallow: /a\nDisallow: /', true));
    expect(record.text).toBe('Disallow: /a\n');
    expect((await ask(() => answer(200, 'x'.repeat(100), true))).record.text).toBe('');
    expect((await ask(() => answer(200, 'a\rb', true))).record.text).toBe('a\r');
  });
});
