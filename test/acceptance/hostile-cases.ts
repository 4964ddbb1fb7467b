import { expect } from 'vitest';
import { urlKey } from '../support/oracle-crawl.ts';
import type { Results } from '../support/read-results.ts';

/** One case as `/__expect` of the hostile server describes it. */
export interface HostileCase {
  readonly group: string;
  readonly path: string;
  readonly expect: string;
  /** False: the group's page does not link to it. */
  readonly link?: boolean;
  readonly title?: string;
  readonly requests?: readonly string[];
  readonly hrefs?: readonly (readonly [href: string, expected: string])[];
}

export interface LoggedRequest {
  readonly t: number;
  readonly mode: string;
  readonly host: string;
  readonly url: string;
  readonly cookie?: string;
}

/** What a crawl of one group left: its files, and what the server saw. */
export class Evidence {
  readonly results: Results;
  readonly log: readonly LoggedRequest[];
  readonly origin: string;
  readonly #keys: ReadonlySet<string>;

  constructor(results: Results, log: readonly LoggedRequest[], origin: string) {
    this.results = results;
    this.log = log;
    this.origin = origin;
    this.#keys = new Set(log.map(({ url }) => urlKey(origin + url)));
  }

  /** What became of a URL: the reason in links.csv, or `page` when it leads to a node. */
  endOf(path: string): { readonly end: string; readonly status: number; readonly page: number } {
    const key = urlKey(this.origin + path);
    const row = this.results.links.find(({ url }) => isHttp(url) && urlKey(url) === key);
    if (row !== undefined) return { end: row.target > 0 ? 'page' : row.reason, status: row.status, page: row.target };
    const node = this.results.nodes.find(({ url }) => urlKey(url) === key);
    return node === undefined ? { end: 'unknown', status: 0, page: 0 } : { end: 'page', status: 200, page: node.id };
  }

  /** Whether the server saw a request for it, however it was spelled. */
  hasRequest(path: string): boolean {
    return this.#keys.has(urlKey(this.origin + path));
  }

  requestsBelow(prefix: string): readonly LoggedRequest[] {
    return this.log.filter(({ url }) => url.startsWith(prefix));
  }

  nodesBelow(prefix: string): number {
    return this.results.nodes.filter(({ label }) => label.startsWith(prefix)).length;
  }
}

export type Check = (evidence: Evidence, hostile: HostileCase) => void;

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:/.test(url);
}

/** A node; the links of it that must be followed. */
function page(...follows: string[]): Check {
  return (evidence, { path }) => {
    expect(evidence.endOf(path).end).toBe('page');
    for (const target of follows) expect(evidence.hasRequest(target), `request for ${target}`).toBe(true);
  };
}

/** No node, for one of these reasons. */
function ends(...reasons: string[]): Check {
  return (evidence, { path }) => {
    const { end } = evidence.endOf(path);
    expect(reasons, `${path} ended as ${end}`).toContain(end);
  };
}

/** The design leaves a choice, or the case asks only that the crawl goes on: accounted for by any reason. */
const accounted: Check = (evidence, { path }) => {
  expect(evidence.endOf(path).end).not.toBe('unknown');
};

function avoids(...targets: string[]): Check {
  return (evidence) => {
    for (const target of targets) expect(evidence.hasRequest(target), `request for ${target}`).toBe(false);
  };
}

function status(expected: number): Check {
  return (evidence, { path }) => expect(evidence.endOf(path).status).toBe(expected);
}

function all(...checks: Check[]): Check {
  return (evidence, hostile) => {
    for (const check of checks) check(evidence, hostile);
  };
}

function requestsAtMost(prefix: string, most: number): Check {
  return (evidence) => expect(evidence.requestsBelow(prefix).length).toBeLessThanOrEqual(most);
}

function nodesExactly(prefix: string, count: number): Check {
  return (evidence) => expect(evidence.nodesBelow(prefix)).toBe(count);
}

const LEAF = { body: '/body/leaf?from=', head: '/head/leaf?from=', redir: '/redir/leaf?from=', mk: '/mk/leaf?' };

function markup(...follows: string[]): Check {
  return all(page(...follows.map((query) => LEAF.mk + query)), (evidence) => {
    expect(evidence.log.filter(({ url }) => url.split('?')[0] === '/mk/no')).toEqual([]);
  });
}

const unanswered = ends('unreachable', 'timeout');
const notFollowed = ends('broken', 'scheme');

function bytesOf(target: string): string {
  return target.replace(/%([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

const charset: Check = (evidence, { path, title, requests = [] }) => {
  const { end, page: id } = evidence.endOf(path);
  expect(end).toBe('page');
  // None of these says its title in a way that the standard lets one find.
  const hasTitle = !['none-1251', 'late-meta', 'broken-utf8', 'gbk-trap', 'utf7'].some((name) => path.endsWith(name));
  if (hasTitle) expect(evidence.results.nodes[id - 1]?.title).toBe(title);
  for (const request of requests) {
    // Of a query that depends on the state of the encoder only the path is given.
    const wasSent = request.endsWith('/q')
      ? evidence.requestsBelow(request).length > 0
      : // URL standard, "percent-encode after encoding": bytes such as @ { and \\ stay as they are in a query, though the
        // server's list escapes them (big5-meta, sjis-meta). The bytes are what counts.
        evidence.log.some(({ url }) => bytesOf(url) === bytesOf(request));
    expect(wasSent, `request for ${request}`).toBe(true);
  }
};

/** Each href of the page, by what the server says of it. */
const hrefIndex: Check = (evidence, { path, hrefs = [] }) => {
  expect(evidence.endOf(path).end).toBe('page');
  expect(hrefs.length).toBeGreaterThan(50);
  const source = evidence.endOf(path).page;
  const rows = evidence.results.links.filter((row) => row.source === source);
  const count = (reason: string): number => rows.filter((row) => row.reason === reason).length;
  const expectedOf = (word: string): number => hrefs.filter(([, expected]) => expected.startsWith(word)).length;
  for (const [href, expected] of hrefs) {
    // Rules 3.2 and 3.6 are off, and what is fetched is what was linked.
    const isByRule = / if rule 3\.[26]/.test(expected);
    const target = isByRule ? href : /^\/\S*/.exec(expected)?.[0].replace(/[,;]$/, '');
    if (target !== undefined) expect(evidence.hasRequest(target), `request for ${target} (${href})`).toBe(true);
  }
  expect(evidence.hasRequest('/href/index?q')).toBe(true);
  expect(count('external')).toBe(expectedOf('external') + expectedOf('other port'));
  // Two spellings of one javascript: URL are one; an https: URL is of the site, and nobody answers there.
  expect(count('scheme')).toBeGreaterThanOrEqual(expectedOf('ignored') + expectedOf('invalid') - 2);
  expect(evidence.requestsBelow('/href/https').length).toBe(0);
  expect(evidence.results.nodes[source - 1]?.selfLinks).toBeGreaterThanOrEqual(2);
};

const base = (target: string): Check => page(target);

export const HOSTILE_CHECKS: Readonly<Record<string, Check>> = {
  '/body/drip': ends('timeout'),
  '/body/endless': ends('size'),
  '/body/silent': ends('timeout'),
  '/body/reset': all(unanswered, avoids(`${LEAF.body}reset`)),
  '/body/cl-long': all(unanswered, avoids(`${LEAF.body}cl-long`)),
  '/body/cl-two': unanswered,
  '/body/http10': page(`${LEAF.body}http10`),
  '/body/chunk-trailer': page(`${LEAF.body}trailer`),
  '/body/chunk-bad': unanswered,
  '/body/chunk-cut': unanswered,
  '/body/gzip-bomb': ends('size'),
  '/body/gzip': page(`${LEAF.body}gzip`),
  '/body/gzip-twice': ends('page', 'not-html', 'unreachable'),
  '/body/gzip-cut': all(ends('unreachable', 'not-html'), avoids(`${LEAF.body}gzipcut`)),
  '/body/gzip-liar': accounted,
  '/body/gzip-tail': page(`${LEAF.body}tail`),
  '/body/deflate-raw': page(`${LEAF.body}raw`),
  '/body/deflate': page(`${LEAF.body}zlib`),
  '/body/br': page(`${LEAF.body}br`),
  '/body/enc-none': page(`${LEAF.body}none`),
  '/body/enc-unknown': ends('not-html', 'unreachable'),
  '/body/204': all(ends('not-html'), status(204)),
  '/body/304': all(ends('broken', 'not-html'), status(304)),
  '/body/early-hints': all(page(`${LEAF.body}103`), avoids(`${LEAF.body}hint`)),
  '/body/many-links': ends('size', 'page'),
  '/body/deep': page(`${LEAF.body}deep`),
  '/body/deep-b': page(`${LEAF.body}deepb`),
  '/body/long-attr': page(`${LEAF.body}longattr`),
  '/body/open-angles': page(`${LEAF.body}angles`),
  '/body/nul': all(page(`${LEAF.body}nul`), avoids('/body/no')),
  '/body/binary': page(),

  '/head/huge': ends('unreachable', 'page'),
  '/head/many': ends('unreachable', 'page'),
  '/head/empty-type': all(ends('not-html'), avoids(`${LEAF.head}emptytype`)),
  '/head/plain': all(ends('not-html'), avoids(`${LEAF.head}plain`)),
  '/head/xhtml': all(ends('not-html'), avoids(`${LEAF.head}xhtml`)),
  '/head/params': page(`${LEAF.head}params`),
  '/head/prefix': all(ends('not-html'), avoids(`${LEAF.head}prefix`)),
  '/head/two-types': ends('page', 'not-html'),
  '/head/lf-only': ends('page', 'unreachable'),
  '/head/fold': ends('page', 'unreachable'),
  '/head/bad-char': ends('unreachable', 'page'),
  '/head/no-reason': page(`${LEAF.head}noreason`),
  ...Object.fromEntries(
    [201, 203, 400, 401, 402, 403, 404, 410, 418, 451, 500, 501, 502, 504, 999].map((code) => [
      `/head/st/${code}`,
      all(ends(code < 300 ? 'not-html' : 'broken'), status(code), avoids(`${LEAF.head}st${code}`)),
    ]),
  ),
  '/head/refresh': all(page(`${LEAF.head}refresh`), avoids(`${LEAF.head}refresh-target`)),
  '/head/link': all(page(), avoids(`${LEAF.head}link-header`)),
  '/head/xrobots': page(`${LEAF.head}xrobots`),
  // Not linked: crawled on its own.
  '/head/cookie-bomb': (evidence) => expect(evidence.requestsBelow('/head/cookie-bomb').length).toBe(0),

  '/redir/self': all(ends('broken'), requestsAtMost('/redir/self', 2)),
  '/redir/pair-a': all(ends('broken'), requestsAtMost('/redir/pair-', 4)),
  '/redir/rho': all(ends('broken'), requestsAtMost('/redir/rho', 6)),
  '/redir/grow/x': all(ends('broken', 'trap', 'too-long'), requestsAtMost('/redir/grow/', 12)),
  '/redir/count?n=1': all(ends('broken'), requestsAtMost('/redir/count', 12)),
  '/redir/chain?n=5': page('/redir/end'),
  '/redir/chain?n=25': ends('broken'),
  '/redir/st/300': all(ends('broken'), status(300), avoids('/redir/end?st=300')),
  '/redir/st/305': all(ends('broken'), status(305), avoids('/redir/end?st=305')),
  ...Object.fromEntries([301, 302, 303, 307, 308].map((code) => [`/redir/st/${code}`, page(`/redir/end?st=${code}`)])),
  '/redir/noloc': all(ends('broken'), avoids(`${LEAF.redir}noloc`)),
  '/redir/emptyloc': all(ends('broken'), requestsAtMost('/redir/emptyloc', 2)),
  '/redir/slash': (evidence) => {
    const { page: id } = evidence.endOf('/redir/slash');
    expect(evidence.results.nodes[id - 1]?.label).toBe('/redir/dir/');
    expect(evidence.hasRequest('/redir/dir/rel.html')).toBe(true);
  },
  '/redir/space': page('/redir/end?a%20b'),
  '/redir/utf8': page('/redir/%D0%BA%D0%BE%D0%BD%D0%B5%D1%86', `${LEAF.redir}utf8`),
  '/redir/frag': all(page('/redir/end?f'), (evidence) => {
    expect(evidence.results.nodes.filter(({ url }) => url.includes('#'))).toEqual([]);
  }),
  '/redir/twoloc': ends('page', 'broken'),
  ...Object.fromEntries(
    ['js', 'data', 'file', 'mail', 'bad', 'badport'].map((name) => [`/redir/to-${name}`, notFollowed]),
  ),
  '/redir/to-other-host': all(ends('external'), avoids('/redir/foreign', '/redir/foreign2')),
  '/redir/to-pdf': ends('not-html'),
  '/redir/to-blocked': all(ends('robots'), avoids('/blocked/x')),
  '/redir/to-closed': ends('external', 'unreachable'),
  '/redir/cookie': page(),
  '/redir/meta': all(page(`${LEAF.redir}meta`), avoids('/redir/end?meta')),

  // `--max-pages` ends it.
  '/trap/cal?y=2026&m=1': all(page(), (evidence) => {
    expect(['pages', 'trap', 'timeout']).toContain(evidence.results.summary.endReason);
    expect(evidence.results.summary.complete).toBe(false);
  }),
  // The server's wish of one node by content cannot come true: the random link is part of the bytes, so no two answers are
  // equal. The page limit bounds it, and drop-session-parameters folds `;jsessionid=` (`sid` is nobody's name but its own).
  '/trap/sid': page(),
  '/trap/jsid': page(),
  '/trap/rel/': all(nodesExactly('/trap/rel/', 1), requestsAtMost('/trap/rel/', 3)),
  '/trap/pathinfo/i.php': all(nodesExactly('/trap/pathinfo/', 1), requestsAtMost('/trap/pathinfo/', 3)),
  '/trap/unique/': page(),
  '/trap/facets': all(page(), (evidence) => expect(evidence.nodesBelow('/trap/facets')).toBeLessThanOrEqual(8)),
  '/trap/soft404': all(page(), nodesExactly('/trap/s404/', 1)),
  '/trap/soft404-echo': page(),
  '/trap/query-long': all(page(), (evidence) => {
    expect(evidence.requestsBelow('/trap/ok').length).toBe(0);
    expect(evidence.results.links.some(({ url, reason }) => url.includes('/trap/ok') && reason === 'too-long')).toBe(
      true,
    );
  }),
  '/trap/case': (evidence) => {
    const upper = evidence.endOf('/trap/CI/Page');
    const lower = evidence.endOf('/trap/ci/page');
    expect([upper.end, lower.end]).toEqual(['page', 'page']);
    expect(upper.page).toBe(lower.page);
  },
  '/trap/dup/': all(avoids('/trap/dup/y/child'), (evidence) => {
    expect(evidence.hasRequest('/trap/dup/x/child')).toBe(true);
    expect(evidence.endOf('/trap/dup/y/').page).toBe(evidence.endOf('/trap/dup/x/').page);
    expect(evidence.results.summary['duplicateLinksLost']).toBeGreaterThanOrEqual(1);
  }),

  '/href/index': hrefIndex,
  '/href-base/abs': base('/href/based/x'),
  '/href-base/two': base('/href/first/x'),
  '/href-base/late': base('/href/late/x'),
  '/href-base/comment': base('/href-base/x-comment'),
  '/href-base/target': base('/href/b2/x'),
  '/href-base/other': base('/href/in'),
  '/href-base/data': base('/href-base/x-data'),
  '/href-base/frag': base('/href/fb'),

  '/mk/unclosed': markup('unclosed'),
  '/mk/eof-tag': all(markup('a'), avoids(`${LEAF.mk}b`)),
  '/mk/eof-quote': all(markup('a'), avoids(`${LEAF.mk}b`)),
  '/mk/noquote': markup('nq', 'nq2'),
  '/mk/single': markup('s'),
  '/mk/noblank': markup('nb'),
  '/mk/dupattr': all(markup('1'), avoids(`${LEAF.mk}2`)),
  '/mk/comment': markup('c1', 'c2'),
  '/mk/condcomment': markup('notie'),
  '/mk/script': markup('afterscript'),
  '/mk/script-esc': markup('esc'),
  '/mk/style': markup('st'),
  '/mk/textarea': markup('ta'),
  '/mk/noscript': markup('ns'),
  '/mk/template': markup('tp'),
  '/mk/plaintext': markup('p1'),
  '/mk/nested': markup('n1', 'n2'),
  '/mk/table': markup('tb'),
  '/mk/select': markup(),
  // An `<a>` of SVG is an `<a>`, by `href` or by `xlink:href`.
  '/mk/svg': markup('svg1', 'svg2'),
  '/mk/area': all(markup(), avoids(`${LEAF.mk}area`)),
  '/mk/frameset': all(markup(), avoids(`${LEAF.mk}nf`, `${LEAF.mk}fr`)),
  '/mk/iframe': all(markup(), avoids('/mk/frame')),
  '/mk/xml': markup('xml'),
  '/mk/bodies': markup('b1', 'b2'),
  '/mk/cdata': markup('cd'),
  '/mk/nofollow': markup('nofollow'),
  '/mk/onclick': markup(),
  '/mk/longtext': markup('lt'),
  '/mk/entities': markup(),

  '/rate/429': all(page('/rate/leaf?from=429'), (evidence) => {
    const [first, second] = evidence.requestsBelow('/rate/429').filter(({ url }) => url === '/rate/429');
    expect((second?.t ?? 0) - (first?.t ?? 0)).toBeGreaterThanOrEqual(1_950);
  }),
  '/rate/429-day': all(ends('broken'), status(429)),
  '/rate/429-bad': page('/rate/leaf?from=429b'),
  '/rate/503-flap': page('/rate/leaf?from=flap'),
  '/rate/503': all(ends('broken'), status(503), (evidence) => {
    expect(evidence.log.filter(({ url }) => url === '/rate/503').length).toBe(3);
  }),
  '/rate/conn-flap': page('/rate/leaf?from=conn'),
  '/rate/cookie': page(),
  '/rate/cookie-scope': all(page(), (evidence) => {
    for (const { cookie = '' } of evidence.log) expect(cookie).not.toMatch(/\b(bad|sec|far|old)=/);
  }),
  '/rate/auth': all(ends('broken'), status(401)),
};

/** The check of a case; the groups for archives and browsers only have to end here. */
export function checkOf({ group, path }: HostileCase): Check | undefined {
  if (group === 'charset') return charset;
  if (group === 'names' || group === 'res' || group === 'js') return accounted;
  return HOSTILE_CHECKS[path];
}
