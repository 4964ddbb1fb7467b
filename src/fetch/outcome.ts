/** What one exchange with a server came to. Never thrown: the engine stores it. */
export type FetchOutcome = ResponseOutcome | RedirectOutcome | RefusedOutcome | FailedOutcome;

export interface ResponseOutcome {
  readonly type: 'response';
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Decoded body (content codings undone); undefined when `wantsBody` said no. */
  readonly body: Uint8Array | undefined;
  /** Only with `truncateAt`: the body went on, what is here is its beginning. */
  readonly isCut?: true;
}

/** Status 301, 302, 303, 307, 308 with a usable Location. */
export interface RedirectOutcome {
  readonly type: 'redirect';
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Absolute http(s) URL, without fragment; or the reason why it cannot be followed. */
  readonly location: { readonly url: string } | { readonly error: 'scheme' | 'invalid'; readonly text: string };
}

/** We would not go on: a limit or a guard of ours. */
export interface RefusedOutcome {
  readonly type: 'refused';
  readonly reason: 'size' | 'address' | 'encoding' | 'aborted';
  readonly status: number;
  readonly detail: string;
}

/** No usable answer. `timeout` and `unreachable` are tried again by the retry interceptor. */
export interface FailedOutcome {
  readonly type: 'failed';
  readonly reason: 'timeout' | 'unreachable';
  /** Short code for people: `ENOTFOUND`, `ECONNREFUSED`, `tls:CERT_HAS_EXPIRED`, `truncated`, `bad-response`, `total-timeout`. */
  readonly code: string;
  readonly detail: string;
}

/** Header fields by lower-case name; values as sent, bytes read as UTF-8 where valid, else Latin-1. */
export interface ResponseHeaders {
  get(name: string): string | undefined;
  getAll(name: string): readonly string[];
}

export interface FetchRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Decides from the head whether the body is worth having. Default: yes. */
  readonly wantsBody?: (status: number, headers: ResponseHeaders) => boolean;
  /** Decoded bytes after which the fetch ends well and keeps what came (`isCut`), instead of the size limit. */
  readonly truncateAt?: number;
  readonly signal?: AbortSignal;
}

export interface Fetcher {
  fetch(request: FetchRequest): Promise<FetchOutcome>;
  close(): Promise<void>;
}

/** Wraps a fetch by another: one file each in `interceptors/` (retry, headers, trace …). */
export type FetchFunction = (request: FetchRequest) => Promise<FetchOutcome>;
export type Interceptor = (next: FetchFunction) => FetchFunction;
