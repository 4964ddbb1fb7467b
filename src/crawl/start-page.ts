import type { Fate } from '../store/records.ts';
import { siteOf } from '../web/site-name.ts';
import type { RobotsGate, RobotsVerdict } from './robots-gate.ts';
import type { Hop, VisitResult } from './visit-result.ts';

/** What the visit of the start URL says about the site. */
export type Start =
  | {
      readonly type: 'ready';
      /** The host that is the site: that of the page the start URL leads to. */
      readonly site: string;
      readonly startUrl: string;
      readonly result: VisitResult;
    }
  | {
      readonly type: 'failed';
      readonly reason: 'robots-unreachable' | 'start-denied' | 'start-unreachable';
      readonly fate: Fate;
      readonly url: string;
    }
  | { readonly type: 'aborted' };

/** Judges the visit of the start URL. Only here a redirect may lead to another host: that host is the site then. */
export async function judgeStart(result: VisitResult, robots: RobotsGate, signal: AbortSignal): Promise<Start> {
  const last = result.hops.at(-1);
  if (last === undefined || last.outcome.type === 'aborted') return { type: 'aborted' };
  if (result.end === 'loop' || result.end === 'too-many' || last.outcome.type === 'redirect') {
    const detail = result.end === 'loop' ? 'redirects in a loop' : 'more than 10 redirects';
    return { type: 'failed', reason: 'start-unreachable', url: last.url, fate: brokenFate(last, detail) };
  }
  if (last.outcome.type === 'page') {
    return { type: 'ready', site: siteOf(last.url), startUrl: last.url, result };
  }
  const { fate } = last.outcome;
  const verdict = await robots.check(last.url, signal);
  return { type: 'failed', reason: reasonOf(verdict), url: last.url, fate };
}

function reasonOf(verdict: RobotsVerdict): Extract<Start, { type: 'failed' }>['reason'] {
  if (verdict.allowed) return 'start-unreachable';
  if ('rule' in verdict) return 'start-denied';
  // Where nobody listens it is not robots.txt that is missing.
  return NO_SERVER.test(verdict.unreachable.detail) ? 'start-unreachable' : 'robots-unreachable';
}

const NO_SERVER = /^(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|connect-timeout)\b/;

/** A start URL on another host, or with stops on the way that are not of the site: the chain is kept as one redirect. */
export function shortenChain(result: VisitResult, isOfSite: (url: string) => boolean): VisitResult {
  const { hops } = result;
  const first = hops[0];
  const last = hops.at(-1);
  if (first === undefined || last === undefined || hops.slice(1).every((hop) => isOfSite(hop.url))) return result;
  return { ...result, hops: [first, last] };
}

function brokenFate(hop: Hop, detail: string): Fate {
  const status = hop.outcome.type === 'redirect' ? hop.outcome.status : 0;
  return { type: 'broken', status, target: 0, detail };
}
