import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureBuilt, runCli, temporaryFolder } from '../support/run-cli.ts';
import { SiteServer } from '../support/site-server.ts';

let first: SiteServer;
let second: SiteServer;

beforeAll(async () => {
  await ensureBuilt();
  first = await SiteServer.open({ '/': '<a href="/a">a</a>', '/a': 'a', '/b': 'b' });
  second = await SiteServer.open({ '/': 'only' });
}, 120_000);
afterAll(async () => {
  await first.close();
  await second.close();
});

test('a site whose saved state does not fit keeps no other site from being crawled', async () => {
  const folder = temporaryFolder();
  const args = (...rest: string[]): string[] => ['crawl', ...rest, '--data', folder.path, '--quiet'];
  expect((await runCli(args(`${first.origin}/`))).exitCode).toBe(0);
  const both = await runCli([...args(`${first.origin}/`, `${second.origin}/`), '--max-level', '0']);
  expect(both.exitCode).toBe(2);
  expect(both.stderr).toContain('--fresh');
  expect(both.stdout).toContain(`127.0.0.1_${second.port}.nodes.csv`);
  expect(both.stdout).not.toContain(`127.0.0.1_${first.port}`);
  folder.dispose();
});
