const PIECE_CHARS = 64 * 1024;

/** What a sink needs of a file: writes all of the text behind what was written before. */
export interface TextTarget {
  writeFile(text: string, encoding: 'utf8'): Promise<void>;
}

/**
 * Collects text and writes it in pieces of about 64 Ki characters. Writers call `write` freely and, at least after every few
 * hundred characters, `if (sink.isFull) await sink.flush()`: so one piece is in memory, and a slow disk slows the writer.
 */
export class TextSink {
  readonly #file: TextTarget;
  readonly #signal: AbortSignal | undefined;
  #text = '';

  constructor(file: TextTarget, signal?: AbortSignal) {
    this.#file = file;
    this.#signal = signal;
  }

  get isFull(): boolean {
    return this.#text.length >= PIECE_CHARS;
  }

  /** @param text well-formed (no lone surrogates) */
  write(text: string): void {
    this.#text += text;
  }

  /** Rejects with the error of the disk, or with the reason of the signal. */
  async flush(): Promise<void> {
    this.#signal?.throwIfAborted();
    const text = this.#text;
    this.#text = '';
    // On a handle, writeFile goes on from the current position and sees to short writes.
    if (text.length > 0) await this.#file.writeFile(text, 'utf8');
  }
}
