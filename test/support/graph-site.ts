import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import * as fc from 'fast-check';
import { walkSite, type OracleAnswer, type OracleDocument, type OracleGraph } from './oracle-crawl.ts';

/**
 * A site as a known graph: what it serves and what a crawl must find both follow from it, so that `crawl(serve(G))` can be
 * compared with G. Resource i has the path that its index and kind give; resource 0 is a page.
 */
export interface GraphSite {
  readonly resources: readonly Resource[];
  /** The crawl starts at a URL that redirects to resource 0. */
  readonly startsWithRedirect: boolean;
}

export type Resource =
  | PageResource
  | { readonly kind: 'copy'; readonly of: number; readonly place: Place }
  | {
      readonly kind: 'redirect';
      readonly status: 301 | 302 | 303 | 307 | 308;
      readonly to: Target;
      readonly place: Place;
    }
  | { readonly kind: 'status'; readonly status: 201 | 204 | 403 | 404 | 410 | 500 | 503; readonly place: Place }
  | { readonly kind: 'file'; readonly type: string; readonly place: Place }
  /** The connection is reset, whenever it is asked. */
  | { readonly kind: 'dead'; readonly place: Place }
  | { readonly kind: 'denied'; readonly place: Place }
  /** Pages without end, each one segment deeper than the last. */
  | { readonly kind: 'trap' };

export interface PageResource {
  readonly kind: 'page';
  readonly place: Place;
  readonly title: string;
  readonly links: readonly Link[];
  /** Sent before the links are read: relative links are resolved against it. */
  readonly base: 'none' | 'root' | 'folder';
  readonly delayMs: number;
  /** So many answers of 503 before the first good one. */
  readonly failuresFirst: number;
}

/** Where in the site's folders a resource lies. */
export type Place = 'root' | 'folder' | 'deep' | 'index' | 'query' | 'escaped';

export interface Link {
  readonly to: Target;
  readonly shape: Shape;
  /** Times the link stands on the page. */
  readonly times: number;
}

export type Target = number | 'external' | 'subdomain' | 'mailto' | 'script' | 'unparsable' | 'missing' | 'self';

/** How the address is written; all of them are the same URL key. */
export type Shape = 'absolute' | 'rooted' | 'relative' | 'fragment' | 'escaped' | 'dotted' | 'padded' | 'entity';

const PLACES: readonly Place[] = ['root', 'folder', 'deep', 'index', 'query', 'escaped'];
const SHAPES: readonly Shape[] = [
  'absolute',
  'rooted',
  'relative',
  'fragment',
  'escaped',
  'dotted',
  'padded',
  'entity',
];
const TITLES = [
  'plain',
  'a "quoted", one',
  'comma, semicolon; tab\tend',
  'two\nlines',
  '→ 😀 ü',
  "=cmd|' /C calc'!A0",
  '',
];
/** The product's threshold: a segment that stands four times in a row, on a page that shows it three times. */
const TRAP_REPEATS = 4;

/** Random sites of at most `maxResources` resources. */
export function randomSite(options: { maxResources?: number; slowest?: number } = {}): fc.Arbitrary<GraphSite> {
  const { maxResources = 30, slowest = 4 } = options;
  return fc.integer({ min: 1, max: maxResources }).chain((count) => {
    const index = fc.integer({ min: 0, max: count - 1 });
    const place = fc.constantFrom(...PLACES);
    const target: fc.Arbitrary<Target> = fc.oneof(
      { weight: 16, arbitrary: index },
      {
        weight: 3,
        arbitrary: fc.constantFrom<Target>(
          'external',
          'subdomain',
          'mailto',
          'script',
          'unparsable',
          'missing',
          'self',
        ),
      },
    );
    const page = fc.record({
      kind: fc.constant('page' as const),
      place,
      title: fc.constantFrom(...TITLES),
      links: fc.array(
        fc.record({
          to: target,
          shape: fc.constantFrom(...SHAPES),
          times: fc.oneof(
            { weight: 5, arbitrary: fc.constant(1) },
            { weight: 1, arbitrary: fc.integer({ min: 2, max: 4 }) },
          ),
        }),
        { maxLength: 8 },
      ),
      base: fc.oneof(
        { weight: 6, arbitrary: fc.constant('none' as const) },
        { weight: 1, arbitrary: fc.constantFrom('root' as const, 'folder' as const) },
      ),
      delayMs: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(slowest) }),
      failuresFirst: fc.oneof(
        { weight: 9, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 }) },
      ),
    });
    const other: fc.Arbitrary<Resource> = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('copy' as const), of: index, place }) },
      {
        weight: 8,
        arbitrary: fc.record({
          kind: fc.constant('redirect' as const),
          status: fc.constantFrom(301 as const, 302 as const, 303 as const, 307 as const, 308 as const),
          to: target,
          place,
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('status' as const),
          status: fc.constantFrom(
            201 as const,
            204 as const,
            403 as const,
            404 as const,
            410 as const,
            500 as const,
            503 as const,
          ),
          place,
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('file' as const),
          type: fc.constantFrom('', 'text/plain', 'application/pdf', 'application/xhtml+xml', 'text/htmlx'),
          place,
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('dead' as const), place }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('denied' as const), place }) },
      { weight: 1, arbitrary: fc.constant({ kind: 'trap' as const }) },
    );
    const rest = fc.array(fc.oneof({ weight: 3, arbitrary: page }, { weight: 2, arbitrary: other }), {
      minLength: count - 1,
      maxLength: count - 1,
    });
    return fc.record({
      resources: fc.tuple(page, rest).map(([first, others]): readonly Resource[] => [first, ...others]),
      startsWithRedirect: fc.oneof(
        { weight: 4, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
    });
  });
}

export interface ServedSite {
  readonly origin: string;
  /** Where the crawl starts. */
  readonly startUrl: string;
  /** Request targets in order of arrival, robots.txt among them. */
  readonly requests: readonly string[];
  /** Forgets the failures so far, so that the same site can be crawled again with the same results. */
  reset(): void;
  close(): Promise<void>;
}

/** Serves the site on a free loopback port. */
export async function serveGraphSite(site: GraphSite): Promise<ServedSite> {
  const requests: string[] = [];
  const failures = new Map<string, number>();
  const sockets = new Set<Socket>();
  let model: Model | undefined;
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (model !== undefined) respond(model, request, response, failures);
  });
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  model = new Model(site, origin);
  return {
    origin,
    startUrl: model.startUrl,
    requests,
    reset: () => {
      failures.clear();
      requests.length = 0;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What a crawl of the site from its start URL must find (design section 2). */
export function expectedGraph(site: GraphSite, origin: string): OracleGraph {
  const model = new Model(site, origin);
  return walkSite({
    startUrl: model.startUrl,
    answerTo: (url) => model.answerTo(url),
    isTrap: (url) => /^\/grow\/\d+\//.test(plainPath(url)) && depthOf(plainPath(url)) >= TRAP_REPEATS,
  });
}

/** Whether a crawl meets URLs that it leaves out as a trap: it then ends as `trap`, not `done`. */
export function hasTrap(graph: OracleGraph): boolean {
  return graph.links.some(({ reason }) => reason === 'trap');
}

const START: Resource = { kind: 'redirect', status: 302, to: 0, place: 'root' };
const HTML = { 'content-type': 'text/html; charset=utf-8' };

/** What stands at a URL of the site. */
interface Found {
  readonly index: number;
  readonly resource: Resource;
}

class Model {
  readonly site: GraphSite;
  readonly origin: string;
  readonly #byPath = new Map<string, number>();

  constructor(site: GraphSite, origin: string) {
    this.site = site;
    this.origin = origin;
    for (const index of site.resources.keys()) this.#byPath.set(plainPath(new URL(this.pathOf(index), origin)), index);
  }

  get startUrl(): string {
    return this.site.startsWithRedirect ? `${this.origin}/start` : this.origin + this.pathOf(0);
  }

  find(url: URL): Found | undefined {
    const path = plainPath(url);
    if (this.site.startsWithRedirect && path === '/start') return { index: 0, resource: START };
    const grown = /^\/grow\/\d+\/(?=(?:x\/)*$)/.exec(path)?.[0];
    const index = this.#byPath.get(grown ?? path);
    const resource = index === undefined ? undefined : this.site.resources[index];
    return index === undefined || resource === undefined ? undefined : { index, resource };
  }

  answerTo(url: URL): OracleAnswer {
    if (plainPath(url).startsWith('/denied/')) return { type: 'end', reason: 'robots', status: 0 };
    const found = this.find(url);
    if (found === undefined) return { type: 'end', reason: 'broken', status: 404 };
    const { index, resource } = found;
    switch (resource.kind) {
      case 'page':
      case 'copy':
      case 'trap': {
        const { html, document } = this.render(index, url);
        return { type: 'page', body: Buffer.from(html), read: () => document };
      }
      case 'redirect':
        return { type: 'redirect', status: resource.status, location: this.locationOf(index, resource.to) };
      case 'status':
        return { type: 'end', reason: resource.status < 300 ? 'not-html' : 'broken', status: resource.status };
      case 'file':
        return { type: 'end', reason: 'not-html', status: 200 };
      case 'dead':
        return { type: 'end', reason: 'unreachable', status: 0 };
      case 'denied':
        return { type: 'end', reason: 'robots', status: 0 };
      default:
        return resource satisfies never;
    }
  }

  pathOf(index: number): string {
    const resource = this.site.resources[index] as Resource;
    if (resource.kind === 'trap') return `/grow/${index}/`;
    if (resource.kind === 'denied') return `/denied/p${index}.html`;
    switch (resource.place) {
      case 'root':
        return `/p${index}.html`;
      case 'folder':
        return `/d/p${index}.html`;
      case 'deep':
        return `/d/e/p${index}.html`;
      case 'index':
        return `/i${index}/`;
      case 'query':
        return `/q?id=${index}&b=2`;
      case 'escaped':
        return `/x%20y/%C3%BC${index}.html`;
      default:
        return resource.place satisfies never;
    }
  }

  /** The page whose bytes stand at this index: its own, or those of the page it is a copy of. */
  pageOf(index: number): { readonly page: PageResource; readonly index: number } {
    let at = index;
    for (let step = 0; step < this.site.resources.length; step++) {
      const resource = this.site.resources[at];
      if (resource?.kind === 'page') return { page: resource, index: at };
      if (resource?.kind !== 'copy') break;
      at = resource.of;
    }
    // A copy of nothing is a page of its own, without links.
    const page: PageResource = {
      kind: 'page',
      place: 'root',
      title: 'leaf',
      links: [],
      base: 'none',
      delayMs: 0,
      failuresFirst: 0,
    };
    return { page, index };
  }

  render(index: number, url: URL): { readonly html: string; readonly document: OracleDocument } {
    if (this.site.resources[index]?.kind === 'trap') {
      const title = `grown ${index} ${depthOf(plainPath(url))}`;
      const html = `<!doctype html><title>${title}</title><a href="x/">deeper</a>`;
      return { html, document: { title, hrefs: ['x/'], base: undefined } };
    }
    const { page, index: original } = this.pageOf(index);
    const base = page.base === 'none' ? undefined : page.base === 'root' ? '/' : '/d/';
    const hrefs = page.links.flatMap((link) => {
      const href = this.hrefOf(link, original, base ?? this.pathOf(original));
      return Array.from({ length: link.times }, () => ({ href, shape: link.shape }));
    });
    const anchors = hrefs.map(({ href, shape }) => `<p><a href="${escapeHtml(href, shape)}">link</a></p>`);
    const html = [
      `<!doctype html><html><head><title>${escapeHtml(page.title)}</title>`,
      base === undefined ? '' : `<base href="${base}">`,
      `</head><body><!-- <a href="/decoy/1"> --><link href="/decoy/2"><script>'<a href="/decoy/3">'</script>`,
      `<p>page ${original}</p>`,
      ...anchors,
      '</body></html>',
    ].join('\n');
    const title = page.title.replace(/\s+/g, ' ').trim();
    return { html, document: { title, hrefs: hrefs.map(({ href }) => href), base } };
  }

  hrefOf({ to, shape }: Link, from: number, relativeTo: string): string {
    if (typeof to === 'string' && to !== 'missing' && to !== 'self') return this.offSite(to);
    const path = this.pathTo(to, from);
    switch (shape) {
      case 'absolute':
        return this.origin + path;
      case 'rooted':
      case 'entity':
        return path;
      case 'relative':
        return relativePath(path, relativeTo);
      case 'fragment':
        return `${path}#part`;
      case 'escaped':
        return path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
      case 'dotted':
        return path.includes('?') ? path.replace(/\?(.*)&(.*)/, '?$2&$1') : `/./a/..${path}`;
      case 'padded':
        return `\n  ${path}\t`;
      default:
        return shape satisfies never;
    }
  }

  locationOf(index: number, to: Target): string {
    if (typeof to === 'string' && to !== 'missing' && to !== 'self') return this.offSite(to);
    const path = this.pathTo(to, index);
    return index % 2 === 0 ? path : this.origin + path;
  }

  pathTo(to: number | 'missing' | 'self', from: number): string {
    if (to === 'missing') return '/missing/page.html';
    return this.pathOf(to === 'self' ? from : to);
  }

  offSite(to: Exclude<Target, number | 'missing' | 'self'>): string {
    switch (to) {
      case 'external':
        return 'http://other.invalid/page?b=2&a=1';
      case 'subdomain':
        return this.origin.replace('127.0.0.1', 'localhost');
      case 'mailto':
        return 'mailto:somebody@other.invalid';
      case 'script':
        return 'javascript:void(0)';
      case 'unparsable':
        return 'http://exa mple/';
      default:
        return to satisfies never;
    }
  }
}

function respond(
  model: Model,
  request: IncomingMessage,
  response: ServerResponse,
  failures: Map<string, number>,
): void {
  const url = new URL(request.url ?? '', model.origin);
  if (url.pathname === '/robots.txt') {
    response.writeHead(200, { 'content-type': 'text/plain' }).end('User-agent: *\nDisallow: /denied/\n');
    return;
  }
  const found = model.find(url);
  if (found === undefined) {
    response.writeHead(404, HTML).end('<a href="/decoy/404">not to be followed</a>');
    return;
  }
  const { index, resource } = found;
  switch (resource.kind) {
    case 'page':
    case 'copy':
    case 'trap': {
      const { delayMs, failuresFirst } = model.pageOf(index).page;
      const failed = failures.get(plainPath(url)) ?? 0;
      if (failed < failuresFirst) {
        failures.set(plainPath(url), failed + 1);
        response.writeHead(503, { ...HTML, 'retry-after': '0' }).end();
        return;
      }
      setTimeout(() => response.writeHead(200, HTML).end(model.render(index, url).html), delayMs);
      return;
    }
    case 'redirect':
      response.writeHead(resource.status, { location: model.locationOf(index, resource.to) }).end();
      return;
    case 'status':
      response.writeHead(resource.status, resource.status === 503 ? { ...HTML, 'retry-after': '0' } : HTML);
      response.end(resource.status === 204 ? undefined : '<a href="/decoy/error">not to be followed</a>');
      return;
    case 'file':
      if (resource.type !== '') response.setHeader('content-type', resource.type);
      response.end('<a href="/decoy/file">not to be followed</a>');
      return;
    case 'dead':
      request.socket.destroy();
      return;
    case 'denied':
      response.writeHead(200, HTML).end('<a href="/decoy/denied">not to be fetched</a>');
      return;
    default:
      resource satisfies never;
  }
}

/** Path and query as the server understands them, however they are written. */
function plainPath({ pathname, search }: URL): string {
  const query = search.slice(1).split('&').toSorted().join('&');
  return decodeURIComponent(pathname) + (query === '' ? '' : `?${query}`);
}

/** How many segments a trap has grown. */
function depthOf(path: string): number {
  return path.split('/').filter((segment) => segment === 'x').length;
}

function relativePath(path: string, from: string): string {
  const folder = folderOf(from);
  // A neighbour is named without its folder: then its address is spelled as that of the page is.
  if (folderOf(path) === folder) return `./${path.slice(folder.length)}`;
  const depth = folder.split('/').length - 2;
  return (depth === 0 ? './' : '../'.repeat(depth)) + path.slice(1);
}

function folderOf(path: string): string {
  const [plain = ''] = path.split('?', 1);
  return plain.slice(0, plain.lastIndexOf('/') + 1);
}

function escapeHtml(text: string, shape?: Shape): string {
  const inAnyCase: Record<string, string> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' };
  const besides: Record<string, string> = shape === 'entity' ? { '/': '&#x2f;', p: '&#112;' } : {};
  return text.replace(/[&<"/p]/g, (character) => inAnyCase[character] ?? besides[character] ?? character);
}
