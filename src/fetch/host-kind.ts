import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPrivateAddress } from './address-guard.ts';

/** Where a host stands: it decides the default politeness, and whether private addresses may be asked. */
export type HostKind = 'loopback' | 'private' | 'public' | 'unknown';

/** Kind of a host by its name or address; `unknown` when the name does not resolve. Never throws. */
export async function hostKindOf(hostname: string): Promise<HostKind> {
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (bare === 'localhost' || bare.endsWith('.localhost')) return 'loopback';
  if (isIP(bare) !== 0) return kindOfAddress(bare);
  try {
    return kindOfAddress((await lookup(bare)).address);
  } catch {
    return 'unknown';
  }
}

function kindOfAddress(address: string): HostKind {
  if (address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.')) return 'loopback';
  return isPrivateAddress(address) ? 'private' : 'public';
}
