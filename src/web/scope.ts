import { normalizeOctets } from './url-octets.ts';
import { pathAndQueryOf } from './url-parts.ts';

/** Longest URL of a link that may become a node (design section 11). Characters, which are octets in a serialised URL. */
export const MAX_LINK_LENGTH = 2_083;
/** Longest URL of another host that is still listed as it is. */
export const MAX_EXTERNAL_LENGTH = 16_384;

export interface ScopeOptions {
  /** As `siteOf` names it. */
  readonly site: string;
  /** `directory`: only paths below the folder of the start URL. */
  readonly scope: 'site' | 'directory';
  /** The start URL after its redirects. */
  readonly startUrl: string;
  /** Keep to the scheme of the start URL. */
  readonly sameScheme: boolean;
  /** Default 2,083. */
  readonly maxUrlLength?: number;
}

export interface ScopeVerdict {
  readonly kind: 'visit' | 'external' | 'scope' | 'too-long';
  /** The rule that decided, for people; empty for `visit`. */
  readonly rule: string;
}

const VISIT: ScopeVerdict = { kind: 'visit', rule: '' };

/**
 * Makes the function that tells whether an absolute http(s) URL belongs to the crawl. Cheap: it is asked for every new URL.
 * An over-long URL of another host is external like any other until it is too long to be listed (16 KiB).
 */
export function createScope(options: ScopeOptions): (url: string) => ScopeVerdict {
  const { site, startUrl } = options;
  const maxLength = options.maxUrlLength ?? MAX_LINK_LENGTH;
  const http = sitePrefixes('http', site);
  const https = sitePrefixes('https', site);
  const isStartHttps = startUrl.startsWith('https:');
  const accepted = options.sameScheme ? (isStartHttps ? https : http) : [...http, ...https];
  const otherScheme = options.sameScheme ? (isStartHttps ? http : https) : [];
  const folder = options.scope === 'directory' ? folderOf(startUrl) : '/';

  const external: ScopeVerdict = { kind: 'external', rule: `outside ${site}` };
  const tooLong: ScopeVerdict = { kind: 'too-long', rule: `longer than ${maxLength} characters` };
  const tooLongExternal: ScopeVerdict = { kind: 'too-long', rule: `longer than ${MAX_EXTERNAL_LENGTH} characters` };
  const schemeDiffers: ScopeVerdict = { kind: 'scope', rule: '--same-scheme' };
  const outsideFolder: ScopeVerdict = { kind: 'scope', rule: `--scope directory: outside ${folder}` };

  return (url) => {
    if (!accepted.some((prefix) => url.startsWith(prefix))) {
      if (otherScheme.some((prefix) => url.startsWith(prefix))) return url.length > maxLength ? tooLong : schemeDiffers;
      return url.length > MAX_EXTERNAL_LENGTH ? tooLongExternal : external;
    }
    if (url.length > maxLength) return tooLong;
    if (folder === '/') return VISIT;
    return isBelow(url, folder) ? VISIT : outsideFolder;
  };
}

/** How URLs of the site begin, usual form first. 80 and 443 are one site, so http://host:443 and https://host:80 belong to it. */
function sitePrefixes(scheme: 'http' | 'https', site: string): string[] {
  const hasPort = /:\d+$/.test(site.slice(site.lastIndexOf(']') + 1));
  if (hasPort) return [`${scheme}://${site}/`];
  return [`${scheme}://${site}/`, `${scheme}://${site}:${scheme === 'http' ? '443' : '80'}/`];
}

/** Path of the start URL up to its last slash, octets normalised. */
function folderOf(startUrl: string): string {
  const path = pathAndQueryOf(startUrl).split('?', 1)[0] as string;
  return normalizeOctets(path.slice(0, path.lastIndexOf('/') + 1));
}

function isBelow(url: string, folder: string): boolean {
  return normalizeOctets(pathAndQueryOf(url)).startsWith(folder);
}
