/** How a body ended. */
export type BodyResult =
  | { readonly type: 'body'; readonly bytes: Uint8Array; readonly isCut: boolean }
  | { readonly type: 'too-large' }
  | { readonly type: 'truncated' | 'bad-encoding'; readonly detail: string };

/** Takes a body as it arrives. The result is reported once, perhaps before the body ends, perhaps within `push` or `end`. */
export interface BodySink {
  push(chunk: Uint8Array): void;
  /** The body is complete. */
  end(): void;
  /** Nobody waits for the result any more. */
  destroy(): void;
}

export interface BodyLimits {
  /** Bytes on the wire, and bytes after decoding. */
  readonly maxBytes: number;
  /** Ends well after so many decoded bytes, which then are the limit. */
  readonly truncateAt: number | undefined;
}

/** A body cannot make us reserve more than this before it has come in. */
const MAX_RESERVED = 1 << 20;

/**
 * A growing body within limits. The usual small page is one chunk, which is passed on as it is; a longer one is copied once,
 * into a buffer of the promised length where there is a promise.
 */
export class ByteCollector {
  readonly #maxBytes: number;
  readonly #truncateAt: number;
  readonly #expectedBytes: number;
  readonly #chunks: Uint8Array[] = [];
  #reserved: Buffer | undefined;
  #length = 0;

  constructor(limits: BodyLimits, expectedBytes = 0) {
    this.#maxBytes = limits.truncateAt === undefined ? limits.maxBytes : Infinity;
    this.#truncateAt = limits.truncateAt ?? Infinity;
    this.#expectedBytes = expectedBytes;
  }

  /** Adds a chunk; says whether more is wanted, the limit is passed, or enough has come. */
  add(chunk: Uint8Array): 'more' | 'too-large' | 'enough' {
    const start = this.#length;
    this.#length += chunk.length;
    if (this.#length > this.#truncateAt) {
      this.#keep(chunk.subarray(0, this.#truncateAt - start), start);
      this.#length = this.#truncateAt;
      return 'enough';
    }
    if (this.#length > this.#maxBytes) return 'too-large';
    this.#keep(chunk, start);
    return 'more';
  }

  take(): Uint8Array {
    if (this.#reserved !== undefined) return this.#reserved.subarray(0, this.#length);
    const [first] = this.#chunks;
    if (first !== undefined && this.#chunks.length === 1) return first;
    return Buffer.concat(this.#chunks, this.#length);
  }

  #keep(chunk: Uint8Array, start: number): void {
    if (this.#reserved === undefined) {
      const isPromised = this.#expectedBytes > chunk.length && this.#expectedBytes <= MAX_RESERVED;
      if (start > 0 || !isPromised) {
        this.#chunks.push(chunk);
        return;
      }
      this.#reserved = Buffer.allocUnsafeSlow(this.#expectedBytes);
    }
    // The parser never gives more than Content-Length; a wrong promise would be a fault of ours.
    this.#reserved.set(chunk, start);
  }
}

/** A body without content coding. */
export class PlainSink implements BodySink {
  readonly #collector: ByteCollector;
  readonly #onResult: (result: BodyResult) => void;

  constructor(limits: BodyLimits, expectedBytes: number, onResult: (result: BodyResult) => void) {
    this.#collector = new ByteCollector(limits, expectedBytes);
    this.#onResult = onResult;
  }

  push(chunk: Uint8Array): void {
    const answer = this.#collector.add(chunk);
    if (answer === 'too-large') this.#onResult({ type: 'too-large' });
    else if (answer === 'enough') this.#onResult({ type: 'body', bytes: this.#collector.take(), isCut: true });
  }

  end(): void {
    this.#onResult({ type: 'body', bytes: this.#collector.take(), isCut: false });
  }

  destroy(): void {
    // Holds nothing but memory.
  }
}
