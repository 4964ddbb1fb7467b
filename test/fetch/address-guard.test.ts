import dns from 'node:dns';
import { connect, type LookupFunction, type NetConnectOpts } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ADDRESS_REFUSED, guardedLookup, isPrivateAddress, literalAddress } from '../../src/fetch/address-guard.ts';

const answer = (...addresses: string[]) =>
  guardedLookup(
    () => false,
    (_hostname, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
  );
const ask = (lookup: ReturnType<typeof answer>, all: boolean) =>
  new Promise<{ code: string | undefined; address: unknown }>((resolve) => {
    lookup('example.com', { all }, (error, address) => resolve({ code: error?.code, address }));
  });

const errorOf = (options: NetConnectOpts) =>
  new Promise<string | undefined>((resolve) => {
    const socket = connect(options);
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    socket.on('connect', () => resolve('connected'));
  });

const lookupOutside: LookupFunction = (_hostname, _options, callback) => callback(null, '192.0.2.1', 4);

describe('isPrivateAddress', () => {
  it.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.1.2.3',
    '::10.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2002:a00:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
  ])('holds for %s', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001::1',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '2002:808:808::1',
  ])('does not hold for %s', (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });

  it('holds for text that is no address', () => {
    for (const text of ['', 'localhost', '1.2.3', '1.2.3.4.5', 'x::1']) expect(isPrivateAddress(text)).toBe(true);
  });

  it('says the same of an IPv4 address and of its forms in IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
        const isPrivate = isPrivateAddress(address);
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        expect(isPrivateAddress(`::ffff:${address}`)).toBe(isPrivate);
        expect(isPrivateAddress(`::ffff:${hex}`)).toBe(isPrivate);
        expect(isPrivateAddress(`64:ff9b::${hex}`)).toBe(isPrivate);
        expect(isPrivateAddress(`2002:${hex}::1`)).toBe(isPrivate);
      }),
    );
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.oneof(fc.ipV6(), fc.string()), (text) => typeof isPrivateAddress(text) === 'boolean'));
  });
});

describe('literalAddress', () => {
  it('reads the address in a host, and none in a name', () => {
    expect(literalAddress(new URL('http://0x7f.1/').hostname)).toBe('127.0.0.1');
    expect(literalAddress(new URL('http://[::1]/').hostname)).toBe('::1');
    expect(literalAddress('example.com')).toBeUndefined();
    expect(literalAddress('web1')).toBeUndefined();
  });
});

describe('guardedLookup', () => {
  it('hides the private addresses of a name that has both kinds', async () => {
    expect(await ask(answer('10.0.0.1', '8.8.8.8'), false)).toEqual({ code: undefined, address: '8.8.8.8' });
    const { address } = await ask(answer('10.0.0.1', '8.8.8.8', '::1'), true);
    expect(address).toEqual([{ address: '8.8.8.8', family: 4 }]);
  });

  it('refuses a name that has private addresses only, or none', async () => {
    expect((await ask(answer('10.0.0.1', '::1'), true)).code).toBe(ADDRESS_REFUSED);
    expect((await ask(answer(), false)).code).toBe(ADDRESS_REFUSED);
  });

  it('judges every answer anew, so that rebinding gains nothing', async () => {
    const answers = ['8.8.8.8', '127.0.0.1'];
    const lookup = guardedLookup(
      () => false,
      (_hostname, _options, callback) => callback(null, [{ address: answers.shift() ?? '', family: 4 }]),
    );
    expect((await ask(lookup, false)).address).toBe('8.8.8.8');
    expect((await ask(lookup, false)).code).toBe(ADDRESS_REFUSED);
  });

  it('passes errors of the resolver on', async () => {
    const failing = guardedLookup(
      () => true,
      (_hostname, _options, callback) => callback(Object.assign(new Error('x'), { code: 'EAI_AGAIN' }), []),
    );
    expect((await ask(failing, true)).code).toBe('EAI_AGAIN');
  });
});

describe('the tests themselves', () => {
  it('cannot reach beyond this machine', async () => {
    expect(await errorOf({ port: 80, host: '192.0.2.1' })).toBe('ETESTNET');
    expect(await errorOf({ port: 80, host: '2001:db8::1' })).toBe('ETESTNET');
    expect(await errorOf({ port: 80, host: 'example.com' })).toBe('ENOTFOUND');
    expect(await errorOf({ port: 80, host: 'example.com', lookup: lookupOutside })).toBe('ETESTNET');
    await expect(dns.promises.lookup('example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(await dns.promises.lookup('a.localhost')).toEqual({ address: '127.0.0.1', family: 4 });
  });
});
