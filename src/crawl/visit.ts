import { CookieJar, type GivenCookie } from '../fetch/cookie-jar.ts';
import type { FetchFunction, FetchOutcome, ResponseHeaders } from '../fetch/outcome.ts';
import type { Fate, FateType } from '../store/records.ts';
import { parseContentType } from '../web/media-type.ts';
import type { FrontierEntry } from './frontier.ts';
import type { RememberedAnswers } from './remembered-answers.ts';
import { readPage, refreshTarget, type ReadPageOptions } from './read-page.ts';
import type { RobotsVerdict } from './robots-gate.ts';
import type { Hop, HopOutcome, VisitResult } from './visit-result.ts';

/** Fetch standard: a chain is given up after this many redirects; the design sets 10. */
const MAX_REDIRECTS = 10;

export interface VisitDeps {
  readonly fetch: FetchFunction;
  readonly robots: (url: string, signal: AbortSignal) => RobotsVerdict | Promise<RobotsVerdict>;
  readonly reading: ReadPageOptions;
  readonly cookies: readonly GivenCookie[];
  /** Answers of a former crawl that need not be fetched again. */
  readonly remembered: RememberedAnswers | undefined;
  readonly followMetaRefresh: boolean;
  /** Whether a redirect to this URL may be followed: false where its kind forbids it or its fate is known. */
  readonly mayFollow: (url: string, key: string) => boolean | Promise<boolean>;
  /** Exchanges of visits that are not committed yet, by URL as it was asked for: each is made once, whoever asks. */
  readonly exchanges: Map<string, Promise<HopOutcome>>;
  /** Aborted when the crawl begins to stop: nothing new is asked. */
  readonly stopSignal: AbortSignal;
  /** Aborted when what is under way must end too. */
  readonly signal: AbortSignal;
}

/** Visits a frontier URL and follows its redirects. Never throws for what the web does. */
export async function visit(entry: FrontierEntry, deps: VisitDeps): Promise<VisitResult> {
  const { urlKey } = deps.reading;
  const hops: Hop[] = [];
  const seen = new Map<string, number>();
  const keys = new Set<string>();
  let jar: CookieJar | undefined;
  let url = entry.url;
  const result = (end: VisitResult['end']): VisitResult => ({ number: entry.number, level: entry.level, hops, end });
  for (;;) {
    const key = urlKey(url);
    const jarVersion = jar?.version ?? 0;
    // By the URL, not its key: a server may redirect to its own spelling of the same URL. And the same URL with other cookies is
    // another question (a page that sets a cookie and sends the reader back).
    if (seen.get(url) === jarVersion) return result('loop');
    if (hops.length > MAX_REDIRECTS) return result('too-many');
    if (hops.length > 0 && !keys.has(key) && !(await deps.mayFollow(url, key))) {
      return { ...result('next'), next: { url, key } };
    }
    seen.set(url, jarVersion);
    keys.add(key);
    jar ??= new CookieJar(deps.cookies);
    const outcome = await (jarVersion === 0 ? sharedExchange(url, key, jar, deps) : exchange(url, jar, deps));
    hops.push({ url, key, outcome });
    if (outcome.type === 'aborted') return result('aborted');
    if (outcome.type !== 'redirect') return result('hop');
    if (outcome.setCookies.length > 0) jar.store(url, outcome.setCookies);
    url = outcome.url;
  }
}

/** One exchange per URL among the visits under way. (Once a chain has cookies of its own, its exchanges are its own too.) */
async function sharedExchange(url: string, key: string, jar: CookieJar, deps: VisitDeps): Promise<HopOutcome> {
  const known = deps.exchanges.get(url);
  if (known !== undefined) return known;
  const made = recallOrAsk(url, key, jar, deps);
  deps.exchanges.set(url, made);
  const outcome = await made;
  if (outcome.type === 'aborted') deps.exchanges.delete(url);
  return outcome;
}

async function recallOrAsk(url: string, key: string, jar: CookieJar, deps: VisitDeps): Promise<HopOutcome> {
  return (await deps.remembered?.find(url, key)) ?? exchange(url, jar, deps);
}

async function exchange(url: string, jar: CookieJar, deps: VisitDeps): Promise<HopOutcome> {
  const pending = deps.robots(url, deps.stopSignal);
  const verdict = pending instanceof Promise ? await pending : pending;
  if (deps.stopSignal.aborted) return { type: 'aborted' };
  if (!verdict.allowed) return { type: 'end', fate: robotsFate(verdict) };
  const cookie = jar.headerFor(url);
  const outcome = await deps.fetch({
    url,
    ...(cookie !== undefined && { headers: { cookie } }),
    wantsBody: isPage,
    signal: deps.signal,
  });
  return judge(url, outcome, deps);
}

/** Only 200 text/html is a page (design section 2); nothing else is worth its bytes here. */
function isPage(status: number, headers: ResponseHeaders): boolean {
  return status === 200 && parseContentType(headers.get('content-type')).essence === 'text/html';
}

function judge(url: string, outcome: FetchOutcome, deps: VisitDeps): HopOutcome {
  switch (outcome.type) {
    case 'failed':
      return endWith(outcome.reason, 0, outcome.detail === '' ? outcome.code : `${outcome.code}: ${outcome.detail}`);
    case 'refused':
      return judgeRefused(outcome.reason, outcome.status, outcome.detail);
    case 'redirect': {
      const { location, status, headers } = outcome;
      if ('url' in location) {
        return { type: 'redirect', status, url: location.url, setCookies: headers.getAll('set-cookie') };
      }
      return endWith('broken', status, `redirects to ${location.text.slice(0, 200)}`);
    }
    case 'response': {
      if (outcome.status !== 200 || outcome.body === undefined) return judgeOther(outcome.status, outcome.headers);
      const { page, metaRefresh } = readPage(url, outcome, outcome.body, deps.reading);
      if (deps.followMetaRefresh && metaRefresh !== undefined) {
        const target = refreshTarget(metaRefresh, url);
        if (target !== undefined && deps.reading.urlKey(target) !== deps.reading.urlKey(url)) {
          return { type: 'redirect', status: 200, url: target, setCookies: [] };
        }
      }
      return { type: 'page', page };
    }
    default:
      return outcome satisfies never;
  }
}

function judgeRefused(reason: 'size' | 'address' | 'encoding' | 'aborted', status: number, detail: string): HopOutcome {
  if (reason === 'aborted') return { type: 'aborted' };
  return reason === 'encoding' ? endWith('not-html', status, detail) : endWith(reason, status, detail);
}

/** Anything but 200 text/html. A status of 4xx and 5xx, or a 3xx that leads nowhere, is a broken link; the rest is no HTML page. */
function judgeOther(status: number, headers: ResponseHeaders): HopOutcome {
  if (status >= 300) return endWith('broken', status, '');
  const { essence } = parseContentType(headers.get('content-type'));
  return endWith('not-html', status, essence === '' ? 'no media type' : essence);
}

function endWith(type: FateType, status: number, detail: string): HopOutcome {
  return { type: 'end', fate: { type, status, target: 0, detail } };
}

function robotsFate(verdict: Exclude<RobotsVerdict, { allowed: true }>): Fate {
  if ('rule' in verdict) return { type: 'robots', status: 0, target: 0, detail: verdict.rule };
  const { status, detail } = verdict.unreachable;
  return status > 0
    ? { type: 'robots', status, target: 0, detail: `robots.txt answered ${status}` }
    : { type: 'unreachable', status: 0, target: 0, detail: `robots.txt: ${detail}` };
}
