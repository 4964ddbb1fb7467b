import { readdirSync, readFileSync } from 'node:fs';
import type { Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite, serveSite } from '../bench/gen-site.mjs';
import { ensureBuilt, runCli, startCli, temporaryFolder } from '../support/run-cli.ts';

const KILLS = 50;
const PAGES = 600;

let server: Server;
let seed: string;
let undisturbed: Map<string, string>;

/** Result files by name; of the summary only what is promised to be the same (not the times). */
function readFiles(data: string): Map<string, string> {
  const folder = path.join(data, 'graphs');
  return new Map(
    readdirSync(folder)
      .toSorted()
      .map((name) => {
        const text = readFileSync(path.join(folder, name), 'utf8');
        return [
          name,
          name.endsWith('.summary.json') ? text.replaceAll(/^ {2}"(?:startedAt|finishedAt)".*$/gm, '') : text,
        ];
      }),
  );
}

function readEndReason(data: string): string | undefined {
  const summary = [...readFiles(data)].find(([name]) => name.endsWith('.summary.json'))?.[1];
  return /"endReason": "([a-z-]+)"/.exec(summary ?? '')?.[1];
}

const crawlArgs = (data: string, concurrency: number): string[] => [
  'crawl',
  seed,
  '--data',
  data,
  '--concurrency',
  String(concurrency),
  '--format',
  'gephi-csv,gexf,graphml',
  '--quiet',
];

beforeAll(async () => {
  await ensureBuilt();
  server = await serveSite(createSite({ pages: PAGES, minKb: 8, maxKb: 12 }), { delayMs: 5 });
  seed = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const folder = temporaryFolder();
  const { exitCode } = await runCli(crawlArgs(folder.path, 16));
  expect(exitCode).toBe(0);
  undisturbed = readFiles(folder.path);
  expect(undisturbed.size).toBe(6);
  folder.dispose();
}, 120_000);

afterAll(() => {
  server.close();
});

test.each([1, 2, 64])(
  'a crawl with %i connections writes the same bytes as one with 16',
  async (concurrency) => {
    const folder = temporaryFolder();
    const { exitCode } = await runCli(crawlArgs(folder.path, concurrency));
    expect(exitCode).toBe(0);
    expect(readFiles(folder.path)).toEqual(undisturbed);
    folder.dispose();
  },
  120_000,
);

test(`after ${KILLS} kills at random moments the files are those of an undisturbed crawl, byte for byte`, async () => {
  let kills = 0;
  for (let round = 0; kills < KILLS; round++) {
    const folder = temporaryFolder();
    for (;;) {
      const run = startCli(crawlArgs(folder.path, [2, 4, 16][round % 3] as number));
      // From before the store is open to the middle of the writing of the results.
      const hasEnded = await Promise.race([
        run.result.then(() => true),
        sleep(200 + Math.random() * 500).then(() => false),
      ]);
      if (!hasEnded) run.child.kill('SIGKILL');
      const { exitCode, signal, stderr } = await run.result;
      if (signal === 'SIGKILL') {
        kills++;
        continue;
      }
      expect(exitCode, stderr).toBe(0);
      break;
    }
    expect(readFiles(folder.path)).toEqual(undisturbed);
    const check = await runCli(['check', '--data', folder.path]);
    expect(check.exitCode, check.stdout + check.stderr).toBe(0);
    folder.dispose();
  }
}, 600_000);

test('stopped by signals, limits and time, and resumed, a crawl ends with the same bytes', async () => {
  const folder = temporaryFolder();
  const endings = new Set<string | undefined>();
  const limits = [['--max-pages', '50'], ['--timeout', '0.6'], ['--max-bytes', '2M'], []];
  for (const [index, limit] of limits.entries()) {
    const { exitCode, stderr } = await runCli([...crawlArgs(folder.path, 4), ...limit]);
    expect([0, 3], stderr).toContain(exitCode);
    endings.add(readEndReason(folder.path));
    // A limit below what is stored would be refused.
    const run = startCli([...crawlArgs(folder.path, 8), ...(index === 0 ? ['--max-pages', '100'] : [])]);
    await sleep(300 + Math.random() * 300);
    run.child.kill('SIGINT');
    const stopped = await run.result;
    // A signal before the program listens ends it like any other.
    if (stopped.signal !== 'SIGINT') expect([0, 3], stopped.stderr).toContain(stopped.exitCode);
  }
  const { exitCode } = await runCli(crawlArgs(folder.path, 8));
  expect(exitCode).toBe(0);
  expect(endings.size).toBeGreaterThanOrEqual(2);
  expect(readFiles(folder.path)).toEqual(undisturbed);
  folder.dispose();
}, 120_000);
