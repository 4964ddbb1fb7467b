/**
 * Vitest setup: no test reaches beyond this machine. A socket to another address fails with ETESTNET, and names other than
 * localhost do not resolve (ENOTFOUND), without a query on the network.
 */
import dns, { type LookupAddress, type LookupOptions } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net, { type LookupFunction } from 'node:net';

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');
}

function resolve(hostname: string, options: LookupOptions): LookupAddress[] | undefined {
  const { family } = options;
  const wanted = family === 4 || family === 'IPv4' ? 4 : family === 6 || family === 'IPv6' ? 6 : 0;
  const bare = hostname.toLowerCase();
  let found: LookupAddress[] = [];
  if (bare === 'localhost' || bare.endsWith('.localhost')) found = [{ address: '127.0.0.1', family: 4 }];
  else if (net.isIP(bare) !== 0) found = [{ address: bare, family: net.isIP(bare) }];
  found = found.filter((entry) => wanted === 0 || entry.family === wanted);
  return found.length === 0 ? undefined : found;
}

function notFound(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), {
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
    hostname,
  });
}

function normalize(options: unknown): LookupOptions {
  if (typeof options === 'number') return { family: options };
  return typeof options === 'object' && options !== null ? options : {};
}

function lookup(hostname: string, options: unknown, callback?: LookupCallback): void {
  const done = (typeof options === 'function' ? options : callback) as LookupCallback;
  const settings = normalize(options);
  const found = resolve(hostname, settings);
  const [first] = found ?? [];
  setImmediate(() => {
    if (found === undefined || first === undefined) done(notFound(hostname), '', 0);
    else if (settings.all === true) done(null, found);
    else done(null, first.address, first.family);
  });
}

async function lookupAsync(hostname: string, options?: unknown): Promise<LookupAddress | LookupAddress[]> {
  const settings = normalize(options);
  const found = resolve(hostname, settings);
  const [first] = found ?? [];
  if (found === undefined || first === undefined) throw notFound(hostname);
  return settings.all === true ? found : first;
}

dns.lookup = lookup as typeof dns.lookup;
dns.promises.lookup = lookupAsync as typeof dns.promises.lookup;
syncBuiltinESMExports();

/** A lookup given with a socket may not lead elsewhere either. */
function guardLookup(inner: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    inner(hostname, options, (error, address, family) => {
      const addresses = typeof address === 'string' ? [address] : address.map((entry) => entry.address);
      if (error === null && !addresses.every(isLoopback)) callback(outside(addresses.join(' ')), '', 0);
      else callback(error, address, family);
    });
  };
}

function outside(target: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`a test tried to connect to ${target}`), { code: 'ETESTNET' });
}

interface ConnectTarget {
  readonly host?: string;
  readonly path?: string | null;
  lookup?: LookupFunction;
}

// oxlint-disable-next-line typescript/unbound-method -- called with its socket below
const connect = net.Socket.prototype.connect as (this: net.Socket, ...args: unknown[]) => net.Socket;

net.Socket.prototype.connect = function connectOnLoopback(this: net.Socket, ...args: unknown[]): net.Socket {
  // net.connect passes its normalized arguments as one array.
  const [first, second] = (Array.isArray(args[0]) ? args[0] : args) as unknown[];
  const target: ConnectTarget =
    typeof first === 'object' && first !== null ? first : { ...(typeof second === 'string' && { host: second }) };
  const isPipe = typeof target.path === 'string' || (typeof first === 'string' && Number.isNaN(Number(first)));
  if (!isPipe && target.host !== undefined && net.isIP(target.host) !== 0 && !isLoopback(target.host)) {
    process.nextTick(() => this.destroy(outside(String(target.host))));
    return this;
  }
  if (target.lookup !== undefined) target.lookup = guardLookup(target.lookup);
  return connect.apply(this, args);
};
