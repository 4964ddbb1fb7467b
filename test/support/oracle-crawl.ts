import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { TextDecoder } from '@exodus/bytes/encoding.js';
import htmlEncodingSniffer from 'html-encoding-sniffer';
import { html, parse, type DefaultTreeAdapterTypes } from 'parse5';

/**
 * An independent crawler to compare with: it walks a site one URL after another and shares no code with the product.
 * By the rules of the design (section 2) it must come to the same graph. `crawlFiles` walks the files on disk as nginx would
 * serve them, with a full HTML parser; `walkSite` walks whatever answers it is given.
 */
export interface OracleGraph {
  readonly pages: readonly OraclePage[];
  /** In order of source, then target. */
  readonly arcs: readonly OracleArc[];
  /** Rows of links.csv: those without a source (0) first, then in order of source, then of first sight of the URL. */
  readonly links: readonly OracleLink[];
  readonly summary: OracleSummary;
}

export interface OraclePage {
  readonly id: number;
  readonly url: string;
  readonly level: number;
  readonly selfLinks: number;
  readonly externalLinks: number;
  readonly title: string;
  readonly bytes: number;
  readonly digest: string;
}

export interface OracleArc {
  readonly source: number;
  readonly target: number;
  readonly weight: number;
}

export interface OracleLink {
  readonly source: number;
  readonly url: string;
  readonly reason: string;
  /** 0 for none. */
  readonly status: number;
  /** Page id, 0 for none. */
  readonly target: number;
  readonly count: number;
}

export interface OracleSummary {
  readonly pages: number;
  readonly arcs: number;
  readonly links: number;
  readonly selfLinks: number;
  readonly externalLinks: number;
  readonly externalUrls: number;
  readonly duplicates: number;
  readonly duplicateLinksLost: number;
  readonly redirects: number;
  readonly broken: number;
  readonly robotsDenied: number;
  readonly levels: readonly number[];
}

/** What a request for a URL comes to. */
export type OracleAnswer =
  | { readonly type: 'page'; readonly body: Buffer; readonly read: () => OracleDocument }
  /** `location` as it stands in the header. */
  | { readonly type: 'redirect'; readonly status: number; readonly location: string }
  | { readonly type: 'end'; readonly reason: EndingReason; readonly status: number };

export interface OracleDocument {
  readonly title: string;
  readonly hrefs: readonly string[];
  readonly base: string | undefined;
}

type EndingReason = 'broken' | 'unreachable' | 'robots' | 'not-html';

export interface WalkOptions {
  readonly startUrl: string;
  readonly answerTo: (url: URL) => OracleAnswer;
  /** URLs that look as if they would go on for ever: listed, not visited. */
  readonly isTrap?: (url: URL) => boolean;
}

interface Url {
  readonly url: string;
  readonly kind: 'visit' | 'external' | 'scheme' | 'too-long' | 'trap';
  fate?: Fate;
  isLinked: boolean;
}

type Fate =
  | { readonly type: 'page' | 'duplicate'; readonly page: number }
  | { readonly type: 'redirect'; readonly status: number; readonly next: Url }
  | { readonly type: EndingReason; readonly status: number };

interface Draft {
  /** As it was fetched. A redirect may spell it otherwise than the link that was seen first. */
  readonly text: string;
  readonly key: string;
  readonly title: string;
  readonly bytes: number;
  readonly digest: string;
  readonly level: number;
  readonly occurrences: Map<Url, number>;
}

/** What does not parse as a URL, behind a scheme that no link has: it is listed as a link of another scheme. */
const UNPARSABLE = 'unparsable-link:';
const MAX_URL_LENGTH = 2_083;
const MAX_REDIRECTS = 10;

export function walkSite(options: WalkOptions): OracleGraph {
  const urls = new Map<string, Url>();
  const pages: Draft[] = [];
  const byDigest = new Map<string, number>();
  const levels = new Map<Url, number>();
  const site = new URL(options.startUrl).host;
  let duplicateLinksLost = 0;

  const kindOf = (text: string): Url['kind'] => {
    const url = new URL(text);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'scheme';
    if (url.host !== site) return 'external';
    if (text.length > MAX_URL_LENGTH) return 'too-long';
    return options.isTrap?.(url) === true ? 'trap' : 'visit';
  };
  const see = (text: string, level: number): Url => {
    const key = urlKey(text);
    let known = urls.get(key);
    if (known === undefined) {
      known = {
        url: text.startsWith(UNPARSABLE) ? text.slice(UNPARSABLE.length) : text,
        kind: kindOf(text),
        isLinked: false,
      };
      urls.set(key, known);
      levels.set(known, level);
    }
    return known;
  };
  const settlePage = (url: Url, text: string, level: number, answer: Extract<OracleAnswer, { type: 'page' }>): void => {
    const digest = createHash('sha256').update(answer.body).digest('hex');
    const twin = byDigest.get(digest);
    if (twin !== undefined) {
      url.fate = { type: 'duplicate', page: twin };
      const original = pages[twin - 1] as Draft;
      const shared = new Set([original.key, urlKey(text)]);
      for (const [key, target] of urls) if (original.occurrences.has(target)) shared.add(key);
      const keys = new Set(linksOf(answer.read(), text).map(urlKey));
      duplicateLinksLost += [...keys].filter((key) => !shared.has(key)).length;
      return;
    }
    const document = answer.read();
    const occurrences = new Map<Url, number>();
    for (const link of linksOf(document, text)) {
      const target = see(link, level + 1);
      target.isLinked = true;
      occurrences.set(target, (occurrences.get(target) ?? 0) + 1);
    }
    pages.push({
      text,
      key: urlKey(text),
      title: document.title,
      bytes: answer.body.length,
      digest,
      level,
      occurrences,
    });
    byDigest.set(digest, pages.length);
    url.fate = { type: 'page', page: pages.length };
  };
  /** Follows the redirects of one URL. A chain that never ends settles only the URL it began with. */
  const visit = (start: Url): void => {
    const level = levels.get(start) as number;
    const chain: { text: string; answer: OracleAnswer }[] = [];
    const texts = new Set<string>();
    const keys = new Set<string>();
    let end: string | undefined = start.url;
    while (end !== undefined) {
      const last = chain.at(-1)?.answer;
      if (texts.has(end) || chain.length > MAX_REDIRECTS) {
        start.fate = { type: 'broken', status: last?.type === 'redirect' ? last.status : 0 };
        return;
      }
      const known = urls.get(urlKey(end));
      const mayVisit =
        known === undefined ? kindOf(end) === 'visit' : known.kind === 'visit' && known.fate === undefined;
      // Another spelling of a URL of this chain is asked for as well: a server may prefer its own.
      if (!mayVisit && !keys.has(urlKey(end))) break;
      texts.add(end);
      keys.add(urlKey(end));
      const answer = options.answerTo(new URL(end));
      chain.push({ text: end, answer });
      if (answer.type !== 'redirect') break;
      end = targetOf(answer.location, end);
    }
    let url = start;
    for (const { text, answer } of withoutDetours(chain)) {
      if (answer.type === 'page') settlePage(url, text, level, answer);
      else if (answer.type === 'end') url.fate = { type: answer.reason, status: answer.status };
      else {
        const target = targetOf(answer.location, text);
        if (target === undefined) url.fate = { type: 'broken', status: answer.status };
        else {
          const next = see(target, level);
          url.fate = { type: 'redirect', status: answer.status, next };
          url = next;
        }
      }
    }
  };

  see(options.startUrl, 0);
  // A Map yields what is added while it is walked: this is the frontier, in order of first sight.
  for (const url of urls.values()) if (url.kind === 'visit' && url.fate === undefined) visit(url);
  return assemble(pages, [...urls.values()], duplicateLinksLost);
}

function linksOf({ hrefs, base }: OracleDocument, pageUrl: string): string[] {
  const against = baseUrl(base, pageUrl);
  return hrefs.map((href) => resolve(href, against));
}

/** Absolute address of a redirect's target, undefined when it is none of http(s). */
function targetOf(location: string, base: string): string | undefined {
  const target = resolve(location, base);
  return /^https?:/.test(target) ? target : undefined;
}

function assemble(drafts: readonly Draft[], urls: readonly Url[], duplicateLinksLost: number): OracleGraph {
  const numbers = new Map(urls.map((url, index) => [url, index]));
  const pages: OraclePage[] = [];
  const arcs: OracleArc[] = [];
  const links: OracleLink[] = [];
  let occurrenceCount = 0;
  for (const url of urls) {
    if (url.kind !== 'visit' || url.isLinked) continue;
    const { page, reason, status } = fateOf(url);
    if (reason !== '') links.push({ source: 0, url: url.url, reason, status, target: page, count: 0 });
  }
  for (const [index, draft] of drafts.entries()) {
    const id = index + 1;
    let selfLinks = 0;
    let external = 0;
    const weights = new Map<number, number>();
    for (const url of [...draft.occurrences.keys()].toSorted((a, b) => at(numbers, a) - at(numbers, b))) {
      const count = at(draft.occurrences, url);
      occurrenceCount += count;
      const { page, reason, status } = fateOf(url);
      if (page === id) selfLinks += count;
      else if (page !== 0) weights.set(page, (weights.get(page) ?? 0) + count);
      if (reason === 'external') external += count;
      if (reason !== '') links.push({ source: id, url: url.url, reason, status, target: page, count });
    }
    for (const [target, weight] of [...weights].toSorted(([a], [b]) => a - b))
      arcs.push({ source: id, target, weight });
    const { text, title, bytes, digest, level } = draft;
    pages.push({ id, url: text, level, selfLinks, externalLinks: external, title, bytes, digest });
  }
  const levels: number[] = [];
  for (const page of pages) levels[page.level] = (levels[page.level] ?? 0) + 1;
  const count = (type: Fate['type']): number => urls.filter((url) => url.fate?.type === type).length;
  const sum = (field: 'selfLinks' | 'externalLinks'): number => pages.reduce((total, page) => total + page[field], 0);
  return {
    pages,
    arcs,
    links,
    summary: {
      pages: pages.length,
      arcs: arcs.length,
      links: occurrenceCount,
      selfLinks: sum('selfLinks'),
      externalLinks: sum('externalLinks'),
      externalUrls: urls.filter((url) => url.kind === 'external' || url.kind === 'scheme').length,
      duplicates: count('duplicate'),
      duplicateLinksLost,
      redirects: count('redirect'),
      broken: count('broken'),
      robotsDenied: count('robots'),
      levels,
    },
  };
}

/** Where a link ends: the page it counts for, and the reason why it is no plain arc (empty for a plain one). */
function fateOf(first: Url): { page: number; reason: string; status: number } {
  const redirectStatus = first.fate?.type === 'redirect' ? first.fate.status : 0;
  const url = lastOf(first);
  if (url.kind !== 'visit')
    return {
      page: 0,
      reason: url.kind,
      status: lastStatusOf(first),
    };
  const { fate } = url;
  if (fate === undefined || fate.type === 'redirect') throw new Error(`no fate: ${url.url}`);
  switch (fate.type) {
    case 'page':
    case 'duplicate': {
      const reason = url !== first ? 'redirect' : fate.type === 'page' ? '' : 'duplicate';
      return { page: fate.page, reason, status: reason === 'redirect' ? redirectStatus : 200 };
    }
    case 'broken':
    case 'unreachable':
    case 'not-html':
    case 'robots':
      return { page: 0, reason: fate.type, status: fate.status === 0 ? lastStatusOf(first) : fate.status };
    default:
      return fate satisfies never;
  }
}

/** A URL that comes again in another spelling counts as if it had answered so at once. */
function withoutDetours<T extends { readonly text: string }>(chain: readonly T[]): T[] {
  const kept: T[] = [];
  for (const item of chain) {
    const before = kept.findIndex(({ text }) => urlKey(text) === urlKey(item.text));
    if (before >= 0) kept.length = before;
    kept.push(item);
  }
  return kept;
}

/** Status of the last redirect on the way: where no page is reached, the row tells the last answer that came. */
function lastStatusOf(url: Url): number {
  if (url.fate?.type !== 'redirect') return 0;
  return lastStatusOf(url.fate.next) || url.fate.status;
}

function lastOf(url: Url): Url {
  return url.fate?.type === 'redirect' ? lastOf(url.fate.next) : url;
}

/* ---- what nginx would answer ---- */

export interface FilesOptions {
  /** Folder that is served at the origin's root. */
  readonly dir: string;
  /** `http://127.0.0.1:8101` */
  readonly origin: string;
  readonly startPath: string;
  /** The redirect and file rules of the synthetic site. */
  readonly synthetic?: boolean;
}

const HTML_EXTENSIONS = new Set(['html', 'htm', 'shtml']);
const INDEX_FILES = ['index.html', 'index.htm', 'index.en.html'];

/** The graph of the files of a folder, as nginx serves them. */
export function crawlFiles(options: FilesOptions): OracleGraph {
  const denied = readDisallowed(options.dir);
  return walkSite({
    startUrl: new URL(options.startPath, options.origin).href,
    answerTo: (url) =>
      denied.some((prefix) => url.pathname.startsWith(prefix))
        ? { type: 'end', reason: 'robots', status: 0 }
        : answerFromFiles(url, options),
  });
}

function answerFromFiles({ pathname, search }: URL, options: FilesOptions): OracleAnswer {
  if (options.synthetic === true) {
    const short = /^\/r\/(\d+)\/(\d+)$/.exec(pathname);
    if (short !== null) return { type: 'redirect', status: 301, location: `/d${short[1]}/p${short[2]}.html` };
    if (pathname.startsWith('/files/')) return { type: 'end', reason: 'not-html', status: 200 };
  }
  let decoded: string;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    return broken(400);
  }
  if (decoded.includes('\0')) return broken(400);
  const relative = path.posix.normalize(decoded.replace(/\/{2,}/g, '/'));
  let file = path.join(options.dir, relative);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return broken(404);
  if (stats.isDirectory()) {
    if (!relative.endsWith('/')) return { type: 'redirect', status: 301, location: `${pathname}/${search}` };
    const folder = file;
    const index = INDEX_FILES.find((name) => statSync(path.join(folder, name), { throwIfNoEntry: false })?.isFile());
    if (index === undefined) return broken(403);
    file = path.join(folder, index);
  } else if (relative.endsWith('/')) return broken(404);
  if (!HTML_EXTENSIONS.has(path.extname(file).slice(1).toLowerCase())) {
    return { type: 'end', reason: 'not-html', status: 200 };
  }
  const body = readFileSync(file);
  return { type: 'page', body, read: () => readDocument(body) };
}

function broken(status: number): OracleAnswer {
  return { type: 'end', reason: 'broken', status };
}

/** `Disallow` prefixes for everybody; enough for the robots.txt files of the sites of these tests, refused otherwise. */
function readDisallowed(dir: string): string[] {
  const file = path.join(dir, 'robots.txt');
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return [];
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (lines[0] !== 'User-agent: *') throw new Error('this oracle reads only a robots.txt for everybody');
  return lines.slice(1).flatMap((line) => {
    if (/^Crawl-delay: 0$/.test(line)) return [];
    const prefix = /^Disallow: ([^*$]+)$/.exec(line)?.[1];
    if (prefix === undefined) throw new Error(`this oracle does not know the robots.txt line ${line}`);
    return [prefix];
  });
}

/* ---- documents ---- */

type Node = DefaultTreeAdapterTypes.Node;

/**
 * A tag of the source counts once, in source order: the copies that a parser makes of misnested formatting elements, and the
 * places it moves elements to, are not what the page says.
 */
function readDocument(body: Buffer): OracleDocument {
  const encoding = htmlEncodingSniffer(body);
  const document = parse(new TextDecoder(encoding).decode(body), {
    scriptingEnabled: false,
    sourceCodeLocationInfo: true,
  });
  const bySource = new Map<number, DefaultTreeAdapterTypes.Element>();
  const stack: Node[] = [document];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if ('tagName' in node && node.sourceCodeLocation) bySource.set(node.sourceCodeLocation.startOffset, node);
    // The content of a template is a document of its own and not among the child nodes.
    if ('childNodes' in node) for (const child of node.childNodes) stack.push(child);
  }
  const elements = [...bySource].toSorted(([a], [b]) => a - b).map(([, element]) => element);
  const hrefs: string[] = [];
  for (const { tagName, namespaceURI, attrs } of elements) {
    if (tagName !== 'a') continue;
    const plain = attrs.find(({ name, prefix }) => name === 'href' && !prefix);
    const link = plain ?? (namespaceURI === html.NS.SVG ? attrs.find(({ name }) => name === 'href') : undefined);
    if (link === undefined) continue;
    hrefs.push(link.value);
    if (encoding !== 'UTF-8' && /[^\0-\x7f]/.test(link.value.split('#')[0]?.split('?')[1] ?? '')) {
      throw new Error(`a query with non-ASCII characters in a page in ${encoding}: not for this oracle`);
    }
  }
  const ofHtml = elements.filter(({ namespaceURI }) => namespaceURI === html.NS.HTML);
  const title = ofHtml.find(({ tagName }) => tagName === 'title');
  const base = ofHtml
    .filter(({ tagName }) => tagName === 'base')
    .flatMap(({ attrs }) => attrs.filter(({ name }) => name === 'href'))[0]?.value;
  return { title: title === undefined ? '' : textOf(title), hrefs, base };
}

function textOf(element: DefaultTreeAdapterTypes.Element): string {
  const text = element.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
  return text
    .replace(/[\t\n\f\r ]+/g, ' ')
    .trim()
    .slice(0, 1_024);
}

/* ---- URLs ---- */

function baseUrl(base: string | undefined, documentUrl: string): string {
  if (base === undefined || !URL.canParse(base, documentUrl)) return documentUrl;
  return new URL(base, documentUrl).href;
}

/** Absolute, without fragment; what does not parse is kept as it is, behind a scheme that no URL has. */
function resolve(href: string, base: string): string {
  if (!URL.canParse(href, base)) return UNPARSABLE + href.trim();
  const url = new URL(href, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return url.href;
  url.hash = '';
  // User data of a link is neither sent nor listed.
  url.username = '';
  url.password = '';
  return url.href;
}

/** Design section 2, the rules that are on by default. (`new URL` has lower-cased, resolved dots and dropped default ports.) */
export function urlKey(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return text;
  const query = unescapePlain(url.search.slice(1))
    .split('&')
    .toSorted((a, b) => compareText(nameOf(a), nameOf(b)))
    .join('&');
  return `${url.protocol}//${url.host}${unescapePlain(url.pathname)}${query === '' ? '' : `?${query}`}`;
}

/** Upper-case escapes, and none for characters that need none. */
function unescapePlain(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[A-Za-z0-9\-._~]/.test(character) ? character : code.toUpperCase();
  });
}

function nameOf(parameter: string): string {
  return parameter.split('=', 1)[0] as string;
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function at<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`not in the map: ${String(key)}`);
  return value;
}
