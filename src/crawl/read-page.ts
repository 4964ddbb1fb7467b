import { hash } from 'node:crypto';
import type { ResponseOutcome } from '../fetch/outcome.ts';
import { PAGE_FLAGS } from '../store/records.ts';
import { parseContentType } from '../web/media-type.ts';
import { scanPage } from '../web/scan-page.ts';
import type { LinkKind } from '../web/scan-result.ts';
import { resolvePageLinks } from './page-links.ts';
import type { ParsedPage } from './visit-result.ts';

export interface ReadPageOptions {
  readonly kinds: ReadonlySet<LinkKind>;
  readonly urlKey: (url: string) => string;
}

/** Reads a 200 text/html answer: its digest, what it says of itself, and its links. Also gives the meta refresh, which only some crawls follow. */
export function readPage(
  url: string,
  response: ResponseOutcome,
  body: Uint8Array,
  options: ReadPageOptions,
): { readonly page: ParsedPage; readonly metaRefresh: string | undefined } {
  const { charset } = parseContentType(response.headers.get('content-type'));
  const scanned = scanPage(body, { headerCharset: charset, kinds: options.kinds });
  const links = resolvePageLinks(scanned.links, baseOf(url, scanned.base), scanned.encoding, options.urlKey);
  return {
    page: {
      title: scanned.title,
      bytes: body.byteLength,
      digest: hash('sha256', body, 'buffer'),
      flags: pageFlags(scanned.metaRobots, response.headers.get('x-robots-tag'), scanned.metaRefresh !== undefined),
      linksCut: scanned.linksCut,
      links,
    },
    metaRefresh: scanned.metaRefresh,
  };
}

/** WHATWG HTML 4.2.3: the base URL, unless it does not parse or is a data: or javascript: URL. */
function baseOf(pageUrl: string, base: string | undefined): string {
  if (base === undefined) return pageUrl;
  try {
    const url = new URL(base, pageUrl);
    return url.protocol === 'data:' || url.protocol === 'javascript:' ? pageUrl : url.href;
  } catch {
    return pageUrl;
  }
}

function pageFlags(metaRobots: string, robotsTag: string | undefined, refreshes: boolean): number {
  let flags = refreshes ? PAGE_FLAGS.refresh : 0;
  if (metaRobots !== '') {
    if (/\b(nofollow|none)\b/.test(metaRobots)) flags |= PAGE_FLAGS.metaNofollow;
    if (/\b(noindex|none)\b/.test(metaRobots)) flags |= PAGE_FLAGS.metaNoindex;
  }
  if (robotsTag !== undefined) {
    if (/\b(nofollow|none)\b/i.test(robotsTag)) flags |= PAGE_FLAGS.headerNofollow;
    if (/\b(noindex|none)\b/i.test(robotsTag)) flags |= PAGE_FLAGS.headerNoindex;
  }
  return flags;
}

/** Target of a meta refresh (WHATWG HTML 4.2.5.3), undefined when it only reloads or does not parse. */
export function refreshTarget(content: string, pageUrl: string): string | undefined {
  const match = /^\s*[\d.]+\s*(?:[;,]\s*|\s+)(?:url\s*=\s*)?(.+)$/is.exec(content);
  const text = match?.[1]?.trim();
  if (text === undefined || text === '') return undefined;
  const quote = text[0];
  const end = quote === '"' || quote === "'" ? text.indexOf(quote, 1) : -1;
  const target = quote === '"' || quote === "'" ? text.slice(1, end < 0 ? undefined : end) : text;
  try {
    const url = new URL(target, pageUrl);
    url.hash = '';
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
  } catch {
    return undefined;
  }
}
