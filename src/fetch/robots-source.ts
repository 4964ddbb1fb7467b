import type { Clock } from '../base/clock.ts';
import type { RobotsRecord } from '../store/records.ts';
import type { FetchFunction, FetchOutcome } from './outcome.ts';

/** RFC 9309 §2.5: at least 500 kibibytes are to be read. */
const MAX_BYTES = 512_000;
/** RFC 9309 §2.3.1.2: at least five hops are to be followed. */
const MAX_HOPS = 5;

type Answer = Pick<RobotsRecord, 'state' | 'status' | 'text' | 'detail'>;

/**
 * Fetches robots.txt of an origin (`https://example.com`), following up to five redirects, to other hosts too; what it says holds for
 * the origin asked. 2xx: found. 3xx that leads nowhere, more hops, and 4xx: unavailable, all allowed. 5xx, 429 and no answer:
 * unreachable, all denied (RFC 9309 §2.3.1). An aborted signal gives `unreachable` with the detail `aborted`: not to be stored.
 */
export async function fetchRobots(
  fetch: FetchFunction,
  origin: string,
  options: { readonly signal?: AbortSignal; readonly clock: Clock },
): Promise<RobotsRecord> {
  const answer = await follow(fetch, `${origin}/robots.txt`, options.signal);
  return { origin, ...answer, fetchedAt: options.clock.now() };
}

async function follow(fetch: FetchFunction, start: string, signal: AbortSignal | undefined): Promise<Answer> {
  const seen = new Set<string>();
  let url = start;
  for (;;) {
    seen.add(url);
    const outcome = await fetch({
      url,
      headers: { accept: 'text/plain,*/*;q=0.5' },
      wantsBody: (status) => status >= 200 && status < 300,
      truncateAt: MAX_BYTES,
      ...(signal !== undefined && { signal }),
    });
    if (outcome.type !== 'redirect') return judge(outcome);
    const { status, location } = outcome;
    if ('error' in location) return unavailable(status, `redirects to ${location.text.slice(0, 200)}`);
    url = location.url;
    if (seen.has(url)) return unavailable(status, 'redirect loop');
    if (seen.size > MAX_HOPS) return unavailable(status, `more than ${MAX_HOPS} redirects`);
  }
}

function judge(outcome: Exclude<FetchOutcome, { type: 'redirect' }>): Answer {
  switch (outcome.type) {
    case 'response': {
      const { status, body, isCut } = outcome;
      if (status >= 200 && status < 300) {
        const text = decodeText(body ?? new Uint8Array());
        return { state: 'found', status, text: isCut === true ? dropLastLine(text) : text, detail: '' };
      }
      // 429 is a 4xx by the letter, but says "not now" and not "there is none".
      return status >= 500 || status === 429 ? unreachable(status, '') : unavailable(status, '');
    }
    case 'refused':
      return unreachable(
        outcome.status,
        outcome.detail === '' ? outcome.reason : `${outcome.reason}: ${outcome.detail}`,
      );
    case 'failed':
      return unreachable(0, outcome.detail === '' ? outcome.code : `${outcome.code}: ${outcome.detail}`);
    default:
      return outcome satisfies never;
  }
}

function unavailable(status: number, detail: string): Answer {
  return { state: 'unavailable', status, text: '', detail };
}

function unreachable(status: number, detail: string): Answer {
  return { state: 'unreachable', status, text: '', detail };
}

/** UTF-8 (RFC 9309 §2.3), or UTF-16 where a byte order mark says so; the mark itself is dropped. */
function decodeText(bytes: Uint8Array): string {
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe;
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff;
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes);
}

/** Half a line could be another rule: `Disallow: /` cut from `Disallow: /private`. */
function dropLastLine(text: string): string {
  return text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
}
