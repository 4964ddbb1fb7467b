import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CRAWLEE_VERSION = '3.18';

/**
 * The contenders of the benchmark, each doing the same job: all HTML pages of a site, following `<a>`.
 * `prepare` resolves to the reason why a peer cannot run here, or to undefined.
 * `command` gets a job {url, urlsFile, folder} and returns the command line. `countPages` says how many pages it got, from its
 * folder and standard output, so that nobody wins by doing less.
 */
export const CONTENDERS = {
  orbweaver: {
    prepare: async () => (existsSync(path.join(ROOT, 'dist/app/main.js')) ? undefined : 'not built (npm run build)'),
    command: ({ url, folder }) => [
      process.execPath,
      path.join(ROOT, 'dist/app/main.js'),
      'crawl',
      url,
      ...['--data', path.join(folder, 'data'), '--concurrency', '16', '--delay', '0', '--quiet'],
    ],
    countPages: (folder) => {
      const graphs = path.join(folder, 'data/graphs');
      const summary = readdirSync(graphs).find((name) => name.endsWith('.summary.json'));
      return JSON.parse(readFileSync(path.join(graphs, summary), 'utf8')).pages;
    },
  },
  'undici loop': {
    prepare: async () => undefined,
    command: ({ urlsFile }) => [process.execPath, path.join(ROOT, 'test/bench/undici-loop.mjs'), urlsFile, '16'],
    countPages: (_folder, stdout) => JSON.parse(stdout).requests - JSON.parse(stdout).failures,
  },
  wget: {
    prepare: async () => missing('wget'),
    command: ({ url, folder }) => [
      'wget',
      ...['-q', '-r', '-l', 'inf', '-nH', '--follow-tags=a', '-A', 'html,htm', '-P', path.join(folder, 'wget'), url],
    ],
    countPages: (folder) => countHtml(path.join(folder, 'wget')),
  },
  httrack: {
    prepare: async () => missing('httrack'),
    command: ({ url, folder }) => [
      'httrack',
      ...[url, '-O', path.join(folder, 'httrack'), '-q', '-c8', '-%c10000', '-A1000000000', '-%!', '-r9999'],
      ...['-p1', '-I0', '-C0', '-s2', '-N0', '-*', '+127.0.0.1*.html'],
    ],
    countPages: (folder) => {
      const site = readdirSync(path.join(folder, 'httrack')).find((name) => name.startsWith('127.0.0.1'));
      return countHtml(path.join(folder, 'httrack', site));
    },
  },
  scrapy: {
    prepare: async () => missing('/usr/bin/scrapy'),
    command: ({ url, folder }) => {
      const spider = path.join(folder, 'spider.py');
      writeFileSync(spider, SPIDER);
      return ['/usr/bin/scrapy', 'runspider', '--nolog', '-a', `start=${url}`, spider];
    },
    countPages: (_folder, stdout) => Number(stdout),
  },
  crawlee: {
    prepare: async () => {
      const folder = crawleeFolder();
      if (existsSync(path.join(folder, 'node_modules/@crawlee/cheerio'))) return undefined;
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
      const install = ['install', '--no-audit', '--no-fund', '--silent', `@crawlee/cheerio@${CRAWLEE_VERSION}`];
      try {
        await run('npm', install, { cwd: folder, timeout: 300_000 });
        return undefined;
      } catch (error) {
        return `@crawlee/cheerio cannot be installed: ${String(error.message).split('\n')[0]}`;
      }
    },
    command: ({ url, maxPages }) => {
      const script = path.join(crawleeFolder(), 'crawl.mjs');
      writeFileSync(script, CRAWLEE);
      return [process.execPath, script, url, String(maxPages ?? '')];
    },
    countPages: (_folder, stdout) => JSON.parse(stdout).finished,
    env: { CRAWLEE_PERSIST_STORAGE: 'false', CRAWLEE_LOG_LEVEL: 'OFF', CRAWLEE_PURGE_ON_START: 'false' },
  },
};

function crawleeFolder() {
  return path.join(os.tmpdir(), 'orbweaver-crawlee');
}

function missing(command) {
  const candidates = path.isAbsolute(command)
    ? [command]
    : (process.env.PATH ?? '').split(':').map((folder) => path.join(folder, command));
  for (const file of candidates) {
    try {
      accessSync(file, constants.X_OK);
      return undefined;
    } catch {
      // Not here.
    }
  }
  return `${command} is not installed`;
}

function countHtml(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.html?$/.test(name)).length;
}

const SPIDER = `from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class Site(CrawlSpider):
    name = "site"
    allowed_domains = ["127.0.0.1"]
    rules = (Rule(LinkExtractor(tags="a"), callback="page", follow=True),)
    custom_settings = {
        "CONCURRENT_REQUESTS": 16,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
        "DEPTH_PRIORITY": 1,
        "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
        "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
        "LOG_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
    }

    def __init__(self, start="", **kwargs):
        super().__init__(**kwargs)
        self.start_urls = [start]
        self.pages = 0

    def parse_start_url(self, response):
        self.pages += 1
        return []

    def page(self, response):
        self.pages += 1

    def closed(self, reason):
        print(self.pages)
`;

const CRAWLEE = `import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio';

log.setLevel(log.LEVELS.OFF);
const [url, maxPages] = process.argv.slice(2);
const configuration = new Configuration({ persistStorage: false, purgeOnStart: false });
const crawler = new CheerioCrawler(
  {
    minConcurrency: 16,
    maxConcurrency: 16,
    useSessionPool: false,
    statisticsOptions: { saveErrorSnapshots: false, persistenceOptions: { enable: false } },
    ...(maxPages && { maxRequestsPerCrawl: Number(maxPages) }),
    requestHandler: async ({ enqueueLinks }) => {
      await enqueueLinks({ selector: 'a[href]', strategy: 'same-hostname' });
    },
  },
  configuration,
);
const statistics = await crawler.run([url]);
process.stdout.write(JSON.stringify({ finished: statistics.requestsFinished }) + '\\n');
process.exit(0);
`;
