import { describe, expect, test } from 'vitest';
import { ROBOTS_POLICIES } from '../../src/crawl/robots-policies/index.ts';
import { RobotsGate } from '../../src/crawl/robots-gate.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { FetchFunction } from '../../src/fetch/outcome.ts';

const { signal } = new AbortController();

function gateOf(body: string, status = 200): { readonly gate: RobotsGate; readonly asked: string[] } {
  const asked: string[] = [];
  const fetch: FetchFunction = ({ url }) => {
    asked.push(url);
    const headers = { get: () => undefined, getAll: () => [] };
    return Promise.resolve({ type: 'response', status, headers, body: Buffer.from(body) });
  };
  const gate = new RobotsGate({ fetch, productToken: 'Orbweaver', clock: systemClock, onCrawlDelay: () => undefined });
  return { gate, asked };
}

describe.each(Object.entries(ROBOTS_POLICIES))('the robots policy "%s"', (name, policy) => {
  test('has the name it is registered under', () => {
    expect(policy.name).toBe(name);
  });

  test('allows what robots.txt allows', async () => {
    const { gate } = gateOf('User-agent: *\nDisallow: /private/');
    expect(await policy.check(gate, 'http://example.com/a', signal)).toEqual({ allowed: true });
  });

  test('asks for robots.txt once for many URLs of an origin', async () => {
    const { gate, asked } = gateOf('User-agent: *\nDisallow: /private/');
    const urls = ['a', 'b', 'private/c'].map((part) => `http://example.com/${part}`);
    await Promise.all(urls.map(async (url) => policy.check(gate, url, signal)));
    for (const url of urls) await policy.check(gate, url, signal);
    expect(asked).toEqual(name === 'ignore' ? [] : ['http://example.com/robots.txt']);
  });

  test('refuses what robots.txt forbids, unless it ignores it', async () => {
    const { gate } = gateOf('User-agent: *\nDisallow: /private/');
    const verdict = await policy.check(gate, 'http://example.com/private/x', signal);
    expect(verdict.allowed).toBe(name === 'ignore');
    if (!verdict.allowed) expect(verdict).toHaveProperty('rule', expect.stringContaining('/private/'));
  });

  test('refuses everything while robots.txt cannot be had, unless it ignores it', async () => {
    const { gate } = gateOf('', 503);
    const verdict = await policy.check(gate, 'http://example.com/', signal);
    expect(verdict.allowed).toBe(name === 'ignore');
    if (!verdict.allowed) expect(verdict).toHaveProperty('unreachable.status', 503);
  });
});
