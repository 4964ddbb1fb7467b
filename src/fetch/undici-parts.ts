import { createRequire } from 'node:module';
import type { Agent as AgentType, buildConnector as buildConnectorType, EnvHttpProxyAgent as ProxyType } from 'undici';

/**
 * The parts of undici the crawl needs, loaded one by one: the whole package (fetch, WebSocket, mocks, caches) takes a third of the
 * time in which the program starts. The paths are those of undici 7; the lock file holds the version, and every test of `fetch` uses them.
 */
const require = createRequire(import.meta.url);

export const Agent = require('undici/lib/dispatcher/agent.js') as typeof AgentType;
export const buildConnector = require('undici/lib/core/connect.js') as typeof buildConnectorType;

/** Only where the environment names a proxy; it needs the whole package (`connect` on its clients). */
export function loadEnvHttpProxyAgent(): typeof ProxyType {
  return (require('undici') as { EnvHttpProxyAgent: typeof ProxyType }).EnvHttpProxyAgent;
}
