import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { brotliCompressSync, gzipSync, deflateSync } from 'node:zlib';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpFetcher, type HttpFetcherOptions } from '../../src/fetch/http-fetcher.ts';
import type { FailedOutcome, FetchOutcome, ResponseOutcome } from '../../src/fetch/outcome.ts';
import { RawServer } from '../support/raw-server.ts';
import { SiteServer } from '../support/site-server.ts';
import { makeCertificate, TlsServer } from '../support/tls-server.ts';

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';

function open(options: Partial<HttpFetcherOptions> = {}): HttpFetcher {
  return HttpFetcher.open({
    userAgent: 'orbweaver/0.1',
    requestTimeoutMs: 5_000,
    maxSizeBytes: 2 ** 20,
    connectionsPerOrigin: 2,
    allowPrivate: true,
    ...options,
  });
}

function expectResponse(outcome: FetchOutcome): ResponseOutcome {
  if (outcome.type !== 'response') throw new Error(`expected a response, got ${JSON.stringify(outcome)}`);
  return outcome;
}

function bodyText(outcome: FetchOutcome): string {
  return Buffer.from(expectResponse(outcome).body ?? []).toString();
}

describe('requests', () => {
  it('sends the user agent, the default fields and those of the request, which win', async () => {
    await using site = await SiteServer.open({ '/': 'ok' });
    await using fetcher = open({ headers: { 'Accept-Language': 'ru', 'X-One': '1' } });
    await fetcher.fetch({ url: `${site.origin}/`, headers: { 'x-one': '2' } });
    expect(site.requests[0]?.headers).toMatchObject({
      'user-agent': 'orbweaver/0.1',
      'accept-language': 'ru',
      'x-one': '2',
      host: `127.0.0.1:${site.port}`,
    });
    expect(site.requests[0]?.headers['accept-encoding']).toContain('gzip, deflate, br');
    expect(site.requests[0]?.headers.accept).toContain('text/html');
  });

  it('keeps the path as it is linked and sends neither fragment nor password', async () => {
    await using site = await SiteServer.open();
    await using fetcher = open();
    await fetcher.fetch({ url: `http://me:secret@127.0.0.1:${site.port}/a//b/%7e?x=1&&#frag` });
    expect(site.requests[0]?.url).toBe('/a//b/%7e?x=1&&');
    expect(site.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('sends given cookies to their host only, unless the request has a Cookie field', async () => {
    await using site = await SiteServer.open({ '/': 'ok' });
    const cookie = { includeSubdomains: false, path: '/', secure: false, expires: 0, value: '1' };
    await using fetcher = open({
      cookies: [
        { ...cookie, domain: '127.0.0.1', name: 'mine' },
        { ...cookie, domain: 'example.com', name: 'theirs' },
      ],
    });
    await fetcher.fetch({ url: `${site.origin}/` });
    await fetcher.fetch({ url: `${site.origin}/`, headers: { cookie: 'own=2' } });
    expect(site.requests.map((request) => request.headers.cookie)).toEqual(['mine=1', 'own=2']);
  });

  it.each(['ftp://127.0.0.1/', 'not a url', 'javascript:1', ''])(
    'makes an outcome of the unusable URL "%s"',
    async (url) => {
      await using fetcher = open();
      expect(await fetcher.fetch({ url })).toMatchObject({ type: 'failed', code: 'invalid-request' });
    },
  );

  it('makes an outcome of a header value that cannot be sent', async () => {
    await using site = await SiteServer.open({ '/': 'ok' });
    await using fetcher = open();
    const outcome = await fetcher.fetch({ url: `${site.origin}/`, headers: { 'x-bad': 'a\r\nb: c' } });
    expect(outcome).toMatchObject({ type: 'failed', code: 'invalid-request' });
    expect(site.requests).toHaveLength(0);
  });

  it('runs interceptors from the outside in', async () => {
    await using site = await SiteServer.open({ '/': 'ok' });
    const order: string[] = [];
    await using fetcher = open({
      interceptors: ['outer', 'inner'].map((name) => (next) => (request) => {
        order.push(name);
        return next(request);
      }),
    });
    await fetcher.fetch({ url: `${site.origin}/` });
    expect(order).toEqual(['outer', 'inner']);
  });
});

describe('connections', () => {
  it('uses one connection for many requests in a row', async () => {
    await using site = await SiteServer.open({ '/': 'ok' });
    await using fetcher = open({ connectionsPerOrigin: 1 });
    for (let i = 0; i < 20; i++) expect(bodyText(await fetcher.fetch({ url: `${site.origin}/` }))).toBe('ok');
    expect(site.connections).toBe(1);
  });

  it('opens no more connections than allowed', async () => {
    await using site = await SiteServer.open({
      '/': (_request, response) => void setTimeout(() => response.end('ok'), 20),
    });
    await using fetcher = open({ connectionsPerOrigin: 3 });
    await Promise.all(Array.from({ length: 30 }, () => fetcher.fetch({ url: `${site.origin}/` })));
    expect(site.connections).toBe(3);
  });

  it('keeps the connection after unwanted answers and redirects that are small, whether their length is known or not', async () => {
    await using site = await SiteServer.open({
      '/pdf': (_request, response) =>
        response.writeHead(200, { 'content-type': 'application/pdf' }).end(Buffer.alloc(60_000)),
      '/chunked': (_request, response) => {
        response.writeHead(404).write('no');
        setTimeout(() => response.end('thing'), 5);
      },
      '/redirect': (_request, response) => response.writeHead(302, { location: '/x' }).end('moved'),
    });
    await using fetcher = open({ connectionsPerOrigin: 1 });
    for (const path of ['/pdf', '/chunked', '/redirect', '/pdf']) {
      const outcome = await fetcher.fetch({ url: site.origin + path, wantsBody: () => false });
      expect(outcome.type).toBe(path === '/redirect' ? 'redirect' : 'response');
      expect('body' in outcome ? outcome.body : undefined).toBeUndefined();
    }
    expect(site.connections).toBe(1);
  });

  it('drops the connection rather than read a large body that nobody wants', async () => {
    let sent = 0;
    await using site = await SiteServer.open({
      '/known': (_request, response) => response.writeHead(200, { 'content-length': 50_000_000 }).write('x'),
      '/unknown': (_request, response) => {
        const timer = setInterval(() => {
          sent += 16_384;
          response.write(Buffer.alloc(16_384));
        }, 1);
        response.on('close', () => clearInterval(timer));
      },
    });
    await using fetcher = open({ connectionsPerOrigin: 1 });
    const startedAt = performance.now();
    expect(await fetcher.fetch({ url: `${site.origin}/known`, wantsBody: () => false })).toMatchObject({ status: 200 });
    expect(await fetcher.fetch({ url: `${site.origin}/unknown`, wantsBody: () => false })).toMatchObject({
      status: 200,
    });
    expect(performance.now() - startedAt).toBeLessThan(1_500);
    expect(sent).toBeLessThan(1_000_000);
    expect(site.connections).toBe(2);
  });

  it('does not wait for ever for the rest of a redirect, and the redirect stands', async () => {
    await using site = await SiteServer.open({
      '/': (_request, response) => response.writeHead(301, { location: '/x' }).write('...'),
    });
    await using fetcher = open();
    const startedAt = performance.now();
    expect(await fetcher.fetch({ url: `${site.origin}/` })).toMatchObject({ type: 'redirect', status: 301 });
    expect(performance.now() - startedAt).toBeLessThan(3_500);
  });

  it('ends exchanges under way when it is closed, and refuses new ones', async () => {
    await using site = await SiteServer.open({ '/': () => undefined });
    const fetcher = open();
    const pending = fetcher.fetch({ url: `${site.origin}/` });
    while (site.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await fetcher.close();
    expect(await pending).toMatchObject({ type: 'refused', reason: 'aborted' });
    expect(await fetcher.fetch({ url: `${site.origin}/` })).toMatchObject({ type: 'refused', reason: 'aborted' });
  });
});

describe('abort and time', () => {
  it.each(['connect', 'head', 'body'])('ends at once when aborted in the phase %s', async (phase) => {
    await using site = await SiteServer.open({
      '/': (_request, response) => {
        if (phase === 'body') response.writeHead(200, { 'content-type': 'text/html' }).write('half');
      },
    });
    await using fetcher = open();
    const controller = new AbortController();
    const pending = fetcher.fetch({ url: `${site.origin}/`, signal: controller.signal });
    if (phase !== 'connect') {
      while (site.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    const startedAt = performance.now();
    controller.abort();
    expect(await pending).toMatchObject({ type: 'refused', reason: 'aborted' });
    expect(performance.now() - startedAt).toBeLessThan(50);
    expect(await fetcher.fetch({ url: `${site.origin}/`, signal: controller.signal })).toMatchObject({
      reason: 'aborted',
    });
    // The socket goes too: nothing is left that could keep the process alive.
    await expect.poll(() => site.openSockets).toBe(0);
  });

  it('leaves no listener on the signal, and no warning with many exchanges', async () => {
    await using site = await SiteServer.open({ '/': 'ok' });
    await using fetcher = open({ connectionsPerOrigin: 8 });
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on('warning', onWarning);
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args));
    signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners--, remove(...args));
    await Promise.all(Array.from({ length: 40 }, () => fetcher.fetch({ url: `${site.origin}/`, signal })));
    await new Promise((resolve) => setTimeout(resolve, 10));
    process.off('warning', onWarning);
    expect(listeners).toBe(0);
    expect(warnings).toEqual([]);
  });

  it('limits the time of each of many exchanges with its own deadline', async () => {
    await using site = await SiteServer.open({ '/': () => undefined });
    await using fetcher = open({ requestTimeoutMs: 300, connectionsPerOrigin: 10 });
    const times: number[] = [];
    await Promise.all(
      [0, 100, 200].map(async (waitMs) => {
        await new Promise((resolve) => setTimeout(resolve, waitMs));
        const startedAt = performance.now();
        expect(await fetcher.fetch({ url: `${site.origin}/` })).toMatchObject({ type: 'failed', reason: 'timeout' });
        times.push(performance.now() - startedAt);
      }),
    );
    for (const time of times) {
      expect(time).toBeGreaterThan(290);
      expect(time).toBeLessThan(400);
    }
  });

  it('reports names that do not resolve and ports that are closed', async () => {
    await using fetcher = open();
    expect(await fetcher.fetch({ url: 'http://nowhere.invalid/' })).toMatchObject({
      code: 'ENOTFOUND',
      reason: 'unreachable',
    });
    expect(await fetcher.fetch({ url: 'http://127.0.0.1:1/' })).toMatchObject({
      code: 'ECONNREFUSED',
      reason: 'unreachable',
    });
  });
});

describe('bodies', () => {
  it('joins chunks of any size into the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 5_000 }), { maxLength: 6 }),
        fc.constantFrom('identity', 'gzip', 'br', 'deflate', 'gzip, br'),
        fc.boolean(),
        async (chunks, coding, isLengthKnown) => {
          const plain = Buffer.concat(chunks);
          let sent = plain;
          for (const name of coding.split(', ')) {
            if (name === 'gzip') sent = gzipSync(sent);
            else if (name === 'br') sent = brotliCompressSync(sent);
            else if (name === 'deflate') sent = deflateSync(sent);
          }
          await using site = await SiteServer.open({
            '/': (_request, response) => {
              response.writeHead(200, {
                'content-encoding': coding,
                ...(isLengthKnown && { 'content-length': sent.length }),
              });
              for (let at = 0; at < sent.length; at += 1_700) response.write(sent.subarray(at, at + 1_700));
              response.end();
            },
          });
          await using fetcher = open();
          const { body } = expectResponse(await fetcher.fetch({ url: `${site.origin}/` }));
          expect(Buffer.compare(Buffer.from(body ?? []), plain)).toBe(0);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('allows a body of exactly the limit and no byte more, plain and coded, known length or not', async () => {
    const limit = 300_000;
    await using fetcher = open({ maxSizeBytes: limit });
    for (const size of [limit, limit + 1]) {
      for (const coding of ['identity', 'gzip', 'br']) {
        for (const isLengthKnown of [true, false]) {
          const plain = Buffer.from(Array.from({ length: size }, (_, i) => (i * 31) % 251));
          const sent = coding === 'gzip' ? gzipSync(plain) : coding === 'br' ? brotliCompressSync(plain) : plain;
          await using site = await SiteServer.open({
            '/': (_request, response) => {
              response.writeHead(200, {
                'content-encoding': coding,
                ...(isLengthKnown && { 'content-length': sent.length }),
              });
              response.write(sent.subarray(0, 100));
              response.end(sent.subarray(100));
            },
          });
          const outcome = await fetcher.fetch({ url: `${site.origin}/` });
          if (size === limit) expect(expectResponse(outcome).body?.length).toBe(limit);
          else expect(outcome).toMatchObject({ type: 'refused', reason: 'size', status: 200 });
        }
      }
    }
  });

  it.each(['identity', 'gzip', 'br', 'gzip, gzip'])('keeps the beginning with truncateAt (%s)', async (coding) => {
    const plain = Buffer.from(Array.from({ length: 100_000 }, (_, i) => 97 + ((i * i) % 26)));
    let sent = plain;
    if (coding.startsWith('gzip')) sent = gzipSync(sent);
    if (coding === 'br') sent = brotliCompressSync(sent);
    if (coding === 'gzip, gzip') sent = gzipSync(sent);
    await using site = await SiteServer.open({
      '/': (_request, response) => response.writeHead(200, { 'content-encoding': coding }).end(sent),
    });
    await using fetcher = open({ maxSizeBytes: 50_000 });
    const cut = expectResponse(await fetcher.fetch({ url: `${site.origin}/`, truncateAt: 10_000 }));
    expect(cut.isCut).toBe(true);
    expect(Buffer.compare(Buffer.from(cut.body ?? []), plain.subarray(0, 10_000))).toBe(0);
    const whole = expectResponse(await fetcher.fetch({ url: `${site.origin}/`, truncateAt: 100_000 }));
    expect(whole.isCut).toBeUndefined();
    expect(whole.body?.length).toBe(100_000);
  });

  it('reads several gzip members, and ignores junk after large gzip data', async () => {
    const big = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 256));
    await using site = await SiteServer.open({
      '/members': (_request, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.concat([gzipSync('one '), gzipSync('two')])),
      '/junk': (_request, response) =>
        response
          .writeHead(200, { 'content-encoding': 'x-gzip' })
          .end(Buffer.concat([gzipSync(big, { level: 0 }), Buffer.from('JUNK'), big])),
      '/cut': (_request, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(big, { level: 0 }).subarray(0, 150_000)),
      '/liar': (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(big),
      '/empty': (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(),
      '/three': (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip, gzip, gzip' }).end('x'),
    });
    await using fetcher = open();
    expect(bodyText(await fetcher.fetch({ url: `${site.origin}/members` }))).toBe('one two');
    const junk = expectResponse(await fetcher.fetch({ url: `${site.origin}/junk` }));
    expect(Buffer.compare(Buffer.from(junk.body ?? []), big)).toBe(0);
    expect(await fetcher.fetch({ url: `${site.origin}/cut` })).toMatchObject({ type: 'failed', code: 'truncated' });
    expect(await fetcher.fetch({ url: `${site.origin}/liar` })).toMatchObject({ type: 'failed', code: 'bad-encoding' });
    expect(bodyText(await fetcher.fetch({ url: `${site.origin}/empty` }))).toBe('');
    expect(await fetcher.fetch({ url: `${site.origin}/three` })).toMatchObject({ type: 'refused', reason: 'encoding' });
  });

  it('has no limit where none is set', async () => {
    await using site = await SiteServer.open({
      '/': (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('coded')),
    });
    await using fetcher = open({ maxSizeBytes: Infinity, requestTimeoutMs: Infinity });
    expect(bodyText(await fetcher.fetch({ url: `${site.origin}/` }))).toBe('coded');
  });

  it('does not copy a body that came in one piece', async () => {
    await using site = await SiteServer.open({ '/': '<p>small</p>' });
    await using fetcher = open();
    const { body } = expectResponse(await fetcher.fetch({ url: `${site.origin}/` }));
    // A copy would have a buffer of its own; this one lies behind the head in the bytes of the socket.
    expect(body?.byteOffset).toBeGreaterThan(0);
    expect(Buffer.from(body?.buffer ?? new ArrayBuffer(0)).toString()).toContain('HTTP/1.1 200');
  });
});

describe('header fields', () => {
  it('reads UTF-8 where valid and else Latin-1, without looking at case', async () => {
    await using raw = await RawServer.open((socket) => {
      const head = Buffer.concat([
        Buffer.from(`${HEAD}X-Utf8: конец \r\nX-Latin: `),
        Buffer.from([0xe9, 0x74, 0xe9]),
        Buffer.from('\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nContent-Length: 0\r\n\r\n'),
      ]);
      socket.write(head);
    });
    await using fetcher = open();
    const { headers } = expectResponse(await fetcher.fetch({ url: `${raw.origin}/` }));
    expect(headers.get('x-UTF8')).toBe('конец');
    expect(headers.get('x-latin')).toBe('été');
    expect(headers.getAll('Set-Cookie')).toEqual(['a=1', 'b=2']);
    expect(headers.get('x-none')).toBeUndefined();
    expect(headers.getAll('x-none')).toEqual([]);
  });

  it('resolves a Location in Latin-1', async () => {
    await using raw = await RawServer.open((socket) => {
      socket.write(Buffer.from('HTTP/1.1 302 Found\r\nLocation: /\xe9t\xe9\r\nContent-Length: 0\r\n\r\n', 'latin1'));
    });
    await using fetcher = open();
    const outcome = await fetcher.fetch({ url: `${raw.origin}/` });
    expect(outcome).toMatchObject({ type: 'redirect', location: { url: `${raw.origin}/%C3%A9t%C3%A9` } });
  });

  it.each([
    ['Content-Type: */*', 'text/html'],
    ['Content-Type: rubbish', 'text/html'],
    ['Content-Type:', 'text/html'],
    ['Content-Type: text/plain; charset=x', 'text/plain; charset=x'],
  ])('chooses the last valid type of two: text/html, then "%s"', async (field, expected) => {
    await using raw = await RawServer.open(
      (socket) => void socket.write(`${HEAD}${field}\r\nContent-Length: 0\r\n\r\n`),
    );
    await using fetcher = open();
    expect(expectResponse(await fetcher.fetch({ url: `${raw.origin}/` })).headers.get('content-type')).toBe(expected);
  });
});

describe('private addresses', () => {
  it('refuses a literal address and a name that resolves to one, without a connection', async () => {
    await using site = await SiteServer.open({ '/': 'secret' });
    await using fetcher = open({ allowPrivate: false });
    const urls = [`${site.origin}/`, `http://localhost:${site.port}/`, `http://2130706433:${site.port}/`];
    urls.push(
      `http://0x7f.1:${site.port}/`,
      `http://[::ffff:127.0.0.1]:${site.port}/`,
      'http://169.254.169.254/latest/',
    );
    for (const url of urls) {
      expect(await fetcher.fetch({ url }), url).toMatchObject({ type: 'refused', reason: 'address' });
    }
    expect(site.connections).toBe(0);
  });

  it('asks anew for each connection whether they are allowed', async () => {
    await using site = await SiteServer.open({ '/': 'ok' });
    let isAllowed = false;
    await using fetcher = open({ allowPrivate: () => isAllowed });
    expect(await fetcher.fetch({ url: `http://localhost:${site.port}/` })).toMatchObject({ reason: 'address' });
    isAllowed = true;
    expect(bodyText(await fetcher.fetch({ url: `http://localhost:${site.port}/` }))).toBe('ok');
  });
});

describe('TLS and HTTP/2', () => {
  const certificate = makeCertificate();
  const certificateAuthority = certificate.cert;

  it.each([true, false])('fetches over https (HTTP/2: %s), bodies coded and plain', async (http2) => {
    const versions: string[] = [];
    await using server = await TlsServer.open(
      certificate,
      (request, response) => {
        versions.push(request.httpVersion);
        const coded = request.url === '/gzip';
        response.writeHead(200, { 'content-type': 'text/html', ...(coded && { 'content-encoding': 'gzip' }) });
        response.end(coded ? gzipSync('coded') : 'plain');
      },
      { http2 },
    );
    await using fetcher = open({ certificateAuthority });
    expect(bodyText(await fetcher.fetch({ url: `${server.origin}/` }))).toBe('plain');
    const coded = await fetcher.fetch({ url: `${server.origin}/gzip` });
    expect(bodyText(coded)).toBe('coded');
    expect(expectResponse(coded).headers.get('Content-Type')).toBe('text/html');
    expect(versions).toEqual(http2 ? ['2.0', '2.0'] : ['1.1', '1.1']);
  });

  it('reads UTF-8 in HTTP/2 header fields', async () => {
    await using server = await TlsServer.open(certificate, (_request, response) => {
      response.writeHead(302, { location: Buffer.from('/конец').toString('latin1') });
      response.end();
    });
    await using fetcher = open({ certificateAuthority });
    const outcome = await fetcher.fetch({ url: `${server.origin}/` });
    expect(outcome).toMatchObject({ location: { url: `${server.origin}/%D0%BA%D0%BE%D0%BD%D0%B5%D1%86` } });
  });

  it('never takes a reset HTTP/2 stream for a whole page, and goes on', async () => {
    await using server = await TlsServer.open(certificate, (request, response) => {
      if (request.url === '/ok') {
        response.end('ok');
        return;
      }
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': 100 });
      response.write('half a page');
      setTimeout(() => response.stream.close(Number(request.url.slice(1))), 20);
    });
    await using fetcher = open({ certificateAuthority, requestTimeoutMs: 2_000 });
    // NO_ERROR, INTERNAL_ERROR, REFUSED_STREAM, CANCEL
    for (const code of [0, 2, 7, 8]) {
      const outcome = await fetcher.fetch({ url: `${server.origin}/${code}` });
      expect(outcome, String(code)).toMatchObject({ type: 'failed', reason: 'unreachable', code: 'truncated' });
      expect(bodyText(await fetcher.fetch({ url: `${server.origin}/ok` }))).toBe('ok');
    }
  });

  it('takes a connection that is lost in the middle of an HTTP/2 page for a failure', async () => {
    await using server = await TlsServer.open(certificate, (request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.write('half a page');
      setTimeout(() => {
        if (request.url === '/session') response.stream.session?.destroy();
        else server.dropConnections();
      }, 20);
    });
    await using fetcher = open({ certificateAuthority });
    for (const path of ['/session', '/socket', '/session']) {
      const outcome = await fetcher.fetch({ url: server.origin + path });
      expect(outcome).toMatchObject({ type: 'failed', reason: 'unreachable' });
      // Which one it is depends on whether the end of the connection or a reset comes first.
      expect(['truncated', 'ECONNRESET']).toContain((outcome as FailedOutcome).code);
    }
  });

  it('limits time, size and unwanted bodies in HTTP/2 too', async () => {
    await using server = await TlsServer.open(certificate, (request, response) => {
      if (request.url === '/silent') return;
      response.writeHead(request.url === '/404' ? 404 : 200, { 'content-type': 'text/html' });
      const timer = setInterval(() => response.write(Buffer.alloc(100_000)), 5);
      response.on('close', () => clearInterval(timer));
    });
    await using fetcher = open({ certificateAuthority, requestTimeoutMs: 1_500 });
    expect(await fetcher.fetch({ url: `${server.origin}/silent` })).toMatchObject({ reason: 'timeout' });
    expect(await fetcher.fetch({ url: `${server.origin}/` })).toMatchObject({ type: 'refused', reason: 'size' });
    const unwanted = await fetcher.fetch({ url: `${server.origin}/404`, wantsBody: () => false });
    expect(unwanted).toMatchObject({ type: 'response', status: 404 });
  });

  it('names the fault of a certificate', async () => {
    await using selfSigned = await TlsServer.open(certificate, (_request, response) => void response.end('x'));
    const other = makeCertificate({ name: 'other.example' });
    await using wrongName = await TlsServer.open(other, (_request, response) => void response.end('x'));
    await using strict = open();
    expect(await strict.fetch({ url: `${selfSigned.origin}/` })).toMatchObject({
      type: 'failed',
      reason: 'unreachable',
      code: 'tls:DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    await using trusting = open({ certificateAuthority: other.cert });
    expect(await trusting.fetch({ url: `${wrongName.origin}/` })).toMatchObject({
      code: 'tls:ERR_TLS_CERT_ALTNAME_INVALID',
    });
    await using plain = await SiteServer.open({ '/': 'x' });
    expect(await strict.fetch({ url: `https://localhost:${plain.port}/` })).toMatchObject({
      code: expect.stringMatching(/^tls:/) as string,
    });
  });
});

describe('proxies', () => {
  afterEach(() => {
    delete process.env['http_proxy'];
    delete process.env['no_proxy'];
  });

  it('asks the proxy that the environment names, but never for hosts on this machine', async () => {
    await using site = await SiteServer.open({ '/': 'direct' });
    const asked: string[] = [];
    const proxy = createServer();
    proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
      asked.push(request.url ?? '');
      const upstream = connect(site.port, '127.0.0.1');
      upstream.on('error', () => socket.destroy());
      socket.on('error', () => upstream.destroy());
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    process.env['http_proxy'] = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    process.env['no_proxy'] = 'direct.invalid';
    const fetcher = open({ allowPrivate: () => true });
    expect(bodyText(await fetcher.fetch({ url: 'http://far.invalid/' }))).toBe('direct');
    expect(bodyText(await fetcher.fetch({ url: `${site.origin}/` }))).toBe('direct');
    expect(await fetcher.fetch({ url: 'http://direct.invalid/' })).toMatchObject({ code: 'ENOTFOUND' });
    expect(asked).toEqual(['far.invalid:80']);
    await fetcher.close();
    proxy.closeAllConnections();
    proxy.close();
  });
});

describe('hostile bytes', () => {
  const TYPES = new Set(['response', 'redirect', 'refused', 'failed']);

  it('turns random bytes into an outcome, whatever they are', async () => {
    let answer = Buffer.alloc(0);
    await using raw = await RawServer.open((socket) => void socket.end(answer));
    await using fetcher = open({ requestTimeoutMs: 1_000 });
    const line = fc.constantFrom(
      'HTTP/1.1 200 OK',
      'HTTP/1.1 302 Found',
      'HTTP/1.0 200',
      'HTTP/1.1 101 X',
      'HTTP/1.1 100 C',
      'HTTP/2 200',
      '',
    );
    const field = fc.oneof(
      fc.constantFrom(
        'Content-Length: 5',
        'Content-Length: -1',
        'Transfer-Encoding: chunked',
        'Content-Encoding: gzip',
        'Content-Encoding: br',
        'Content-Encoding: deflate',
        'Location: http://[',
        'Location: //',
        'Connection: upgrade',
        'Upgrade: h2c',
        'Content-Type: text/html',
      ),
      fc.string({ maxLength: 40, unit: 'binary' }),
    );
    const structured = fc
      .tuple(line, fc.array(field, { maxLength: 5 }), fc.uint8Array({ maxLength: 300 }))
      .map(([first, fields, body]) => Buffer.concat([Buffer.from(`${[first, ...fields].join('\r\n')}\r\n\r\n`), body]));
    const random = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes));
    await fc.assert(
      fc.asyncProperty(fc.oneof(structured, random), async (bytes) => {
        answer = bytes;
        const outcome = await fetcher.fetch({ url: `${raw.origin}/` });
        expect(TYPES.has(outcome.type)).toBe(true);
        if (outcome.type === 'failed') expect(outcome.code).not.toBe('unknown');
      }),
      { numRuns: 400 },
    );
  });
});
