import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureBuilt, runCli, startCli, temporaryFolder } from '../support/run-cli.ts';
import { SiteServer } from '../support/site-server.ts';

let server: SiteServer;
let folder: ReturnType<typeof temporaryFolder>;

/** A site without an end: page N links to N + 1 and N + 2. */
function serveEndless(site: SiteServer): void {
  for (let page = 0; page < 400; page++) {
    site.setRoute(`/p${page}`, (_, response) => {
      const body = `<title>${page}</title><a href="/p${page + 1}">n</a><a href="/p${page + 2}">m</a>`;
      setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end(body), 20);
    });
  }
}

beforeAll(async () => {
  await ensureBuilt();
  server = await SiteServer.open();
  serveEndless(server);
});
afterAll(() => server.close());
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.dispose());

const seed = (): string => `${server.origin}/p0`;

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    if (tries > 2_000) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('the process', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'saves and exits with 3 on %s, and the same command goes on',
    async (signal) => {
      const asked = server.requests.length;
      const running = startCli(['crawl', seed(), '--data', folder.path, '--max-pages', '60']);
      await until(() => server.requests.length > asked + 20);
      running.child.kill(signal);
      const ended = await running.result;
      expect(ended.exitCode).toBe(3);
      expect(ended.stderr).toContain('stopped by a signal');
      expect(
        ended.stdout
          .trimEnd()
          .split('\n')
          .every((path) => existsSync(path)),
      ).toBe(true);
      const resumed = await runCli(['crawl', seed(), '--data', folder.path, '--max-pages', '60', '--json']);
      expect(JSON.parse(resumed.stdout)).toMatchObject({ pages: 60, endReason: 'pages' });
    },
  );

  it('leaves at once on a second signal, whatever is in flight', async () => {
    const slow = await SiteServer.open({ '/': '<a href=/slow>s</a>', '/slow': () => undefined });
    try {
      const running = startCli(['crawl', slow.origin, '--data', folder.path]);
      await until(() => slow.requests.some(({ url }) => url === '/slow'));
      running.child.kill('SIGINT');
      await new Promise((resolve) => setTimeout(resolve, 700));
      running.child.kill('SIGINT');
      expect((await running.result).exitCode).toBe(3);
    } finally {
      await slow.close();
    }
  });

  it('loses nothing when nobody reads its output', async () => {
    const command = `"${process.execPath}" dist/app/main.js crawl ${seed()} --data "${folder.path}" --max-pages 5 2>&1 | head -c 1 >/dev/null; echo "\${PIPESTATUS[0]}"`;
    const child = spawn('bash', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    await new Promise((resolve) => child.once('close', resolve));
    expect(stdout).toBe('3\n');
    const name = `127.0.0.1_${server.port}`;
    expect(existsSync(join(folder.path, 'graphs', `${name}.summary.json`))).toBe(true);
  });

  it('writes all of a long answer into a slow pipe', async () => {
    const command = `"${process.execPath}" dist/app/main.js crawl --help | (sleep 0.5; wc -l)`;
    const child = spawn('bash', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] });
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    await new Promise((resolve) => child.once('close', resolve));
    expect(Number(stdout)).toBe((await runCli(['crawl', '--help'])).stdout.split('\n').length - 1);
  });

  it.skipIf(!existsSync('/usr/bin/script'))(
    'counts one Ctrl-C once through npm on a terminal, and leaves the cursor visible',
    async () => {
      const asked = server.requests.length;
      const command = `npm start --silent -- crawl ${seed()} --data ${folder.path}`;
      const child = spawn('script', ['-qefc', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] });
      let screen = '';
      child.stdout.on('data', (chunk: Buffer) => (screen += chunk.toString()));
      const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
      await until(() => server.requests.length > asked + 30);
      child.stdin.write('\u0003');
      await closed;
      child.stdin.destroy();
      expect(screen).toContain('SIGINT: finishing what is in flight');
      expect(screen).toMatch(/pages, \d+ queued, .*level \d+/);
      expect(screen).toContain('stopped by a signal');
      expect(screen).toContain('.summary.json');
      const isHidden = screen.lastIndexOf('\u001b[?25l') > screen.lastIndexOf('\u001b[?25h');
      expect(isHidden).toBe(false);
    },
  );
});
