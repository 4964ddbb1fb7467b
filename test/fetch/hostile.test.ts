import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CookieJar } from '../../src/fetch/cookie-jar.ts';
import { HttpFetcher } from '../../src/fetch/http-fetcher.ts';
import { bePolite, retry } from '../../src/fetch/interceptors/index.ts';
import type { FetchOutcome, Interceptor } from '../../src/fetch/outcome.ts';
import { Politeness } from '../../src/fetch/politeness.ts';
import { fetchRobots } from '../../src/fetch/robots-source.ts';
import { systemClock } from '../../src/base/clock.ts';
import { openHostileServer, type HostileServer } from '../support/hostile.ts';

const MAX_SIZE = 16 * 2 ** 20;
let hostile: HostileServer;
let fetcher: HttpFetcher;

beforeAll(async () => {
  hostile = await openHostileServer(['--all-robots', '--links', '100000', '--ua', 'orbweaver']);
  fetcher = openFetcher(10_000);
});

afterAll(async () => {
  await fetcher.close();
  await hostile.close();
});

function openFetcher(requestTimeoutMs: number, interceptors: Interceptor[] = []): HttpFetcher {
  return HttpFetcher.open({
    userAgent: 'orbweaver/0.1 (test)',
    requestTimeoutMs,
    maxSizeBytes: MAX_SIZE,
    connectionsPerOrigin: 4,
    allowPrivate: true,
    interceptors,
  });
}

function get(path: string, from = fetcher): Promise<FetchOutcome> {
  return from.fetch({ url: hostile.origin + path });
}

function textOf(outcome: FetchOutcome): string {
  if (outcome.type !== 'response') throw new Error(`expected a response, got ${JSON.stringify(outcome)}`);
  return Buffer.from(outcome.body ?? []).toString();
}

/** Runs `work` and gives the most that resident memory grew meanwhile, in MiB. */
async function growth(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 10);
  await work();
  clearInterval(timer);
  return (Math.max(peak, process.memoryUsage.rss()) - before) / 2 ** 20;
}

const askPatiently = async (path: string) => {
  const waits: number[] = [];
  const politeness = new Politeness({ connections: 2, delayMs: 0, minIntervalMs: 0, clock: systemClock });
  const onBackOff = (ms: number): void => {
    waits.push(ms);
    politeness.backOff(ms);
  };
  await using patient = openFetcher(10_000, [
    retry({ clock: systemClock, baseDelayMs: 20, onBackOff }),
    bePolite({ politeness }),
  ]);
  const startedAt = performance.now();
  const outcome = await get(path, patient);
  return { outcome, waits, tookMs: performance.now() - startedAt };
};

const RULE = 'User-agent: *\nDisallow: /blocked/\n';
const robots = (mode: string, from = fetcher) => {
  const origin = hostile.robots[mode];
  if (origin === undefined) throw new Error(`no mode ${mode}`);
  return fetchRobots(from.fetch, origin, { clock: systemClock });
};

describe('how the bytes of a body arrive', () => {
  it('ends a drip of one byte a second at the total limit', async () => {
    await using impatient = openFetcher(1_500);
    const startedAt = performance.now();
    expect(await get('/body/drip', impatient)).toMatchObject({
      type: 'failed',
      reason: 'timeout',
      code: 'total-timeout',
    });
    const tookMs = performance.now() - startedAt;
    expect(tookMs).toBeGreaterThan(1_400);
    expect(tookMs).toBeLessThan(2_500);
  });

  it('gives up on a server that never answers', async () => {
    await using impatient = openFetcher(700);
    expect(await get('/body/silent', impatient)).toMatchObject({ reason: 'timeout', code: 'headers-timeout' });
  });

  it('cuts an endless body at the size limit with flat memory', async () => {
    let outcome: FetchOutcome | undefined;
    const grownMiB = await growth(async () => (outcome = await get('/body/endless')));
    expect(outcome).toMatchObject({ type: 'refused', reason: 'size', status: 200 });
    expect(grownMiB).toBeLessThan(100);
  });

  it('refuses a gzip bomb of 300 MiB with flat memory', async () => {
    let outcome: FetchOutcome | undefined;
    const grownMiB = await growth(async () => (outcome = await get('/body/gzip-bomb')));
    expect(outcome).toMatchObject({ type: 'refused', reason: 'size', status: 200 });
    expect(grownMiB).toBeLessThan(100);
  });

  it.each([
    ['/body/reset', 'ECONNRESET'],
    ['/body/cl-long', 'truncated'],
    ['/body/cl-two', 'bad-response'],
    ['/body/chunk-bad', 'bad-response'],
    ['/body/chunk-cut', 'truncated'],
    ['/body/gzip-cut', 'truncated'],
    ['/body/gzip-liar', 'bad-encoding'],
  ])('reports %s as %s', async (path, code) => {
    expect(await get(path)).toMatchObject({ type: 'failed', reason: 'unreachable', code });
  });

  it.each([
    ['/body/http10', 'http10'],
    ['/body/chunk-trailer', 'trailer'],
    ['/body/gzip', 'gzip'],
    ['/body/gzip-twice', 'gzip2'],
    ['/body/gzip-tail', 'tail'],
    ['/body/deflate-raw', 'raw'],
    ['/body/deflate', 'zlib'],
    ['/body/br', 'br'],
    ['/body/enc-none', 'none'],
    ['/body/early-hints', '103'],
  ])('reads the whole of %s', async (path, from) => {
    // A fetcher of its own: some of these leave the server unable to answer again on the same connection.
    await using fresh = openFetcher(10_000);
    expect(textOf(await get(path, fresh))).toBe(`<a href="/body/leaf?from=${from}">x</a>`);
  });

  it('refuses an unknown content coding', async () => {
    expect(await get('/body/enc-unknown')).toEqual({
      type: 'refused',
      reason: 'encoding',
      status: 200,
      detail: 'x-rot13',
    });
  });

  it.each([204, 304])('gives status %i with an empty body', async (status) => {
    const outcome = await get(`/body/${status}`);
    expect(outcome).toMatchObject({ type: 'response', status });
    expect(textOf(outcome)).toBe('');
  });

  it.each([
    ['/body/many-links', 3_100_000],
    ['/body/deep', 1_100_000],
    ['/body/deep-b', 300_000],
    ['/body/long-attr', 4_800_000],
    ['/body/open-angles', 1_000_000],
  ])('reads the large page %s', async (path, atLeast) => {
    expect(textOf(await get(path)).length).toBeGreaterThanOrEqual(atLeast);
  });

  it('keeps the bytes of binary rubbish as they are', async () => {
    const outcome = await get('/body/binary');
    const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(2_000, 0xf3)]);
    expect(outcome).toMatchObject({ type: 'response', status: 200 });
    expect(Buffer.compare(Buffer.from((outcome as { body: Uint8Array }).body), png)).toBe(0);
    expect(textOf(await get('/body/nul'))).toContain('\0<a\0');
  });
});

describe('status line and header fields', () => {
  it.each([
    ['/head/huge', 'header-too-large'],
    ['/head/bad-char', 'bad-response'],
    ['/head/lf-only', 'bad-response'],
    ['/head/fold', 'bad-response'],
  ])('reports %s as %s, and the next page is fine', async (path, code) => {
    expect(await get(path)).toMatchObject({ type: 'failed', reason: 'unreachable', code });
    expect(textOf(await get('/head/leaf'))).toContain('leaf');
  });

  it.each([
    ['/head/many', 'text/html; charset=utf-8'],
    ['/head/empty-type', ''],
    ['/head/plain', 'text/plain'],
    ['/head/xhtml', 'application/xhtml+xml'],
    ['/head/params', 'text/html ;; charset=utf-8 ; x="a;b"'],
    ['/head/prefix', 'text/htmlx'],
    ['/head/no-reason', 'text/html'],
  ])('reads %s with the type "%s"', async (path, type) => {
    const outcome = await get(path);
    expect(outcome).toMatchObject({ type: 'response', status: 200 });
    expect((outcome as { headers: { get(name: string): string | undefined } }).headers.get('Content-Type')).toBe(type);
  });

  it('takes the last of two media types', async () => {
    const outcome = await get('/head/two-types');
    if (outcome.type !== 'response') throw new Error('no response');
    expect(outcome.headers.get('content-type')).toBe('text/html');
    expect(outcome.headers.getAll('content-type')).toEqual(['text/plain', 'text/html']);
  });

  it.each([201, 203, 400, 401, 402, 403, 404, 410, 418, 451, 500, 501, 502, 504, 999])(
    'passes status %i on',
    async (status) => {
      expect(await get(`/head/st/${status}`)).toMatchObject({ type: 'response', status });
    },
  );

  it('follows neither Refresh nor Link, and shows the fields', async () => {
    for (const name of ['refresh', 'link', 'x-robots-tag']) {
      const outcome = await get(`/head/${name === 'x-robots-tag' ? 'xrobots' : name}`);
      if (outcome.type !== 'response') throw new Error('no response');
      expect(outcome.headers.get(name)).toBeTruthy();
    }
  });

  it('refuses 300 KB of cookies, which are over the header limit, and a jar of them stays small', async () => {
    expect(await get('/head/cookie-bomb')).toMatchObject({ type: 'failed', code: 'header-too-large' });
    const jar = new CookieJar();
    jar.store(
      `${hostile.origin}/head/`,
      Array.from({ length: 300 }, (_, i) => `c${i}=${'v'.repeat(1_000)}; Path=/head/`),
    );
    expect(jar.headerFor(`${hostile.origin}/head/x`)?.length).toBeLessThanOrEqual(8 * 1024);
  });
});

describe('redirects', () => {
  it.each([
    ['/redir/self', 302, '/redir/self'],
    ['/redir/pair-a', 302, '/redir/pair-b'],
    ['/redir/rho', 302, '/redir/rho-b'],
    ['/redir/grow/x', 302, '/redir/grow/x/x'],
    ['/redir/count?n=1', 302, '/redir/count?n=2'],
    ['/redir/chain?n=5', 302, '/redir/chain?n=4'],
    ['/redir/st/301', 301, '/redir/end?st=301'],
    ['/redir/st/302', 302, '/redir/end?st=302'],
    ['/redir/st/303', 303, '/redir/end?st=303'],
    ['/redir/st/307', 307, '/redir/end?st=307'],
    ['/redir/st/308', 308, '/redir/end?st=308'],
    ['/redir/slash', 301, '/redir/dir/'],
    ['/redir/space', 302, '/redir/end?a%20b'],
    ['/redir/utf8', 302, '/redir/%D0%BA%D0%BE%D0%BD%D0%B5%D1%86'],
    ['/redir/frag', 302, '/redir/end?f'],
    ['/redir/twoloc', 302, '/redir/end?l=1'],
    ['/redir/to-pdf', 302, '/redir/f.pdf'],
    ['/redir/to-blocked', 302, '/blocked/x'],
  ])('reports %s as %i to %s', async (path, status, target) => {
    expect(await get(path)).toMatchObject({ type: 'redirect', status, location: { url: hostile.origin + target } });
  });

  it.each([
    ['js', 'scheme', 'javascript:alert(1)'],
    ['data', 'scheme', 'data:text/html,<a href=/x>'],
    ['file', 'scheme', 'file:///etc/passwd'],
    ['mail', 'scheme', 'mailto:a@b.invalid'],
    ['bad', 'invalid', 'http://exa mple/'],
    ['badport', 'invalid', 'http://127.0.0.1:99999/'],
  ])('reports the target of to-%s as %s', async (name, error, text) => {
    expect(await get(`/redir/to-${name}`)).toMatchObject({ type: 'redirect', location: { error, text } });
  });

  it.each([
    ['/redir/st/300', 300],
    ['/redir/st/305', 305],
    ['/redir/noloc', 302],
    ['/redir/emptyloc', 302],
  ])('takes %s as a plain answer %i', async (path, status) => {
    expect(await get(path)).toMatchObject({ type: 'response', status });
  });

  it('names other hosts and closed ports without asking them', async () => {
    const other = await get('/redir/to-other-host');
    expect(other).toMatchObject({
      location: { url: expect.stringMatching(/^http:\/\/localhost:\d+\/redir\/foreign$/) as string },
    });
    expect(await get('/redir/to-closed')).toMatchObject({ location: { url: 'http://127.0.0.1:1/' } });
    expect(await fetcher.fetch({ url: 'http://127.0.0.1:1/' })).toMatchObject({
      reason: 'unreachable',
      code: 'ECONNREFUSED',
    });
  });

  it('passes a cookie wall with the jar of the chain', async () => {
    const url = `${hostile.origin}/redir/cookie`;
    const jar = new CookieJar();
    const first = await fetcher.fetch({ url });
    if (first.type !== 'redirect') throw new Error('no redirect');
    jar.store(url, first.headers.getAll('set-cookie'));
    const cookie = jar.headerFor(url);
    expect(cookie).toBe('seen=1');
    expect(await fetcher.fetch({ url, headers: { cookie: cookie as string } })).toMatchObject({
      type: 'response',
      status: 200,
    });
  });

  it('sends back only the cookies that are for the page', async () => {
    const url = `${hostile.origin}/rate/cookie-scope`;
    const jar = new CookieJar();
    const outcome = await fetcher.fetch({ url });
    if (outcome.type !== 'response') throw new Error('no response');
    jar.store(url, outcome.headers.getAll('set-cookie'));
    expect(jar.headerFor(url)).toBe('ok=1');
  });
});

describe('servers that want to be asked again', () => {
  it('waits as long as Retry-After says, and no longer than the cap', async () => {
    const { outcome, waits, tookMs } = await askPatiently('/rate/429');
    expect(outcome).toMatchObject({ type: 'response', status: 200 });
    expect(waits).toEqual([2_000]);
    expect(tookMs).toBeGreaterThan(1_950);
    const day = await askPatiently('/rate/429-day');
    expect(day.outcome).toMatchObject({ type: 'response', status: 429 });
    expect(day.tookMs).toBeLessThan(500);
  });

  it.each([
    ['/rate/429-bad', 200],
    ['/rate/503-flap', 200],
    ['/rate/conn-flap', 200],
    ['/rate/503', 503],
    ['/rate/auth', 401],
  ])('ends %s with status %i', async (path, status) => {
    expect((await askPatiently(path)).outcome).toMatchObject({ type: 'response', status });
  });
});

describe('robots.txt', () => {
  it.each([
    ['ok', 'found', 200],
    ['404', 'unavailable', 404],
    ['403', 'unavailable', 403],
    ['429', 'unreachable', 429],
    ['500', 'unreachable', 500],
    ['redirect', 'found', 200],
    ['loop', 'unavailable', 302],
    ['other-host', 'found', 200],
    ['bom', 'found', 200],
    ['crlf', 'found', 200],
    ['utf16', 'found', 200],
    ['html', 'found', 200],
    ['empty', 'found', 200],
    ['gzip', 'found', 200],
    ['slow', 'found', 200],
    ['reset', 'unreachable', 0],
    ['all', 'found', 200],
    ['own', 'found', 200],
    ['delay', 'found', 200],
    ['binary', 'found', 200],
  ])('takes the mode %s as %s, status %i', async (mode, state, status) => {
    const record = await robots(mode);
    expect(record).toMatchObject({ origin: hostile.robots[mode], state, status });
    expect(Math.abs(record.fetchedAt - Date.now())).toBeLessThan(5_000);
  });

  it.each(['redirect', 'other-host', 'bom', 'gzip', 'utf16'])('reads the rules of the mode %s', async (mode) => {
    expect((await robots(mode)).text).toBe(RULE);
  });

  it('uses the first 500 KiB of a huge file, to the last whole line', async () => {
    const { text, state } = await robots('huge');
    expect(state).toBe('found');
    expect(text.startsWith(RULE)).toBe(true);
    expect(text.length).toBeLessThanOrEqual(512_000);
    expect(text.length).toBeGreaterThan(511_000);
    expect(text.endsWith('\n')).toBe(true);
  });

  it('is unreachable when robots.txt never answers', async () => {
    await using impatient = openFetcher(600);
    expect(await robots('silent', impatient)).toMatchObject({ state: 'unreachable', status: 0 });
  });
});
