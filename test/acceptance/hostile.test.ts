import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openHostileServer, type HostileServer } from '../support/hostile.ts';
import { readResults } from '../support/read-results.ts';
import { ensureBuilt, runCli, temporaryFolder, type CliResult } from '../support/run-cli.ts';
import { checkOf, Evidence, type HostileCase, type LoggedRequest } from './hostile-cases.ts';

const MAX_PEAK_BYTES = 300 * 2 ** 20;
const GROUPS = ['body', 'head', 'redir', 'trap', 'charset', 'href', 'mk', 'rate', 'names', 'res', 'js'];
const LIMITS = ['--request-timeout', '3', '--max-pages', '300', '--timeout', '120', '--concurrency', '8'];

let server: HostileServer;
let cases: readonly HostileCase[];

beforeAll(async () => {
  await ensureBuilt();
  server = await openHostileServer(['--all-robots', '--ua', 'orbweaver']);
  const answer = await fetch(`${server.origin}/__expect`);
  ({ cases } = (await answer.json()) as { cases: HostileCase[] });
}, 180_000);

afterAll(async () => {
  await server.close();
});

async function readLog(): Promise<LoggedRequest[]> {
  const answer = await fetch(`${server.origin}/__log`);
  return ((await answer.json()) as { requests: LoggedRequest[] }).requests;
}

async function crawl(
  args: readonly string[],
): Promise<{ run: CliResult; readFiles: () => ReturnType<typeof readResults>; dispose: () => void }> {
  const folder = temporaryFolder();
  const run = await runCli(['crawl', ...args, '--data', folder.path, '--quiet'], { killAfterMs: 170_000 });
  return { run, readFiles: () => readResults(path.join(folder.path, 'graphs')), dispose: () => folder.dispose() };
}

describe('the hostile site', () => {
  test('has a check for each of its cases', () => {
    expect(cases.length).toBe(220);
    expect(cases.filter((hostile) => checkOf(hostile) === undefined).map((hostile) => hostile.path)).toEqual([]);
  });

  for (const group of GROUPS) {
    test(
      `group ${group}: the crawl ends, in bounded memory, and each case as it should`,
      { timeout: 180_000 },
      async () => {
        await fetch(`${server.origin}/__reset`);
        const { run, readFiles, dispose } = await crawl([`${server.origin}/g/${group}/`, ...LIMITS]);
        try {
          expect([0, 3], run.stderr).toContain(run.exitCode);
          expect(run.peakBytes).toBeLessThanOrEqual(MAX_PEAK_BYTES);
          const log = await readLog();
          expect(log.filter(({ host }) => !host.startsWith('127.0.0.1:'))).toEqual([]);
          const evidence = new Evidence(readFiles(), log, server.origin);
          const faults: string[] = [];
          for (const hostile of cases.filter((item) => item.group === group)) {
            try {
              checkOf(hostile)?.(evidence, hostile);
            } catch (error) {
              const { end, status } = evidence.endOf(hostile.path);
              faults.push(`${hostile.path} (${end} ${status}): ${(error as Error).message}`);
            }
          }
          expect(faults).toEqual([]);
        } finally {
          dispose();
        }
      },
    );
  }

  test('300 cookies of a kilobyte each are no burden for later requests', { timeout: 60_000 }, async () => {
    await fetch(`${server.origin}/__reset`);
    const { run, dispose } = await crawl([`${server.origin}/head/cookie-bomb`, ...LIMITS]);
    dispose();
    // A head of 300 KB may be refused.
    expect([0, 4]).toContain(run.exitCode);
    for (const { cookie = '' } of await readLog()) expect(cookie.length).toBeLessThan(16_384);
  });
});

type RobotsEnd = 'obeyed' | 'allowed' | 'denied' | 'any';

/** What the rules of each mode come to: `/blocked/` kept out, everything allowed, or nothing fetched at all. */
const ROBOTS: Readonly<Record<string, RobotsEnd>> = {
  ok: 'any',
  404: 'allowed',
  403: 'allowed',
  429: 'any',
  500: 'denied',
  redirect: 'obeyed',
  loop: 'allowed',
  'other-host': 'obeyed',
  huge: 'obeyed',
  bom: 'obeyed',
  crlf: 'obeyed',
  utf16: 'any',
  html: 'allowed',
  empty: 'allowed',
  gzip: 'obeyed',
  slow: 'obeyed',
  silent: 'denied',
  reset: 'denied',
  all: 'denied',
  own: 'obeyed',
  delay: 'obeyed',
  binary: 'allowed',
};

describe('robots.txt of the hostile site', () => {
  test('each mode has its expectation here', () => {
    expect(Object.keys(server.robots).toSorted()).toEqual(Object.keys(ROBOTS).toSorted());
  });

  test.concurrent.each(Object.entries(ROBOTS))('mode %s: %s', { timeout: 180_000 }, async (mode, end) => {
    // The root page links to all groups, too: only what tells the modes apart is wanted.
    const args = [
      '--include',
      '^http://[^/]+/(blocked/x|rate/leaf)?$',
      '--user-agent',
      'orbweaver/1.0',
      '--timeout',
      '120',
    ];
    const requestTimeout = mode === 'slow' ? '10' : '3';
    const { run, dispose } = await crawl([`${server.robots[mode]}/`, ...args, '--request-timeout', requestTimeout]);
    dispose();
    const log = (await readLog()).filter((request) => request.mode === mode);
    const saw = (target: string): boolean => log.some(({ url }) => url === target);
    if (end === 'denied') {
      expect(run.exitCode).toBe(4);
      expect(saw('/')).toBe(false);
      expect(saw('/rate/leaf')).toBe(false);
    } else if (end === 'allowed') {
      expect(run.exitCode).toBe(0);
      expect(saw('/blocked/x')).toBe(true);
      expect(saw('/rate/leaf')).toBe(true);
    } else if (end === 'obeyed') {
      expect(run.exitCode).toBe(0);
      expect(saw('/blocked/x')).toBe(false);
      expect(saw('/rate/leaf')).toBe(true);
    } else {
      expect([0, 4]).toContain(run.exitCode);
    }
    if (mode === 'delay') {
      const times = log.map(({ t }) => t);
      const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
      // After robots.txt itself the delay is known.
      expect(Math.min(...gaps.slice(1))).toBeGreaterThanOrEqual(950);
    }
  });
});
