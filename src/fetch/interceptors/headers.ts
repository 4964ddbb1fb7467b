import type { Interceptor } from '../outcome.ts';

export interface HeadersOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Host names with port (`URL.host`) the headers are meant for; no other host ever sees them. */
  readonly hosts: ReadonlySet<string>;
}

/**
 * Adds the user's header fields (`--header`, credentials among them) to requests to the site's own host. Fields the request
 * brings win.
 */
export function addHeaders({ headers, hosts }: HeadersOptions): Interceptor {
  const isEmpty = Object.keys(headers).length === 0;
  return (next) => (request) => {
    if (isEmpty || !URL.canParse(request.url) || !hosts.has(new URL(request.url).host)) return next(request);
    return next({ ...request, headers: { ...headers, ...request.headers } });
  };
}
