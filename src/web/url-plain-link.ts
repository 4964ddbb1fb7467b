const HASH = 0x23;
const PERCENT = 0x25;
const DOT = 0x2e;
const SLASH = 0x2f;
const COLON = 0x3a;
const QUESTION = 0x3f;

/** The parser copies the character in a path / in a query of an http(s) URL; those of neither go to the parser. */
const IN_PATH = 1;
const IN_QUERY = 2;
const PLAIN = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~!$&()*+,;=@/[]%.:') {
  PLAIN[character.charCodeAt(0)] = IN_PATH | IN_QUERY;
}
PLAIN["'".charCodeAt(0)] = IN_PATH;
PLAIN[QUESTION] = IN_QUERY;

const PLAIN_ORIGIN = /^https?:\/\/[A-Za-z0-9._-]+(?::\d{1,5})?$/;
const MAX_ORIGINS = 2_000;

/** Origins as written → as serialised, empty where the parser refuses them. A memo: what it holds changes no answer. */
const origins = new Map<string, string>();

/**
 * Resolves by text alone the links that leave the URL parser nothing to do but to join two strings: relative and absolute paths,
 * `?query`, `#fragment` and absolute URLs in plain ASCII, without dot segments beyond leading `./` and `../`.
 * @param base undefined or another scheme than http(s): only absolute URLs are resolved here
 * @returns the URL without fragment, or undefined: ask the parser
 */
export function createPlainResolver(base: URL | undefined): (href: string) => string | undefined {
  const isHttp = base !== undefined && (base.protocol === 'http:' || base.protocol === 'https:');
  if (!isHttp) return (href) => (href.startsWith('http') ? joinAbsolute(href) : undefined);

  const { origin, protocol, pathname } = base;
  const pathUrl = origin + pathname;
  const page = withoutFragment(base.href, pathUrl);
  /** `parents[n]`: the folder n levels above the base. */
  const parents = [pathUrl.slice(0, pathUrl.lastIndexOf('/') + 1)];

  const parentAt = (steps: number): string => {
    while (parents.length <= steps) {
      const below = parents.at(-1) as string;
      // The root is its own parent.
      const slash = below.lastIndexOf('/', below.length - 2);
      parents.push(slash < origin.length ? below : below.slice(0, slash + 1));
    }
    return parents[steps] as string;
  };

  return (href) => {
    if (href === '') return page;
    const first = href.charCodeAt(0);
    if (first === HASH) return page;
    if (first === SLASH) {
      if (href.charCodeAt(1) === SLASH) return joinAbsolute(protocol + href);
      return join(origin, href, 0, findPlainEnd(href, 0, false));
    }
    if (first === QUESTION) return join(pathUrl, href, 0, findPlainEnd(href, 0, false));
    let from = 0;
    let steps = 0;
    while (href.charCodeAt(from) === DOT) {
      const next = href.charCodeAt(from + 1);
      if (next === SLASH) {
        from += 2;
      } else if (next === DOT && href.charCodeAt(from + 2) === SLASH) {
        from += 3;
        steps++;
      } else {
        break;
      }
    }
    const end = findPlainEnd(href, from, from === 0);
    if (end < 0) return first === 0x68 && href.startsWith('http') ? joinAbsolute(href) : undefined;
    return join(steps === 0 ? (parents[0] as string) : parentAt(steps), href, from, end);
  };
}

function withoutFragment(href: string, pathUrl: string): string {
  const mark = href.indexOf('?');
  const hash = href.indexOf('#');
  if (mark < 0 || (hash >= 0 && hash < mark)) return pathUrl;
  return pathUrl + href.slice(mark, hash < 0 ? undefined : hash);
}

function join(prefix: string, href: string, from: number, end: number): string | undefined {
  if (end < 0) return undefined;
  return prefix + (from === 0 && end === href.length ? href : href.slice(from, end));
}

/** `http://host/path` with a plain host; undefined when the parser must see it (also when the host is invalid). */
function joinAbsolute(url: string): string | undefined {
  const authority = url.startsWith('http://') ? 7 : url.startsWith('https://') ? 8 : 0;
  if (authority === 0) return undefined;
  const slash = url.indexOf('/', authority);
  if (slash < 0) return undefined;
  const end = findPlainEnd(url, slash, false);
  if (end < 0) return undefined;
  const written = url.slice(0, slash);
  const origin = origins.get(written) ?? readOrigin(written);
  if (origin === '') return undefined;
  return origin === written && end === url.length ? url : origin + url.slice(slash, end);
}

function readOrigin(written: string): string {
  let origin = '';
  if (PLAIN_ORIGIN.test(written)) {
    try {
      origin = new URL(written).origin;
    } catch {
      // Invalid: the empty string says so.
    }
  }
  // A hostile page must not fill the memory with long or endless names.
  if (origins.size >= MAX_ORIGINS) origins.clear();
  if (written.length <= 300) origins.set(written, origin);
  return origin;
}

/**
 * Where path and query end (the `#` or the length), or -1 when a character or a dot segment needs the parser.
 * @param isRelative a `:` before the first `/` would make a scheme
 */
function findPlainEnd(text: string, from: number, isRelative: boolean): number {
  let wanted = IN_PATH;
  let mayBeScheme = isRelative;
  const { length } = text;
  for (let index = from; index < length; index++) {
    const code = text.charCodeAt(index);
    if (code > 0x7e) return -1;
    if (((PLAIN[code] as number) & wanted) === 0) {
      if (code === HASH) return index;
      if (code !== QUESTION) return -1;
      wanted = IN_QUERY;
    } else if (wanted === IN_PATH) {
      if (code === DOT) {
        if ((index === from || text.charCodeAt(index - 1) === SLASH) && isDotSegment(text, index)) return -1;
      } else if (code === SLASH) {
        mayBeScheme = false;
      } else if (code === COLON) {
        if (mayBeScheme) return -1;
      } else if (
        code === PERCENT &&
        text.charCodeAt(index + 1) === 0x32 &&
        (text.charCodeAt(index + 2) | 0x20) === 0x65
      ) {
        return -1;
      }
    }
  }
  return length;
}

/** Whether the segment that begins with this dot could be `.` or `..` (`%2e` is looked for elsewhere). */
function isDotSegment(text: string, index: number): boolean {
  if (index + 1 === text.length) return true;
  const next = text.charCodeAt(index + 1);
  return next === DOT || next === SLASH || next === QUESTION || next === HASH;
}
