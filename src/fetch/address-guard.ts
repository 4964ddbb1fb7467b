import dns, { type LookupAddress } from 'node:dns';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';

/** `code` of the error a guarded lookup gives for a host without a public address. */
export const ADDRESS_REFUSED = 'ORB_ADDRESS_REFUSED';

/** IANA special-purpose registries (RFC 6890 and successors): nothing here is a web site anybody can reach. */
const IPV4: readonly (readonly [network: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
const IPV6: readonly (readonly [network: string, bits: number])[] = [
  ['::', 127],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

const blocked = new BlockList();
for (const [network, bits] of IPV4) blocked.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of IPV6) blocked.addSubnet(network, bits, 'ipv6');

/**
 * Whether an IP address is private, local, reserved or multicast: loopback, RFC 1918, carrier NAT, link-local (cloud metadata too),
 * unique local, documentation …, also inside IPv6 (mapped, compatible, NAT64, 6to4). Text that is no address counts as private.
 */
export function isPrivateAddress(address: string): boolean {
  const bare = address.replace(/%.*$/s, '');
  if (isIPv4(bare)) return blocked.check(bare, 'ipv4');
  if (isIP(bare) === 0) return true;
  if (blocked.check(bare, 'ipv6')) return true;
  const inner = embeddedIPv4(parseIPv6(bare));
  return inner !== undefined && blocked.check(inner, 'ipv4');
}

/** The address of a URL host that is a literal one (`127.0.0.1`, `[::1]`), undefined for names. */
export function literalAddress(hostname: string): string | undefined {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  // The URL standard makes dotted decimals of all IPv4 spellings, so a last digit is a sure sign.
  return /\d$/.test(hostname) && isIPv4(hostname) ? hostname : undefined;
}

type Resolve = (
  hostname: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * A `lookup` for sockets that hides private addresses. It runs for every connection and its answer is what the socket uses, so a name
 * that first resolves to a public address and then to a private one (DNS rebinding) gains nothing.
 */
export function guardedLookup(
  isPrivateAllowed: () => boolean,
  resolve: Resolve = (hostname, options, callback) => dns.lookup(hostname, options, callback),
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, '', 0);
        return;
      }
      const usable = isPrivateAllowed() ? addresses : addresses.filter(({ address }) => !isPrivateAddress(address));
      const [first] = usable;
      if (first === undefined) callback(refusal(hostname, addresses), '', 0);
      else if (options.all === true) callback(null, usable);
      else callback(null, first.address, first.family);
    });
  };
}

function refusal(hostname: string, addresses: readonly LookupAddress[]): NodeJS.ErrnoException {
  const what = addresses[0]?.address ?? 'no address';
  return Object.assign(new Error(`${hostname} resolves to ${what}, which is private`), { code: ADDRESS_REFUSED });
}

/** Eight groups of a valid IPv6 address. */
function parseIPv6(address: string): readonly number[] {
  // The URL parser writes a dotted tail as two groups.
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail = ''] = canonical.split('::');
  const before = parseGroups(head);
  const after = parseGroups(tail);
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

function parseGroups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

/** IPv4-mapped and -compatible (RFC 4291 §2.5.5), NAT64 (RFC 6052), 6to4 (RFC 3056). */
function embeddedIPv4(groups: readonly number[]): string | undefined {
  const [a, b, c] = groups;
  if (a === 0x2002) return toDotted(b, c);
  const isNat64 = a === 0x64 && b === 0xff9b && groups.slice(2, 6).every((group) => group === 0);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && (groups[5] === 0 || groups[5] === 0xffff);
  return isNat64 || isMapped ? toDotted(groups[6], groups[7]) : undefined;
}

function toDotted(high = 0, low = 0): string {
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}
