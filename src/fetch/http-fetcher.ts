import { literalAddress, isPrivateAddress } from './address-guard.ts';
import { allowManyListeners } from './any-signal.ts';
import { ACCEPT_ENCODING } from './content-coding.ts';
import { CookieJar, type GivenCookie } from './cookie-jar.ts';
import { DeadlineQueue } from './deadline-queue.ts';
import { openConnections, type Connections } from './dispatcher.ts';
import { Exchange, type ExchangeHost } from './exchange.ts';
import type { Fetcher, FetchFunction, FetchOutcome, FetchRequest, Interceptor } from './outcome.ts';

export interface HttpFetcherOptions {
  readonly userAgent: string;
  /** Sent with every request to every host; what is meant for one host belongs into the `headers` interceptor. */
  readonly headers?: Readonly<Record<string, string>>;
  /** One exchange, from connect to last byte. */
  readonly requestTimeoutMs: number;
  /** Largest body, on the wire and decoded. */
  readonly maxSizeBytes: number;
  readonly connectionsPerOrigin: number;
  /** Whether private addresses may be asked. Asked anew for each connection. */
  readonly allowPrivate: boolean | (() => boolean);
  /** The first is the outermost. */
  readonly interceptors?: readonly Interceptor[];
  /** Sent to the hosts they were given for, unless the request brings a Cookie field of its own. */
  readonly cookies?: readonly GivenCookie[];
  /** PEM of authorities to trust instead of the built-in ones. */
  readonly certificateAuthority?: string;
}

/** No host needs longer than this to accept a connection. */
const MAX_CONNECT_MS = 10_000;
/** Reading a body that nobody wants must not take longer than a new connection would. */
const MAX_DISCARD_MS = 2_000;

const DEFAULT_HEADERS = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' };

/**
 * GET over HTTP/1.1 and HTTP/2 with kept connections, for any number of hosts. `fetch` never rejects: every fault of the
 * network or the server is an outcome. Redirects are reported, not followed; user and password in a URL are not sent.
 */
export class HttpFetcher implements Fetcher {
  readonly fetch: FetchFunction;
  readonly #connections: Connections;
  readonly #isPrivateAllowed: () => boolean;
  readonly #jar: CookieJar | undefined;
  readonly #defaults: Readonly<Record<string, string>>;
  readonly #defaultList: readonly string[];
  readonly #deadlines: DeadlineQueue<Exchange>;
  readonly #discardDeadlines: DeadlineQueue<Exchange>;
  readonly #maxSizeBytes: number;
  readonly #http2Origins: ReadonlySet<string>;
  #isClosed = false;

  private constructor(options: HttpFetcherOptions, connections: Connections, http2Origins: ReadonlySet<string>) {
    this.#connections = connections;
    this.#http2Origins = http2Origins;
    this.#isPrivateAllowed = privateRule(options);
    this.#jar =
      options.cookies !== undefined && options.cookies.length > 0 ? new CookieJar(options.cookies) : undefined;
    this.#maxSizeBytes = options.maxSizeBytes;
    const given = lowerCaseNames(options.headers ?? {});
    this.#defaults = {
      ...DEFAULT_HEADERS,
      ...given,
      'user-agent': options.userAgent,
      'accept-encoding': ACCEPT_ENCODING,
    };
    this.#defaultList = Object.entries(this.#defaults).flat();
    this.#deadlines = new DeadlineQueue(options.requestTimeoutMs, expire);
    this.#discardDeadlines = new DeadlineQueue(MAX_DISCARD_MS, expire);
    this.fetch = (options.interceptors ?? []).reduceRight<FetchFunction>(
      (next, interceptor) => interceptor(next),
      (request) => this.#exchange(request),
    );
  }

  static open(options: HttpFetcherOptions): HttpFetcher {
    const http2Origins = new Set<string>();
    const connections = openConnections({
      connectionsPerOrigin: options.connectionsPerOrigin,
      connectTimeoutMs: Math.min(MAX_CONNECT_MS, options.requestTimeoutMs),
      isPrivateAllowed: privateRule(options),
      certificateAuthority: options.certificateAuthority,
      onHttp2: (origin) => http2Origins.add(origin),
    });
    return new HttpFetcher(options, connections, http2Origins);
  }

  /** Ends everything under way as `refused aborted`, and closes all connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#connections.destroy();
    this.#deadlines.close();
    this.#discardDeadlines.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #exchange(request: FetchRequest): Promise<FetchOutcome> {
    const { signal } = request;
    if (this.#isClosed) return aborted('the fetcher is closed');
    if (signal?.aborted === true) return aborted('');
    const url = parseUrl(request.url);
    if (url === undefined) {
      const detail = 'not an http or https URL';
      return Promise.resolve({ type: 'failed', reason: 'unreachable', code: 'invalid-request', detail });
    }
    const address = this.#isPrivateAllowed() ? undefined : literalAddress(url.hostname);
    if (address !== undefined && isPrivateAddress(address)) {
      const detail = `${address} is private`;
      return Promise.resolve({ type: 'refused', reason: 'address', status: 0, detail });
    }
    const origin = `${url.protocol}//${url.host}`;
    return new Promise((resolve) => {
      const cancel = (): void => exchange.cancel();
      const host: ExchangeHost = {
        maxSizeBytes: this.#maxSizeBytes,
        isHttp2: () => this.#http2Origins.has(origin),
        onDiscarding: () => this.#discardDeadlines.add(exchange),
        onSettled: (_exchange, outcome) => {
          this.#deadlines.delete(exchange);
          this.#discardDeadlines.delete(exchange);
          signal?.removeEventListener('abort', cancel);
          resolve(outcome);
        },
      };
      const exchange = new Exchange(request, url.href, host);
      this.#deadlines.add(exchange);
      if (signal !== undefined) {
        allowManyListeners(signal);
        signal.addEventListener('abort', cancel, { once: true });
      }
      const headers = this.#headersFor(request, url.href);
      try {
        const path = url.pathname + url.search;
        this.#connections.dispatcherFor(url.hostname).dispatch({ origin, path, method: 'GET', headers }, exchange);
      } catch (error) {
        exchange.onError(error);
      }
    });
  }

  /** Names and values in turn: for undici the cheapest form. */
  #headersFor(request: FetchRequest, url: string): string[] {
    const cookie = this.#jar?.headerFor(url);
    if (request.headers === undefined && cookie === undefined) return this.#defaultList as string[];
    const merged = {
      ...this.#defaults,
      ...(cookie !== undefined && { cookie }),
      ...lowerCaseNames(request.headers ?? {}),
    };
    return Object.entries(merged).flat();
  }
}

function expire(exchange: Exchange): void {
  exchange.expire();
}

function privateRule({ allowPrivate }: HttpFetcherOptions): () => boolean {
  return typeof allowPrivate === 'function' ? allowPrivate : () => allowPrivate;
}

function lowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function parseUrl(text: string): URL | undefined {
  try {
    const url = new URL(text);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
  } catch {
    return undefined;
  }
}

function aborted(detail: string): Promise<FetchOutcome> {
  return Promise.resolve({ type: 'refused', reason: 'aborted', status: 0, detail });
}
