import type { RedirectOutcome } from './outcome.ts';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Characters of an unusable Location that are kept for people. */
const MAX_TEXT = 512;

/** Whether the status sends the reader elsewhere: 301, 302, 303, 307, 308 (300 and 305 never did in browsers). */
export function isRedirectStatus(status: number): boolean {
  return REDIRECTS.has(status);
}

/**
 * Where a Location leads: resolved against the request URL, without fragment (RFC 9110 §10.2.2). Blanks inside are encoded by
 * the URL standard, blanks at the ends dropped. Only http and https can be followed.
 */
export function resolveLocation(value: string, requestUrl: string): RedirectOutcome['location'] {
  let url: URL;
  try {
    url = new URL(value, requestUrl);
  } catch {
    return { error: 'invalid', text: value.slice(0, MAX_TEXT) };
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { error: 'scheme', text: value.slice(0, MAX_TEXT) };
  url.hash = '';
  return { url: url.href };
}
