import { constants } from 'node:buffer';
import zlib from 'node:zlib';
import { ByteCollector, type BodyLimits, type BodyResult, type BodySink } from './body-sink.ts';
import type { Coding } from './content-coding.ts';
import { hasZlibHead } from './gzip-head.ts';
import { InflateChain, type InflateStep } from './inflate-chain.ts';

/**
 * Coded bytes up to which a body is inflated at once on the main thread: measured, 5 KB of gzip cost 98 µs of CPU this way and 123 µs
 * through the thread pool; at 23 KB the pool wins time. Inflate grows 1032-fold at most, so this is a bounded stop.
 */
const MAX_SYNC_BYTES = 8 * 1024;

type ZlibError = Error & { code?: string };

/** A body with content codings, undone while it arrives; both the coded and the decoded length are limited. */
export class CodedSink implements BodySink {
  readonly #codings: readonly Coding[];
  readonly #limits: BodyLimits;
  readonly #onResult: (result: BodyResult) => void;
  /** Kept until the end, for a second reading when the first one fails on what follows the gzip data. */
  readonly #raw: Uint8Array[] = [];
  #rawBytes = 0;
  #decoded: ByteCollector;
  #chain: InflateChain | undefined;
  #isEnded = false;
  #isSecondReading = false;
  #isOver = false;

  /** `codings` in the order they are to be undone, at least one. */
  constructor(codings: readonly Coding[], limits: BodyLimits, onResult: (result: BodyResult) => void) {
    this.#codings = codings;
    this.#limits = limits;
    this.#onResult = onResult;
    this.#decoded = new ByteCollector(limits);
  }

  push(chunk: Uint8Array): void {
    if (this.#isOver) return;
    this.#rawBytes += chunk.length;
    // Coded data can go on for ever without giving a byte (empty deflate blocks).
    if (this.#rawBytes > Math.max(this.#limits.maxBytes, this.#limits.truncateAt ?? 0)) {
      this.#finish({ type: 'too-large' });
      return;
    }
    this.#raw.push(chunk);
    if (this.#chain !== undefined) this.#chain.write(chunk);
    else if (this.#rawBytes > MAX_SYNC_BYTES) this.#openChain(this.#codings);
  }

  end(): void {
    if (this.#isOver) return;
    this.#isEnded = true;
    if (this.#rawBytes === 0) this.#finish({ type: 'body', bytes: new Uint8Array(), isCut: false });
    else if (this.#chain !== undefined) this.#chain.end();
    else if (!this.#inflateAtOnce()) this.#openChain(this.#codings);
  }

  destroy(): void {
    this.#isOver = true;
    this.#chain?.destroy();
  }

  #openChain(steps: readonly InflateStep[]): void {
    const chain = new InflateChain(steps, {
      onData: (chunk) => this.#onDecoded(chunk),
      onEnd: () => this.#finish({ type: 'body', bytes: this.#decoded.take(), isCut: false }),
      onError: (error) => this.#onZlibError(error),
    });
    this.#chain = chain;
    chain.write(Buffer.concat(this.#raw));
    if (this.#isEnded) chain.end();
  }

  #onDecoded(chunk: Uint8Array): void {
    if (this.#isOver) return;
    const answer = this.#decoded.add(chunk);
    if (answer === 'too-large') this.#finish({ type: 'too-large' });
    else if (answer === 'enough') this.#finish({ type: 'body', bytes: this.#decoded.take(), isCut: true });
  }

  /** False where it must be done as a stream: other codings, layers, a body that is to be cut, data with a fault. */
  #inflateAtOnce(): boolean {
    const coding = this.#codings[0];
    if (this.#codings.length > 1 || this.#limits.truncateAt !== undefined) return false;
    if (coding !== 'gzip' && coding !== 'deflate') return false;
    const raw = this.#raw.length === 1 ? (this.#raw[0] as Uint8Array) : Buffer.concat(this.#raw);
    const options = { maxOutputLength: Math.min(this.#limits.maxBytes, constants.MAX_LENGTH) };
    try {
      let bytes: Uint8Array;
      if (coding === 'gzip') bytes = zlib.gunzipSync(raw, options);
      else bytes = hasZlibHead(raw) ? zlib.inflateSync(raw, options) : zlib.inflateRawSync(raw, options);
      this.#finish({ type: 'body', bytes, isCut: false });
    } catch (error) {
      if ((error as ZlibError).code === 'ERR_BUFFER_TOO_LARGE') this.#finish({ type: 'too-large' });
      else this.#onZlibError(error as ZlibError);
    }
    return true;
  }

  #onZlibError(error: ZlibError): void {
    if (this.#isOver) return;
    if (error.code === 'Z_BUF_ERROR') {
      this.#finish({ type: 'truncated', detail: error.message });
      return;
    }
    // zlib reads what follows a gzip member as another member; browsers ignore it, and so does the second reading.
    if (
      !this.#isSecondReading &&
      this.#codings.includes('gzip') &&
      /header check|compression method|header flags/.test(error.message)
    ) {
      this.#isSecondReading = true;
      this.#decoded = new ByteCollector(this.#limits);
      this.#openChain(this.#codings.map((coding) => (coding === 'gzip' ? 'gzip-first-member' : coding)));
      return;
    }
    this.#finish({ type: 'bad-encoding', detail: error.message });
  }

  #finish(result: BodyResult): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#chain?.destroy();
    this.#onResult(result);
  }
}
