import { createHash } from 'node:crypto';
import { findUrlParts } from './url-parts.ts';

/** Longest base name of a result file; `.measures.json` and a temporary suffix must still fit into 255 bytes. */
const MAX_NAME_LENGTH = 120;

/** Device names of Windows, whatever follows after a dot. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/;

/**
 * The site an absolute http(s) URL belongs to: its host name with its port, where 80 and 443, written or not, are the same
 * site (design section 2): `example.com`, `127.0.0.1:8101`, `[2001:db8::1]:8080`. Another host name, a subdomain too, is another site.
 * Empty when the URL has no host.
 */
export function siteOf(url: string): string {
  const parts = findUrlParts(url);
  if (parts === undefined) return '';
  const authority = url.slice(parts.authority, parts.path);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (host.endsWith(':80')) return host.slice(0, -3);
  return host.endsWith(':443') ? host.slice(0, -4) : host;
}

/**
 * The site as the base name of files, safe on every system: `example.com`, `127.0.0.1_8101`, `ipv6_2001-db8--1_8080`.
 * Names that had to be changed otherwise or cut carry a hash, so that two sites do not share a file by it.
 */
export function siteFileName(site: string): string {
  const literal = /^\[([^\]]*)\](?::(\d+))?$/.exec(site);
  const plain =
    literal === null
      ? site.replace(/:(?=\d+$)/, '_')
      : `ipv6_${(literal[1] ?? '').replaceAll(':', '-')}${literal[2] === undefined ? '' : `_${literal[2]}`}`;
  let name = plain.toLowerCase().replace(/[^a-z0-9._-]/g, '_');
  if (name === '' || RESERVED.test(name) || /^[.-]/.test(name)) name = `_${name}`;
  // Windows drops a dot at the end.
  name = name.replace(/\.$/, '_');
  if (name.length <= MAX_NAME_LENGTH && /^[A-Za-z0-9._-]*$/.test(plain)) return name;
  const hash = createHash('sha256').update(site).digest('hex').slice(0, 16);
  return `${name.slice(0, MAX_NAME_LENGTH - hash.length - 1)}-${hash}`;
}
