import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { crawlInProcess, hastyClock, readGraphFiles } from '../support/crawl-in-process.ts';
import { temporaryFolder } from '../support/run-cli.ts';
import { SiteServer, type Route } from '../support/site-server.ts';

let site: SiteServer;
let folder: ReturnType<typeof temporaryFolder>;

beforeEach(async () => {
  site = await SiteServer.open();
  folder = temporaryFolder();
});
afterEach(async () => {
  await site.close();
  folder.dispose();
});

const linksTo = (...hrefs: string[]): string => hrefs.map((href) => `<a href="${href}">x</a>`).join('');
const status =
  (code: number, headers: Record<string, string> = {}): Route =>
  (_request, response) => {
    response.writeHead(code, { 'content-type': 'text/html', ...headers });
    response.end(`status ${code}`);
  };
const redirectAfter =
  (location: string, delayMs: number): Route =>
  (_request, response) => {
    setTimeout(() => {
      response.writeHead(302, { location });
      response.end();
    }, delayMs);
  };
const answerAfter =
  (delayMs: number, body: string): Route =>
  (_request, response) => {
    setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end(body), delayMs);
  };
const reset: Route = (request) => request.socket.destroy();
const pathsAsked = (): string[] => site.requests.map(({ url }) => url);

describe('the start', () => {
  test('a start page that is not there ends as start-unreachable, and the next run tries again', async () => {
    const first = await crawlInProcess(`${site.origin}/`, folder.path);
    expect(first).toMatchObject({ endReason: 'start-unreachable', pages: 0 });
    expect(first.summary).toMatchObject({ complete: false, broken: 1 });
    site.setRoute('/', 'hello');
    expect(await crawlInProcess(`${site.origin}/`, folder.path)).toMatchObject({ endReason: 'done', pages: 1 });
  });

  test('a start page that robots.txt forbids ends as start-denied without being asked for', async () => {
    site.setRoute('/', 'hello');
    site.setRoute('/robots.txt', 'User-agent: *\nDisallow: /');
    expect(await crawlInProcess(`${site.origin}/`, folder.path)).toMatchObject({ endReason: 'start-denied', pages: 0 });
    expect(pathsAsked()).toEqual(['/robots.txt']);
  });

  test('a robots.txt that answers 500 ends as robots-unreachable, and once it answers the crawl is made', async () => {
    site.setRoute('/', 'hello');
    site.setRoute('/robots.txt', status(500));
    expect(await crawlInProcess(`${site.origin}/`, folder.path)).toMatchObject({ endReason: 'robots-unreachable' });
    expect(pathsAsked()).toEqual(['/robots.txt', '/robots.txt', '/robots.txt']);
    site.setRoute('/robots.txt', status(404));
    expect(await crawlInProcess(`${site.origin}/`, folder.path)).toMatchObject({ endReason: 'done', pages: 1 });
  });

  test('a start page on another host makes that host the site, and links back to the first one are external', async () => {
    await using other = await SiteServer.open();
    site.setRoute('/', status(302, { location: `${other.origin}/home` }));
    other.setRoute('/home', linksTo('a', `${site.origin}/`, `${other.origin}/home`));
    other.setRoute('/a', linksTo('/home'));
    const result = await crawlInProcess(`${site.origin}/`, folder.path);
    expect(result).toMatchObject({ site: `127.0.0.1_${other.port}`, seed: `${site.origin}/`, pages: 2, arcs: 2 });
    expect(result.summary).toMatchObject({ selfLinks: 1, externalLinks: 1, levels: [1, 1] });
    expect(result.notices.join()).toContain(`the site is 127.0.0.1:${other.port}`);
  });

  test('another start URL of a stored site is refused unless --fresh', async () => {
    site.setRoute('/', linksTo('/b'));
    site.setRoute('/b', 'b');
    await crawlInProcess(`${site.origin}/`, folder.path);
    await expect(crawlInProcess(`${site.origin}/b`, folder.path)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    expect(await crawlInProcess(`${site.origin}/b`, folder.path, {}, { fresh: true })).toMatchObject({ pages: 1 });
  });
});

describe('going on', () => {
  const routes: Record<string, Route> = {
    '/': linksTo('/a', '/b', '/c'),
    '/a': linksTo('/d') + 'a',
    '/b': linksTo('/e', '/a') + 'b',
    '/c': linksTo('/r') + 'c',
    '/d': 'd',
    '/e': 'e',
    '/r': status(301, { location: '/f' }),
    '/f': linksTo('/') + 'f',
  };
  beforeEach(() => {
    for (const [path, route] of Object.entries(routes)) site.setRoute(path, route);
  });

  test('limits raised step by step give what one undisturbed crawl gives, and nothing is asked twice', async () => {
    for (const options of [{ maxLevel: 0 }, { maxLevel: 1 }, { maxPages: 5 }, { maxBytes: 120 }, {}]) {
      await crawlInProcess(`${site.origin}/`, folder.path, { ...options, concurrency: 2 });
    }
    const asked = pathsAsked().filter((path) => path !== '/robots.txt');
    expect(asked.length).toBeLessThanOrEqual(Object.keys(routes).length + 2);
    const whole = temporaryFolder();
    await crawlInProcess(`${site.origin}/`, whole.path);
    expect(readGraphFiles(folder.path)).toEqual(readGraphFiles(whole.path));
    whole.dispose();
  });

  test('a finished crawl fetches nothing and writes its files again', async () => {
    await crawlInProcess(`${site.origin}/`, folder.path);
    const before = site.requests.length;
    expect(await crawlInProcess(`${site.origin}/`, folder.path)).toMatchObject({ endReason: 'done', pages: 7 });
    expect(site.requests.length).toBe(before);
  });

  test('an option that would change the graph is refused, one of speed is not', async () => {
    await crawlInProcess(`${site.origin}/`, folder.path, { maxPages: 3 });
    const changed = crawlInProcess(`${site.origin}/`, folder.path, { keepDuplicates: true });
    await expect(changed).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      message: expect.stringContaining('--fresh') as string,
    });
    expect(await crawlInProcess(`${site.origin}/`, folder.path, { concurrency: 7 })).toMatchObject({ pages: 7 });
  });
});

test('a lowered limit is refused: the graph could only shrink by forgetting pages', async () => {
  site.setRoute('/', linksTo('/a'));
  site.setRoute('/a', linksTo('/b') + 'a');
  site.setRoute('/b', 'b');
  await crawlInProcess(`${site.origin}/`, folder.path);
  for (const lowered of [{ maxPages: 2 }, { maxLevel: 1 }]) {
    await expect(crawlInProcess(`${site.origin}/`, folder.path, lowered)).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
    });
  }
  expect(await crawlInProcess(`${site.origin}/`, folder.path, { maxPages: 3, maxLevel: 2 })).toMatchObject({
    pages: 3,
  });
});

test.each([1, 8])('a loop of redirects is the same whoever is asked first (%i connections)', async (concurrency) => {
  site.setRoute('/', linksTo('/1', '/3', '/2'));
  site.setRoute('/1', redirectAfter('/2', 60));
  site.setRoute('/2', redirectAfter('/3', 30));
  site.setRoute('/3', redirectAfter('/1', 0));
  const { summary } = await crawlInProcess(`${site.origin}/`, folder.path, { concurrency });
  // The first in the order is the broken one; the others lead to it.
  expect(summary).toMatchObject({ broken: 1, redirects: 2 });
});

test('a redirect to another spelling of the same URL is followed, and that spelling is the address of the page', async () => {
  site.setRoute('/', linksTo('/s?b=1&a=2', '/%7Eu/', '/l'));
  site.setRoute('/s?b=1&a=2', status(301, { location: '/s?a=2&b=1' }));
  site.setRoute('/s?a=2&b=1', linksTo('/') + 'sorted');
  site.setRoute('/%7Eu/', status(301, { location: '/~u/' }));
  site.setRoute('/~u/', linksTo('x') + 'user');
  site.setRoute('/~u/x', 'x');
  site.setRoute('/l', status(302, { location: '/l' }));
  const { summary, pages } = await crawlInProcess(`${site.origin}/`, folder.path);
  expect({ pages, broken: summary.broken, redirects: summary.redirects }).toEqual({
    pages: 4,
    broken: 1,
    redirects: 0,
  });
  const nodes = Object.entries(readGraphFiles(folder.path)).find(([name]) => name.endsWith('.nodes.csv'))?.[1];
  expect(nodes).toContain(`${site.origin}/s?a=2&b=1,1,`);
  expect(nodes).toContain(`${site.origin}/~u/,1,`);
});

test('who names a trap first is decided in commit order, whatever was downloaded when', async () => {
  const trap = '/a/a/a/a/t';
  site.setRoute('/a/a/a/r', status(302, { location: trap }));
  site.setRoute(trap, linksTo('/k') + 'trap');
  site.setRoute('/k', 'k');
  const files: Record<string, string>[] = [];
  for (const [delayMs, concurrency] of [
    [0, 1],
    [150, 8],
  ] as const) {
    site.setRoute('/', linksTo('/p', '/a/a/a/r', '/m'));
    site.setRoute('/p', answerAfter(delayMs, linksTo(trap, '/u') + 'p'));
    site.setRoute('/m', 'm');
    site.setRoute('/u', 'u');
    const fresh = temporaryFolder();
    await crawlInProcess(`${site.origin}/`, fresh.path, { concurrency });
    files.push(readGraphFiles(fresh.path));
    fresh.dispose();
  }
  expect(files[1]).toEqual(files[0]);
});

test('a port where nobody listens is an unreachable start, not a missing robots.txt', async () => {
  const { origin } = site;
  await site.close();
  expect(await crawlInProcess(`${origin}/`, folder.path)).toMatchObject({ endReason: 'start-unreachable', pages: 0 });
  site = await SiteServer.open();
});

describe('a site that stops answering', () => {
  const names = Array.from({ length: 30 }, (_, index) => `/p${index}`);
  const serve = (): void => {
    site.setRoute('/', linksTo(...names));
    for (const name of names) site.setRoute(name, name);
  };

  test('ends as site-dead, and when it is back the same command ends as if nothing had happened', async () => {
    serve();
    const whole = temporaryFolder();
    await crawlInProcess(`${site.origin}/`, whole.path);
    site.setRoute('/p7', (_request, response) => {
      for (const name of ['/', ...names]) site.setRoute(name, reset);
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('/p7');
    });
    const broken = await crawlInProcess(`${site.origin}/`, folder.path, { concurrency: 1 });
    expect(broken.endReason).toBe('site-dead');
    expect(broken.summary).toMatchObject({ complete: false, unreachable: 0 });
    serve();
    expect(await crawlInProcess(`${site.origin}/`, folder.path)).toMatchObject({ endReason: 'done', pages: 31 });
    expect(readGraphFiles(folder.path)).toEqual(readGraphFiles(whole.path));
    whole.dispose();
  });

  test('is not dead while its start page answers: its silent pages are unreachable', async () => {
    serve();
    for (const name of names) site.setRoute(name, reset);
    const result = await crawlInProcess(`${site.origin}/`, folder.path);
    expect(result).toMatchObject({ endReason: 'done', pages: 1 });
    expect(result.summary).toMatchObject({ unreachable: 30, complete: true });
  });
});

function heal(): void {
  site.setRoute('/', linksTo('/a', '/b', '/c', '/r', '/gone'));
  site.setRoute('/a', linksTo('/x', '/y') + 'a');
  site.setRoute('/b', linksTo('/x', '/z', 'mailto:a@b.c', 'http://other.invalid/') + 'b');
  site.setRoute('/c', linksTo('/y', '/same') + 'c');
  site.setRoute('/r', status(302, { location: '/z' }));
  for (const name of ['x', 'y', 'z']) site.setRoute(`/${name}`, `${linksTo('/', '/a')}${name}`);
  site.setRoute('/same', `${linksTo('/', '/a')}z`);
}

describe('--retry-broken', () => {
  test('gives, once the site is healed, the files of a crawl that never failed', async () => {
    heal();
    const whole = temporaryFolder();
    await crawlInProcess(`${site.origin}/`, whole.path);
    for (const name of ['/a', '/z']) site.setRoute(name, status(503));
    site.setRoute('/b', reset);
    const broken = await crawlInProcess(`${site.origin}/`, folder.path);
    expect(broken.summary).toMatchObject({ broken: 3, unreachable: 1 });
    heal();
    const before = site.requests.length;
    const retried = await crawlInProcess(`${site.origin}/`, folder.path, { retryBroken: true });
    expect(retried.endReason).toBe('done');
    expect(readGraphFiles(folder.path)).toEqual(readGraphFiles(whole.path));
    const asked = pathsAsked().slice(before);
    expect(asked).toEqual(expect.arrayContaining(['/a', '/b', '/z']));
    for (const known of ['/', '/c', '/gone', '/r']) expect(asked).not.toContain(known);
    whole.dispose();
  });

  test('leaves the former result when the site has become worse, or robots.txt fails', async () => {
    heal();
    site.setRoute('/a', status(500));
    site.setRoute('/x', 'twin');
    site.setRoute('/y', 'twin');
    await crawlInProcess(`${site.origin}/`, folder.path);
    const before = readGraphFiles(folder.path);
    for (const path of ['/x', '/y']) site.setRoute(path, reset);
    await crawlInProcess(`${site.origin}/`, folder.path, { retryBroken: true });
    expect(readGraphFiles(folder.path)).toEqual(before);
    site.setRoute('/robots.txt', status(500));
    const later = { ...hastyClock(), now: () => Date.now() + 2 * 86_400_000 };
    const denied = await crawlInProcess(`${site.origin}/`, folder.path, { retryBroken: true }, { clock: later });
    expect(denied.endReason).toBe('robots-unreachable');
    site.setRoute('/robots.txt', status(404));
    await crawlInProcess(`${site.origin}/`, folder.path);
    expect(readGraphFiles(folder.path)).toEqual(before);
  });

  test('changes nothing when nothing is healed', async () => {
    heal();
    site.setRoute('/a', status(500));
    await crawlInProcess(`${site.origin}/`, folder.path);
    const before = readGraphFiles(folder.path);
    await crawlInProcess(`${site.origin}/`, folder.path, { retryBroken: true });
    expect(readGraphFiles(folder.path)).toEqual(before);
  });

  test('leaves the former result when it is stopped', async () => {
    heal();
    site.setRoute('/a', status(500));
    await crawlInProcess(`${site.origin}/`, folder.path);
    const before = readGraphFiles(folder.path);
    const stop = new AbortController();
    site.setRoute('/a', (_request, response) => {
      stop.abort();
      setTimeout(() => response.end(), 50);
    });
    const { endReason } = await crawlInProcess(
      `${site.origin}/`,
      folder.path,
      { retryBroken: true },
      { signal: stop.signal },
    );
    expect(endReason).toBe('signal');
    const { endReason: later } = await crawlInProcess(`${site.origin}/`, folder.path);
    expect(later).toBe('done');
    expect(readGraphFiles(folder.path)).toEqual(before);
  });
});
