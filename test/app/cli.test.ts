import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OrbweaverError } from '../../src/base/errors.ts';
import { runCommandLine } from '../../src/app/cli.ts';
import { reportFailure } from '../../src/app/report-failure.ts';
import { COMMAND_WORDS, LATER_COMMANDS } from '../../src/app/command-words.ts';
import { createCrawlCommand } from '../../src/app/crawl-command.ts';
import { exitCodeOf } from '../../src/app/exit-code.ts';
import type { CrawlJob } from '../../src/app/run-crawl.ts';
import { LevelCrawlStore } from '../../src/store/level-store.ts';
import { SiteServer } from '../support/site-server.ts';
import { createFakeStreams, type FakeStreams } from './fake-streams.ts';

let folder: string;
let server: SiteServer;
let site: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-cli-'));
  server = await SiteServer.open({
    '/': '<title>Start</title><a href=/a>a</a><a href=/gone>gone</a><a href="https://other.example/">o</a>',
    '/a': '<title>A</title><a href=/b>b</a>',
    '/b': '<title>B</title><a href=/>home</a>',
  });
  site = server.origin.slice('http://'.length);
});

afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

interface Run extends FakeStreams {
  readonly code: number;
}

async function run(...args: string[]): Promise<Run> {
  const streams = createFakeStreams();
  const code = await runCommandLine(args, streams);
  return Object.assign(Object.create(streams) as FakeStreams, { code });
}

/** What the engine would be told, without a crawl. */
async function jobOf(...args: string[]): Promise<CrawlJob> {
  const jobs: CrawlJob[] = [];
  const command = createCrawlCommand((job) => {
    jobs.push(job);
    return Promise.resolve([]);
  });
  await command.run([...args, '--data', folder], createFakeStreams());
  const [job] = jobs;
  if (job === undefined) throw new Error('no crawl was started');
  return job;
}

describe('command line', () => {
  it('shows its usage and exits with 2 when nothing is asked', async () => {
    const { code, stdout, stderr } = await run();
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('Usage: orbweaver <command>');
    expect(await run('crawl')).toMatchObject({ code: 2, stdout: '' });
  });

  it('has help for itself and for each command, on stdout, with what works only', async () => {
    const help = await run('--help');
    expect([help.code, help.stderr]).toEqual([0, '']);
    for (const name of Object.keys(COMMAND_WORDS)) {
      expect(help.stdout).toContain(`  ${name} `);
      const own = await run(name, '--help');
      expect([own.code, own.stderr]).toEqual([0, '']);
      expect(own.stdout).toContain(`Usage: orbweaver ${name}`);
      expect((await run('help', name)).stdout).toBe(own.stdout);
      for (const line of own.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(160);
    }
    for (const name of LATER_COMMANDS) expect(help.stdout).not.toMatch(new RegExp(`^ +${name} `, 'm'));
    expect((await run('crawl', '--help')).stdout).not.toMatch(/--(?:archive|render|guess-links)/);
  });

  it('says of settled names that they come later', async () => {
    for (const name of LATER_COMMANDS) {
      expect(await run(name, 'x')).toMatchObject({ code: 2, stderr: `orbweaver: ${name} comes in a later version\n` });
    }
    expect(await run('crawl', site, '--archive')).toMatchObject({ code: 2 });
    expect(await run('export', site, '--format', 'wacz', '--data', folder)).toMatchObject({
      code: 2,
      stderr: 'orbweaver: --format wacz is not available in this version\n',
    });
  });

  it('helps with what was mistyped, in one line', async () => {
    expect((await run('crwal')).stderr).toBe('orbweaver: there is no command crwal; did you mean crawl?\n');
    expect((await run('example.com')).stderr).toContain('did you mean "orbweaver crawl example.com"?');
    expect((await run('--json', 'crawl')).stderr).toContain('the command comes first');
    expect((await run('crawl', 'no-such-list.txt')).stderr).toBe('orbweaver: no-such-list.txt: no such file\n');
    expect((await run('crawl', 'a b')).code).toBe(2);
  });

  it('reports a bug with what is needed to report it, and exits with 1', () => {
    const streams = createFakeStreams();
    expect(reportFailure(new TypeError('x is not a function'), streams)).toBe(1);
    const full = new OrbweaverError('STORE_WRITE', 'no space left');
    const twice = Object.assign(new Error('twice'), { name: 'SuppressedError', error: full, suppressed: full });
    expect(reportFailure(twice, streams)).toBe(5);
    expect(streams.stderr).toContain('this is a bug');
    expect(streams.stderr).toContain('TypeError: x is not a function');
    expect(streams.stderr).toContain(process.version);
  });

  it('takes the highest exit code of several sites', () => {
    expect(exitCodeOf([])).toBe(0);
    expect(exitCodeOf(['done', 'level'])).toBe(0);
    expect(exitCodeOf(['done', 'trap'])).toBe(3);
    expect(exitCodeOf(['start-denied', 'signal'])).toBe(4);
  });
});

describe('orbweaver crawl', () => {
  it('writes paths to stdout and the report to stderr', async () => {
    const { code, stdout, stderr } = await run('crawl', site, '--data', folder, '--format', 'gephi-csv,gexf');
    expect(code).toBe(0);
    const paths = stdout.trimEnd().split('\n');
    expect(paths.map((path) => path.slice(path.lastIndexOf('.')))).toEqual(['.csv', '.csv', '.gexf', '.csv', '.json']);
    for (const path of paths) expect(existsSync(path), path).toBe(true);
    expect(stderr).toContain('3 pages, 3 arcs, levels 0 to 2 (1, 1, 1)');
    expect(stderr).toContain('URLs that are no pages: 1 off the site, 1 broken');
    // oxlint-disable-next-line no-control-regex -- escape sequences are the point
    expect(stderr).not.toMatch(/\u001b/);
  });

  it('prints one JSON document: a summary, or an array for several sites', async () => {
    const one = await run('crawl', site, '--data', folder, '--json');
    expect(JSON.parse(one.stdout)).toMatchObject({ pages: 3, arcs: 3, endReason: 'done', complete: true });
    const other = await SiteServer.open({ '/': 'alone' });
    try {
      const both = await run('crawl', site, other.origin, '--data', folder, '--json');
      expect(both.code).toBe(0);
      const summaries = JSON.parse(both.stdout) as { pages: number }[];
      expect(summaries.map(({ pages }) => pages)).toEqual([3, 1]);
    } finally {
      await other.close();
    }
  });

  it('is silent with --quiet, but for a site that could not be crawled', async () => {
    expect(await run('crawl', site, '--data', folder, '--quiet')).toMatchObject({ code: 0, stderr: '' });
    server.setRoute('/robots.txt', 'User-agent: *\nDisallow: /');
    const denied = await run('crawl', site, '--data', folder, '--quiet', '--fresh');
    expect(denied.code).toBe(4);
    expect(denied.stderr).toMatch(/robots\.txt forbids the start page\n$/);
  });

  it('exits with 3 at a limit and tells how to go on; the same command with a higher limit does', async () => {
    const first = await run('crawl', site, '--data', folder, '--max-pages', '1');
    expect(first.code).toBe(3);
    expect(first.stderr).toContain('next: a higher --max-pages goes on from here');
    const asked = server.requests.filter(({ url }) => url === '/').length;
    expect((await run('crawl', site, '--data', folder)).code).toBe(0);
    expect(server.requests.filter(({ url }) => url === '/').length).toBe(asked);
  });

  it('exits with 2 and one line when the saved crawl had other rules', async () => {
    await run('crawl', site, '--data', folder);
    const { code, stderr } = await run('crawl', site, '--data', folder, '--keep-duplicates', '--quiet');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^orbweaver: .*--keep-duplicates.*--fresh.*\n$/);
  });

  it('exits with 5 when another process has the data directory', async () => {
    const store = await LevelCrawlStore.open(folder);
    try {
      const { code, stderr } = await run('crawl', site, '--data', folder, '--quiet');
      expect(code).toBe(5);
      expect(stderr).toContain('STORE_LOCKED');
    } finally {
      await store.close();
    }
  });

  it('ends in order on a first signal, saved, and leaves at once on a second', async () => {
    server.setRoute('/a', (_, response) => {
      setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end('<a href=/b>b</a>'), 300);
    });
    const streams = createFakeStreams();
    const ended = runCommandLine(['crawl', site, '--data', folder], streams);
    while (!server.requests.some(({ url }) => url === '/a')) await new Promise((resolve) => setTimeout(resolve, 5));
    streams.signal('SIGINT');
    streams.signal('SIGINT');
    expect(streams.exits).toEqual([]);
    streams.signal('SIGTERM');
    expect(streams.exits).toEqual([3]);
    expect(await ended).toBe(3);
    expect(streams.isListening).toBe(false);
    expect(streams.stderr).toContain('stopped by a signal');
    expect(await run('crawl', site, '--data', folder, '--quiet')).toMatchObject({ code: 0 });
  });

  it('keeps a log of one JSON object a line', async () => {
    await run('crawl', site, '--data', folder, '--verbose', '--quiet');
    const logs = join(folder, 'logs');
    const [name = ''] = readdirSync(logs);
    const entries = readFileSync(join(logs, name), 'utf8').trimEnd().split('\n');
    const messages = entries.map((line) => (JSON.parse(line) as { message: string }).message);
    expect(messages[0]).toBe('run started');
    expect(messages.at(-1)).toBe('site ended');
    expect(messages.filter((message) => message === 'fetch').length).toBeGreaterThanOrEqual(4);
  });

  it('merges defaults, settings file and flags, and keeps what a hosts file says of its sites', async () => {
    const settings = join(folder, 's.ini');
    const hosts = join(folder, 'sites');
    await writeFile(settings, 'TimeoutSeconds = 5\nResultFolder = "from-settings"\nStopFile = "stop.txt"\n');
    await writeFile(hosts, 'http://a.example;7;2;9\nhttp://b.example\n');
    const job = await jobOf(
      hosts,
      'c.example',
      '--settings',
      settings,
      '--timeout',
      '8',
      '--max-level',
      '1',
      '--concurrency',
      '3',
    );
    expect(job).toMatchObject({
      timeoutMs: 8000,
      outDirectory: 'from-settings',
      stopFile: 'stop.txt',
      sitesAtOnce: 4,
      fresh: false,
    });
    expect(job.options).toMatchObject({ maxLevel: 1, concurrency: 3, robots: 'obey' });
    expect(job.seeds).toEqual([
      { url: 'http://a.example/', concurrency: 7, maxLevel: 2, delayMs: 9 },
      { url: 'http://b.example/' },
      { url: 'http://c.example/' },
    ]);
  });

  it('takes an argument for a hosts file only when it is a file', async () => {
    const job = await jobOf('test', '--hosts', 'fixtures/thesis/hosts.txt');
    expect(job.seeds).toHaveLength(23);
    expect(job.seeds[0]).toEqual({ url: 'http://test/' });
  });
});

describe('commands for saved crawls', () => {
  it('why tells what became of a URL; an unknown one exits with 2', async () => {
    await run('crawl', site, '--data', folder, '--quiet');
    const page = await run('why', `${server.origin}/b`, '--data', folder);
    expect([page.code, page.stderr]).toEqual([0, '']);
    expect(page.stdout).toContain('page 3, level 2');
    expect((await run('why', `${site}/gone`, '--data', folder)).stdout).toContain('status 404');
    expect((await run('why', 'other.example', '--data', folder)).stdout).toContain('on another host');
    const json = await run('why', `${site}/b`, '--data', folder, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ outcome: 'page', page: { id: 3 } });
    expect(await run('why', `${site}/nowhere`, '--data', folder)).toMatchObject({ code: 2, stdout: '' });
    expect(await run('why', '--data', folder)).toMatchObject({ code: 2 });
  });

  it('check finds a whole store well', async () => {
    await run('crawl', site, '--data', folder, '--quiet');
    expect((await run('check', '--data', folder)).stdout).toMatch(/: 3 pages, \d+ URLs: all is well\n$/);
    expect(JSON.parse((await run('check', site, '--data', folder, '--json')).stdout)).toMatchObject([{ problems: [] }]);
  });

  it('export writes a file or a folder without fetching', async () => {
    await run('crawl', site, '--data', folder, '--quiet');
    const asked = server.requests.length;
    const file = join(folder, 'mine.gexf');
    expect(await run('export', site, '--format', 'gexf', '--out', file, '--data', folder)).toMatchObject({
      code: 0,
      stdout: `${file}\n`,
    });
    expect(readFileSync(file, 'utf8')).toContain('<gexf');
    const many = await run(
      'export',
      server.origin,
      '--format',
      'gephi-csv,graphml',
      '--out',
      join(folder, 'x'),
      '--data',
      folder,
    );
    expect(many.stdout.trimEnd().split('\n')).toHaveLength(3);
    expect(await run('export', site, '--format', 'gephi-csv', '--out', file, '--data', folder)).toMatchObject({
      code: 2,
    });
    expect(await run('export', site, '--data', folder)).toMatchObject({ code: 2 });
    expect(server.requests.length).toBe(asked);
  });

  it('make nothing where nothing is stored, and name the nearest site', async () => {
    const empty = join(folder, 'empty');
    for (const args of [['why', 'x.example'], ['check'], ['export', 'x', '--format', 'gexf']]) {
      expect(await run(...args, '--data', empty)).toMatchObject({ code: 2, stdout: '' });
    }
    expect(existsSync(empty)).toBe(false);
    await run('crawl', site, '--data', folder, '--quiet');
    const { stderr } = await run('export', `127.0.0.2_${server.port}`, '--format', 'gexf', '--data', folder);
    expect(stderr).toContain(`did you mean 127.0.0.1_${server.port}?`);
  });
});
