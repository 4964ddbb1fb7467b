/** `isWellFormed` is in Node 20 and in ES2024; the library types of ES2023 do not know it. */
interface MaybeIllFormed {
  isWellFormed(): boolean;
}

/**
 * Builds binary keys and values in one growing buffer. Keys use fixed-width big-endian numbers, so that LevelDB's byte order is
 * number order; values use LEB128 varints. Parts are cut out with `slice`; they are views and hold until `reset`.
 */
export class ByteWriter {
  #buffer: Buffer;
  #length = 0;
  readonly #initialBytes: number;

  constructor(initialBytes = 4096) {
    this.#initialBytes = initialBytes;
    this.#buffer = Buffer.allocUnsafe(initialBytes);
  }

  /** Bytes written since the last reset: the offset of what comes next. */
  get length(): number {
    return this.#length;
  }

  /** Forgets what was written. A buffer that one huge record has blown up is given back. */
  reset(): void {
    this.#length = 0;
    if (this.#buffer.length > 16 * this.#initialBytes) this.#buffer = Buffer.allocUnsafe(this.#initialBytes);
  }

  slice(start: number, end: number): Buffer {
    return this.#buffer.subarray(start, end);
  }

  /** Everything written so far, as a copy of its own. */
  toBuffer(): Buffer {
    return Buffer.from(this.#buffer.subarray(0, this.#length));
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = value;
  }

  /** 32 bits, big-endian: sorts as the number does. */
  uint32(value: number): void {
    this.#reserve(4);
    const buffer = this.#buffer;
    const at = this.#length;
    buffer[at] = value >>> 24;
    buffer[at + 1] = value >>> 16;
    buffer[at + 2] = value >>> 8;
    buffer[at + 3] = value;
    this.#length = at + 4;
  }

  /** Unsigned LEB128 of a safe integer, 1 to 8 bytes. */
  varint(value: number): void {
    this.#reserve(8);
    const buffer = this.#buffer;
    let at = this.#length;
    let rest = value;
    while (rest >= 0x1_0000_0000) {
      buffer[at++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    rest >>>= 0;
    while (rest > 0x7f) {
      buffer[at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    buffer[at++] = rest;
    this.#length = at;
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#buffer.set(value, this.#length);
    this.#length += value.length;
  }

  /**
   * Text with its length before it: varint(bytes × 2 + form), form 0 UTF-8, form 1 UTF-16LE. The second is for texts with lone
   * surrogates (a title cut inside a pair), which UTF-8 cannot hold: what is read must equal what was written.
   */
  text(value: string): void {
    const units = value.length;
    this.#reserve(8 + units);
    const start = this.#length;
    this.varint(units * 2);
    // URLs are ASCII and short: this loop beats a call into C++ up to some hundred characters.
    if (units < 256) {
      const buffer = this.#buffer;
      let at = this.#length;
      let index = 0;
      for (; index < units; index++) {
        const unit = value.charCodeAt(index);
        if (unit > 0x7f) break;
        buffer[at++] = unit;
      }
      if (index === units) {
        this.#length = at;
        return;
      }
    }
    this.#length = start;
    const wellFormed = (value as unknown as MaybeIllFormed).isWellFormed();
    const bytes = wellFormed ? Buffer.byteLength(value, 'utf8') : units * 2;
    this.varint(bytes * 2 + (wellFormed ? 0 : 1));
    this.#reserve(bytes);
    this.#length += this.#buffer.write(value, this.#length, wellFormed ? 'utf8' : 'utf16le');
  }

  /** UTF-8 without a length, for the end of a key. */
  tail(value: string): void {
    this.#reserve(Buffer.byteLength(value, 'utf8'));
    this.#length += this.#buffer.write(value, this.#length, 'utf8');
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
  }
}
