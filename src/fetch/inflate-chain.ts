import zlib from 'node:zlib';
import type { Transform } from 'node:stream';
import { createZstdDecompress, type Coding } from './content-coding.ts';
import { gzipHeadLength, hasZlibHead } from './gzip-head.ts';

/** A step of a chain: a coding, or a gzip body of which only the first member is read and whatever follows it is ignored. */
export type InflateStep = Coding | 'gzip-first-member';

export interface InflateEvents {
  readonly onData: (chunk: Uint8Array) => void;
  readonly onEnd: () => void;
  /** `code` is that of zlib: `Z_BUF_ERROR` for data that is cut. */
  readonly onError: (error: Error & { code?: string }) => void;
}

const CHUNK_BYTES = 64 * 1024;

/** Undoes content codings one after the other, as a stream, in zlib's own threads. */
export class InflateChain {
  readonly #steps: readonly InflateStep[];
  readonly #events: InflateEvents;
  readonly #streams: (Transform | undefined)[] = [];
  #isOver = false;

  /** `steps` in the order they are to be undone. */
  constructor(steps: readonly InflateStep[], events: InflateEvents) {
    this.#steps = steps;
    this.#events = events;
  }

  /** The first write must hold the whole head of the coding (a gzip header). */
  write(chunk: Uint8Array): void {
    this.#write(0, chunk);
  }

  end(): void {
    this.#end(0);
  }

  /** No event comes after this. */
  destroy(): void {
    this.#isOver = true;
    for (const stream of this.#streams) stream?.destroy();
  }

  #write(index: number, chunk: Uint8Array): void {
    if (this.#isOver) return;
    const step = this.#steps[index];
    if (step === undefined) {
      this.#events.onData(chunk);
      return;
    }
    const stream = this.#streams[index];
    if (stream !== undefined) {
      if (!stream.writableEnded) stream.write(chunk);
      return;
    }
    const opened = openStep(step, chunk);
    if (opened === undefined) {
      this.#fail(new Error('incorrect header check'));
      return;
    }
    this.#streams[index] = opened.stream;
    opened.stream
      .on('data', (data: Uint8Array) => this.#write(index + 1, data))
      .on('end', () => this.#end(index + 1))
      .on('error', (error: Error & { code?: string }) => this.#fail(error));
    opened.stream.write(opened.rest);
  }

  #end(index: number): void {
    if (this.#isOver) return;
    const stream = this.#streams[index];
    if (index < this.#steps.length && stream !== undefined) {
      if (!stream.writableEnded) stream.end();
      return;
    }
    // A step that never got a byte has nothing to say: an empty body.
    this.#isOver = true;
    this.#events.onEnd();
  }

  #fail(error: Error & { code?: string }): void {
    if (this.#isOver) return;
    this.destroy();
    this.#events.onError(error);
  }
}

function openStep(step: InflateStep, first: Uint8Array): { stream: Transform; rest: Uint8Array } | undefined {
  const options = { chunkSize: CHUNK_BYTES };
  switch (step) {
    case 'gzip':
      return { stream: zlib.createGunzip(options), rest: first };
    case 'gzip-first-member': {
      const head = gzipHeadLength(first);
      // Raw inflate stops at the end of its data, whatever comes after.
      return head === undefined ? undefined : { stream: zlib.createInflateRaw(options), rest: first.subarray(head) };
    }
    case 'deflate':
      return { stream: hasZlibHead(first) ? zlib.createInflate(options) : zlib.createInflateRaw(options), rest: first };
    case 'br':
      return { stream: zlib.createBrotliDecompress(options), rest: first };
    case 'zstd':
      return createZstdDecompress === undefined ? undefined : { stream: createZstdDecompress(options), rest: first };
    default:
      return step satisfies never;
  }
}
