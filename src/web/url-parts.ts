/** Offsets into an absolute http(s) URL; cheaper than `new URL` where only the places are needed. */
export interface UrlParts {
  /** First character of the authority, after `://`. */
  readonly authority: number;
  /** End of the authority. */
  readonly path: number;
  /** End of the path: the `?`, or the end of the query-less URL. */
  readonly query: number;
  /** End of the query: the `#`, or the length. */
  readonly fragment: number;
}

/** Finds the parts of an absolute, WHATWG-serialised URL; undefined when it has no `://`. */
export function findUrlParts(url: string): UrlParts | undefined {
  const colon = url.indexOf('://');
  if (colon < 0) return undefined;
  const authority = colon + 3;
  const hash = url.indexOf('#', authority);
  const fragment = hash < 0 ? url.length : hash;
  const mark = url.indexOf('?', authority);
  const query = mark < 0 || mark > fragment ? fragment : mark;
  const slash = url.indexOf('/', authority);
  const path = slash < 0 || slash > query ? query : slash;
  return { authority, path, query, fragment };
}

/** Path and query of an absolute URL as they are, a bare `?` included, the fragment not. At least `/`. */
export function pathAndQueryOf(url: string): string {
  const parts = findUrlParts(url);
  if (parts === undefined) return '/';
  const text = url.slice(parts.path, parts.fragment);
  return text.startsWith('/') ? text : `/${text}`;
}
