import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CookieJar, parseCookieFile, type GivenCookie } from '../../src/fetch/cookie-jar.ts';

const NOW = Date.UTC(2026, 0, 1);

function jarWith(url: string, ...setCookies: string[]): CookieJar {
  const jar = new CookieJar([], () => NOW);
  jar.store(url, setCookies);
  return jar;
}

describe('what a site sets', () => {
  it('comes back to the same host and path', () => {
    const jar = jarWith('http://example.com/a/b', 'x=1');
    expect(jar.headerFor('http://example.com/a/c')).toBe('x=1');
    expect(jar.headerFor('http://example.com/a')).toBe('x=1');
    expect(jar.headerFor('http://example.com/b')).toBeUndefined();
    expect(jar.headerFor('http://example.com/ab')).toBeUndefined();
    expect(jar.headerFor('http://www.example.com/a/c')).toBeUndefined();
  });

  it.each([
    ['x=1; Path=/', '/anything', 'x=1'],
    ['x=1; Path=/foo', '/foo', 'x=1'],
    ['x=1; Path=/foo', '/foo/bar', 'x=1'],
    ['x=1; Path=/foo', '/foobar', undefined],
    ['x=1; Path=foo', '/', 'x=1'],
    ['x=1; PATH=/; path=/foo', '/', undefined],
    ['x', '/', 'x'],
    ['=1', '/', '1'],
    ['x=', '/', 'x='],
    [' x = a b ; Path=/', '/', 'x=a b'],
    ['x="q;r"', '/', 'x="q'],
    ['a=b=c', '/', 'a=b=c'],
    ['', '/', undefined],
    ['=', '/', undefined],
    [';Path=/', '/', undefined],
    ['x=a\u0001b', '/', undefined],
    ['x=a\r\nSet-Cookie: y=1', '/', undefined],
    [`x=${'v'.repeat(5_000)}`, '/', undefined],
    ['x=1; Max-Age=0', '/', undefined],
    ['x=1; Max-Age=-5', '/', undefined],
    ['x=1; Max-Age=60', '/', 'x=1'],
    ['x=1; Max-Age=rubbish', '/', 'x=1'],
    ['x=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT', '/', undefined],
    ['x=1; Expires=Wed, 31-Dec-25 23:59:59 GMT', '/', undefined],
    ['x=1; Expires=Fri Jan  1 00:00:01 2027', '/', 'x=1'],
    ['x=1; Expires=rubbish', '/', 'x=1'],
    ['x=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=60', '/', 'x=1'],
    ['x=1; Secure', '/', undefined],
    ['__Secure-x=1', '/', undefined],
    ['__Host-x=1; Path=/', '/', undefined],
    ['x=1; HttpOnly; SameSite=Strict; Unknown=2', '/', 'x=1'],
  ])('reads "%s" for %s', (setCookie, path, expected) => {
    expect(jarWith('http://example.com/', setCookie).headerFor(`http://example.com${path}`)).toBe(expected);
  });

  it.each([
    ['example.com', 'http://www.example.com/', 'http://example.com/', true],
    ['.example.com', 'http://www.example.com/', 'http://a.b.example.com/', true],
    ['EXAMPLE.com', 'http://example.com/', 'http://www.example.com/', true],
    ['www.example.com', 'http://example.com/', 'http://www.example.com/', false],
    ['ample.com', 'http://example.com/', 'http://example.com/', false],
    ['example.org', 'http://example.com/', 'http://example.org/', false],
    ['com', 'http://example.com/', 'http://other.com/', false],
    ['0.0.1', 'http://127.0.0.1/', 'http://127.0.0.1/', false],
    ['127.0.0.1', 'http://127.0.0.1/', 'http://127.0.0.1/', true],
  ])('with Domain=%s set by %s is sent to %s: %s', (domain, from, to, isSent) => {
    expect(jarWith(from, `x=1; Domain=${domain}`).headerFor(to)).toBe(isSent ? 'x=1' : undefined);
  });

  it('sends secure cookies over https only', () => {
    const jar = jarWith('https://example.com/', 'x=1; Secure', '__Secure-y=2; Secure', '__Host-z=3; Secure; Path=/');
    expect(jar.headerFor('https://example.com/')).toBe('x=1; __Secure-y=2; __Host-z=3');
    expect(jar.headerFor('http://example.com/')).toBeUndefined();
  });

  it('puts longer paths first and keeps the order of setting else', () => {
    const jar = jarWith('http://example.com/a/b', 'r=1; Path=/', 's=2; Path=/', 'deep=3; Path=/a/b', 'mid=4; Path=/a');
    expect(jar.headerFor('http://example.com/a/b')).toBe('deep=3; mid=4; r=1; s=2');
  });

  it('replaces a cookie of the same name, domain and path, and deletes it on request', () => {
    const jar = jarWith('http://example.com/', 'x=1', 'x=2');
    expect(jar.headerFor('http://example.com/')).toBe('x=2');
    jar.store('http://example.com/', ['x=gone; Max-Age=0']);
    expect(jar.headerFor('http://example.com/')).toBeUndefined();
  });

  it('changes its version with every change and with nothing else', () => {
    const jar = new CookieJar([], () => NOW);
    expect(jar.version).toBe(0);
    jar.store('http://example.com/', ['x=1']);
    const first = jar.version;
    expect(first).toBeGreaterThan(0);
    jar.store('http://example.com/', ['x=1', 'gone=1; Max-Age=0', 'y=1; Domain=example.org', 'bad=1; Secure']);
    jar.headerFor('http://example.com/');
    expect(jar.version).toBe(first);
    jar.store('http://example.com/', ['x=2']);
    expect(jar.version).toBeGreaterThan(first);
    const second = jar.version;
    jar.store('http://example.com/', ['x=2; Max-Age=0']);
    expect(jar.version).toBeGreaterThan(second);
  });

  it('is bounded in number and in the length of the field', () => {
    const jar = jarWith('http://example.com/', ...Array.from({ length: 500 }, (_, i) => `c${i}=${'v'.repeat(500)}`));
    const header = jar.headerFor('http://example.com/') ?? '';
    expect(header.length).toBeLessThanOrEqual(8 * 1024);
    expect(header.split('; ').length).toBeLessThanOrEqual(50);
    expect(header.startsWith('c0=')).toBe(true);
  });

  it('never throws and never makes a field that could be split, whatever is set', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 60 })), (setCookies) => {
        const header = jarWith('https://www.example.com/a', ...setCookies).headerFor('https://www.example.com/a') ?? '';
        // oxlint-disable-next-line no-control-regex -- what must not be in it
        expect(header).not.toMatch(/[\r\n\0]/);
      }),
    );
  });
});

describe('what the user gives', () => {
  const given: GivenCookie = {
    domain: 'example.com',
    includeSubdomains: false,
    path: '/',
    secure: false,
    expires: 0,
    name: 'sid',
    value: 'abc',
  };

  it('goes to the host it was given for and to no other', () => {
    const jar = new CookieJar([given, { ...given, name: 'sub', includeSubdomains: true }], () => NOW);
    expect(jar.headerFor('http://example.com/')).toBe('sid=abc; sub=abc');
    expect(jar.headerFor('http://www.example.com/')).toBe('sub=abc');
    expect(jar.headerFor('http://badexample.com/')).toBeUndefined();
    expect(jar.version).toBe(0);
  });

  it('respects path, secure and expiry, and can be replaced by the site', () => {
    const cookies = [
      { ...given, name: 'p', path: '/p' },
      { ...given, name: 's', secure: true },
      { ...given, name: 'e', expires: NOW / 1000 - 1 },
      { ...given, name: 'f', expires: NOW / 1000 + 1 },
      given,
    ];
    const jar = new CookieJar(cookies, () => NOW);
    expect(jar.headerFor('http://example.com/')).toBe('f=abc; sid=abc');
    jar.store('http://example.com/', ['sid=new']);
    expect(jar.headerFor('http://example.com/')).toBe('f=abc; sid=new');
    expect(new CookieJar(cookies, () => NOW).headerFor('http://example.com/')).toBe('f=abc; sid=abc');
  });
});

describe('parseCookieFile', () => {
  it('reads what curl and browser extensions write', () => {
    const text = [
      '# Netscape HTTP Cookie File',
      '',
      '.Example.com\tTRUE\t/\tTRUE\t1999999999\tsid\ta b=c',
      '#HttpOnly_www.example.com\tFALSE\t/x\tfalse\t0\ttoken\t1',
      'bücher.example\tFALSE\t/\tFALSE\t1999999999.5\tempty\t',
      '127.0.0.1\tFALSE\t/\tFALSE\t-1\tnovalue',
    ].join('\r\n');
    expect(parseCookieFile(`\ufeff${text}\r\n`)).toEqual([
      {
        domain: 'example.com',
        includeSubdomains: true,
        path: '/',
        secure: true,
        expires: 1_999_999_999,
        name: 'sid',
        value: 'a b=c',
      },
      {
        domain: 'www.example.com',
        includeSubdomains: false,
        path: '/x',
        secure: false,
        expires: 0,
        name: 'token',
        value: '1',
      },
      {
        domain: 'xn--bcher-kva.example',
        includeSubdomains: false,
        path: '/',
        secure: false,
        expires: 1_999_999_999,
        name: 'empty',
        value: '',
      },
      {
        domain: '127.0.0.1',
        includeSubdomains: false,
        path: '/',
        secure: false,
        expires: 0,
        name: 'novalue',
        value: '',
      },
    ]);
  });

  it.each([
    ['sid=abc', 'fields'],
    ['example.com FALSE / FALSE 0 sid abc', 'fields'],
    ['example.com\tMAYBE\t/\tFALSE\t0\tsid\tabc', 'TRUE'],
    ['example.com\tFALSE\t/\tno\t0\tsid\tabc', 'TRUE'],
    ['example.com\tFALSE\tx\tFALSE\t0\tsid\tabc', 'path'],
    ['example.com\tFALSE\t/\tFALSE\tsoon\tsid\tabc', 'expiry'],
    ['exa mple\tFALSE\t/\tFALSE\t0\tsid\tabc', 'host'],
    ['example.com/x\tFALSE\t/\tFALSE\t0\tsid\tabc', 'host'],
    ['\tFALSE\t/\tFALSE\t0\tsid\tabc', 'host'],
    ['example.com\tFALSE\t/\tFALSE\t0\tsid\ta;b', 'forbidden'],
    ['example.com\tFALSE\t/\tFALSE\t0\t\t', 'neither'],
  ])('names the line of "%s"', (line, what) => {
    let error: unknown;
    try {
      parseCookieFile(`# comment\n${line}\n`);
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({ code: 'INPUT_INVALID', context: { line: 2 } });
    expect((error as Error).message).toContain('line 2');
    expect((error as Error).message).toContain(what);
  });
});
