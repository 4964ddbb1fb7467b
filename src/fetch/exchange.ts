import type { Dispatcher } from 'undici';
import { PlainSink, type BodyLimits, type BodyResult, type BodySink } from './body-sink.ts';
import { CodedSink } from './coded-sink.ts';
import { parseContentEncoding } from './content-coding.ts';
import { describeFailure, type Phase } from './failure.ts';
import type { FetchOutcome, FetchRequest, RedirectOutcome, ResponseHeaders, ResponseOutcome } from './outcome.ts';
import { RawHeaders } from './raw-headers.ts';
import { isRedirectStatus, resolveLocation } from './redirect-target.ts';

/** A body nobody wants is read up to this length, since that is cheaper than a new connection. */
const MAX_DISCARDED_BYTES = 64 * 1024;

/** What an exchange asks of the fetcher that started it. */
export interface ExchangeHost {
  readonly maxSizeBytes: number;
  /** The head is here and the rest is not wanted: from now on a short limit holds. */
  onDiscarding(exchange: Exchange): void;
  onSettled(exchange: Exchange, outcome: FetchOutcome): void;
  isHttp2(): boolean;
}

/**
 * One request and its answer: undici's callbacks in, one FetchOutcome out. It implements undici's older handler (`onConnect`,
 * `onHeaders` …), which passes the header fields as they came instead of building an object of all of them.
 * Settled means that the outcome is out; whatever the socket does later is ignored.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly request: FetchRequest;
  readonly #url: string;
  readonly #host: ExchangeHost;
  #abort: (() => void) | undefined;
  #phase: Phase = 'connect';
  #status = 0;
  #headers: ResponseHeaders | undefined;
  #sink: BodySink | undefined;
  /** Known already, while the rest of the body is read and thrown away. */
  #early: ResponseOutcome | RedirectOutcome | undefined;
  #receivedBytes = 0;
  #expectedBytes: number | undefined;
  #isSettled = false;

  /** `url` is the serialized form of `request.url`. */
  constructor(request: FetchRequest, url: string, host: ExchangeHost) {
    this.request = request;
    this.#url = url;
    this.#host = host;
  }

  onConnect(abort: () => void): void {
    this.#abort = abort;
    if (this.#isSettled) abort();
    else this.#phase = 'head';
  }

  onHeaders(status: number, rawHeaders: Buffer[]): boolean {
    // 100 to 199 announce an answer, they are none (RFC 9110 §15.2).
    if (status < 200 || this.#isSettled) return true;
    this.#phase = 'body';
    this.#status = status;
    const headers = new RawHeaders(rawHeaders, this.#host.isHttp2());
    this.#headers = headers;
    const { wantsBody } = this.request;
    const location = isRedirectStatus(status) ? headers.get('location') : undefined;
    const contentLength = readContentLength(headers);
    // An empty Location would lead to the same URL again; browsers show the answer instead.
    if (location !== undefined && location !== '') {
      this.#discard(
        { type: 'redirect', status, headers, location: resolveLocation(location, this.#url) },
        contentLength,
      );
    } else if (wantsBody !== undefined && !wantsBody(status, headers)) {
      this.#discard({ type: 'response', status, headers, body: undefined }, contentLength);
    } else {
      this.#openSink(headers, contentLength);
    }
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (this.#isSettled) return true;
    this.#receivedBytes += chunk.length;
    if (this.#early === undefined) this.#sink?.push(chunk);
    else if (this.#receivedBytes > MAX_DISCARDED_BYTES) this.#settle(this.#early);
    return true;
  }

  onComplete(): void {
    // Complete: aborting now would close a connection that is good for the next request.
    this.#abort = undefined;
    if (this.#early !== undefined) this.#settle(this.#early);
    else if (this.#isShort()) this.#onBody({ type: 'truncated', detail: 'shorter than its Content-Length' });
    else this.#sink?.end();
  }

  onError(error: unknown): void {
    this.#abort = undefined;
    this.#settle(this.#early ?? describeFailure(error, this.#phase));
  }

  /** The time is up. */
  expire(): void {
    const code = { connect: 'connect-timeout', head: 'headers-timeout', body: 'total-timeout' }[this.#phase];
    const detail = { connect: 'no connection', head: 'no answer', body: 'the answer did not end' }[this.#phase];
    this.#settle(this.#early ?? { type: 'failed', reason: 'timeout', code, detail });
  }

  /** The caller's signal. */
  cancel(): void {
    this.#settle({ type: 'refused', reason: 'aborted', status: this.#status, detail: '' });
  }

  /** In HTTP/1.1 undici checks the length; an HTTP/2 stream that is cancelled in the middle it takes for complete. */
  #isShort(): boolean {
    if (this.#expectedBytes === undefined || this.#status === 204 || this.#status === 304) return false;
    return this.#receivedBytes < this.#expectedBytes;
  }

  #openSink(headers: ResponseHeaders, contentLength: number | undefined): void {
    this.#expectedBytes = contentLength;
    const { truncateAt } = this.request;
    const limits: BodyLimits = { maxBytes: this.#host.maxSizeBytes, truncateAt };
    if (truncateAt === undefined && contentLength !== undefined && contentLength > limits.maxBytes) {
      this.#refuseSize(`${contentLength} bytes announced, ${limits.maxBytes} allowed`);
      return;
    }
    const onResult = (result: BodyResult): void => this.#onBody(result);
    const fields = headers.getAll('content-encoding');
    if (fields.length === 0) {
      this.#sink = new PlainSink(limits, contentLength ?? 0, onResult);
      return;
    }
    const parsed = parseContentEncoding(fields);
    if ('refused' in parsed) {
      this.#settle({ type: 'refused', reason: 'encoding', status: this.#status, detail: parsed.refused });
    } else if (parsed.codings.length === 0) {
      this.#sink = new PlainSink(limits, contentLength ?? 0, onResult);
    } else {
      this.#sink = new CodedSink(parsed.codings, limits, onResult);
    }
  }

  #onBody(result: BodyResult): void {
    const headers = this.#headers;
    if (headers === undefined) return;
    switch (result.type) {
      case 'body': {
        const { bytes: body, isCut } = result;
        this.#settle({ type: 'response', status: this.#status, headers, body, ...(isCut && { isCut }) });
        return;
      }
      case 'too-large':
        this.#refuseSize(`more than ${this.#host.maxSizeBytes} bytes`);
        return;
      case 'truncated':
      case 'bad-encoding':
        this.#settle({ type: 'failed', reason: 'unreachable', code: result.type, detail: result.detail });
        return;
      default:
        result satisfies never;
    }
  }

  #refuseSize(detail: string): void {
    this.#settle({ type: 'refused', reason: 'size', status: this.#status, detail });
  }

  #discard(outcome: ResponseOutcome | RedirectOutcome, contentLength: number | undefined): void {
    if (contentLength !== undefined && contentLength > MAX_DISCARDED_BYTES) {
      this.#settle(outcome);
      return;
    }
    this.#early = outcome;
    this.#host.onDiscarding(this);
  }

  /** Ends the exchange, and the connection too when the answer has not been read to its end. */
  #settle(outcome: FetchOutcome): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#sink?.destroy();
    const abort = this.#abort;
    this.#abort = undefined;
    this.#host.onSettled(this, outcome);
    abort?.();
  }
}

function readContentLength(headers: ResponseHeaders): number | undefined {
  const value = headers.get('content-length');
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}
