import { readFile } from 'node:fs/promises';
import { OrbweaverError, isOrbweaverError } from '../base/errors.ts';
import type { CrawlOptions } from '../crawl/crawl-options.ts';
import { parseCookieFile, type GivenCookie } from '../fetch/cookie-jar.ts';
import { createUrlFilter } from '../web/filters.ts';
import { selectNormalizeRules } from '../web/url-key.ts';
import type { CrawlValues } from './options.ts';

/** The defaults that are numbers; their texts stand in the table of options, and a test compares the two. */
export const DEFAULT_MAX_SIZE_BYTES = 16 * 2 ** 20;
export const DEFAULT_REQUEST_TIMEOUT_MS = 30_000;
export const DEFAULT_SITES_AT_ONCE = 4;

/**
 * What the engine takes, from the values of the command line; reads the cookie file.
 * @param version for the name the crawler gives itself
 * @throws {OPTIONS_INVALID | INPUT_INVALID}
 */
export async function readCrawlOptions(values: CrawlValues, version: string): Promise<CrawlOptions> {
  const { include = [], exclude = [], keyword: keywords = [] } = values;
  // Says now, and not at the first URL, that an expression does not compile.
  createUrlFilter({ include, exclude, keywords });
  const headers = (values.header ?? []).map(({ name, value }) => [name, value] as const);
  return {
    maxLevel: values['max-level'] ?? Infinity,
    maxPages: values['max-pages'] ?? Infinity,
    maxBytes: values['max-bytes'] ?? Infinity,
    maxSizeBytes: values['max-size'] ?? DEFAULT_MAX_SIZE_BYTES,
    requestTimeoutMs: values['request-timeout'] ?? DEFAULT_REQUEST_TIMEOUT_MS,
    concurrency: values.concurrency,
    delayMs: values.delay,
    robots: values.robots ?? 'obey',
    userAgent: values['user-agent'] ?? `Orbweaver/${version}`,
    include,
    exclude,
    keywords,
    normalize: selectNormalizeRules(values.normalize, values['no-normalize']),
    sameScheme: values['same-scheme'] ?? false,
    keepDuplicates: values['keep-duplicates'] ?? false,
    followMetaRefresh: values['follow-meta-refresh'] ?? false,
    links: values.links ?? ['a'],
    scope: values.scope ?? 'site',
    retryBroken: values['retry-broken'] ?? false,
    trapBudget: values['trap-budget'],
    headers: Object.fromEntries(headers),
    cookies: values.cookies === undefined ? [] : await readCookies(values.cookies),
    allowPrivate: values['allow-private'] ?? false,
  };
}

async function readCookies(path: string): Promise<GivenCookie[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    const { code = String(cause) } = cause as NodeJS.ErrnoException;
    throw new OrbweaverError('INPUT_INVALID', `${path}: ${code === 'ENOENT' ? 'no such file' : code}`, { cause });
  }
  try {
    return parseCookieFile(text);
  } catch (error) {
    if (!isOrbweaverError(error)) throw error;
    throw new OrbweaverError(error.code, `${path}: ${error.message}`, { cause: error });
  }
}
