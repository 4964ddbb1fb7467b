import { env } from 'node:process';
import type { Agent as AgentType, buildConnector as buildConnectorType, Dispatcher } from 'undici';
import { guardedLookup } from './address-guard.ts';
import { Agent, buildConnector, loadEnvHttpProxyAgent } from './undici-parts.ts';

export interface ConnectionOptions {
  readonly connectionsPerOrigin: number;
  readonly connectTimeoutMs: number;
  readonly isPrivateAllowed: () => boolean;
  /** Certificates to trust besides the usual ones are given as PEM; undefined: the usual ones only. */
  readonly certificateAuthority: string | undefined;
  /** An origin answered in HTTP/2. */
  readonly onHttp2: (origin: string) => void;
}

/** A header section beyond this is an attack or a fault; the usual limit of Node is a quarter of it. */
const MAX_HEADER_BYTES = 64 * 1024;
/** An idle connection is closed by us before most servers do it (nginx 75 s, Apache 5 s, Node 5 s). */
const KEEP_ALIVE_MS = 4_500;

const PROXY_VARIABLES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'] as const;

/** Opens the connections: direct, or through the proxies that the environment names. */
export interface Connections {
  /** The dispatcher for a host. Hosts on this machine are never asked through a proxy. */
  readonly dispatcherFor: (hostname: string) => Dispatcher;
  readonly destroy: () => Promise<void>;
}

export function openConnections(options: ConnectionOptions): Connections {
  const ca = options.certificateAuthority;
  const connector = buildConnector({
    allowH2: true,
    timeout: options.connectTimeoutMs,
    lookup: guardedLookup(options.isPrivateAllowed),
    ...(ca !== undefined && { ca }),
  });
  const connect: buildConnectorType.connector = (target, callback) =>
    connector(target, (...result) => {
      const [error, socket] = result;
      if (error === null && 'alpnProtocol' in socket && socket.alpnProtocol === 'h2') {
        options.onHttp2(`${target.protocol}//${target.host ?? target.hostname}`);
      }
      callback(...result);
    });
  const agentOptions: AgentType.Options = {
    connections: options.connectionsPerOrigin,
    pipelining: 1,
    allowH2: true,
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // The total limit of an exchange covers both, for the price of one timer for all exchanges.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect,
  };
  const direct = new Agent(agentOptions);
  const proxied = PROXY_VARIABLES.some((name) => (env[name] ?? '') !== '')
    ? new (loadEnvHttpProxyAgent())({ ...agentOptions, ...(ca !== undefined && { requestTls: { ca } }) })
    : undefined;
  return {
    dispatcherFor: (hostname) => (proxied === undefined || isThisMachine(hostname) ? direct : proxied),
    destroy: async () => {
      await Promise.all([direct.destroy(), proxied?.destroy()]);
    },
  };
}

function isThisMachine(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.[\d.]+$/.test(hostname)
  );
}
