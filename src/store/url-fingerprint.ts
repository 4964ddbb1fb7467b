const INITIAL_BYTES = 64 * 1024;

/**
 * 64-bit keyed fingerprints of texts: HalfSipHash-1-3 (Aumasson and Bernstein) with 64 bits of output, over the UTF-8 bytes
 * (lone surrogates count as U+FFFD). 32-bit arithmetic only, so no BigInt; a list of texts is turned into bytes in one call,
 * which makes it about 100 ns for 70 characters, less than half of reading them one `charCodeAt` at a time.
 *
 * Equal fingerprints are taken as equal texts. By chance two of n URLs of a site meet with n² / 2⁶⁵: 3e-8 for a million, 3e-6 for
 * ten million. On purpose nobody can make them meet who does not know the key; it is random per site and never leaves the store.
 */
export class UrlFingerprint {
  readonly #key0: number;
  readonly #key1: number;
  #bytes = Buffer.allocUnsafe(INITIAL_BYTES);

  /** @param seed 8 random bytes. */
  constructor(seed: Uint8Array) {
    const view = new DataView(seed.buffer, seed.byteOffset, seed.byteLength);
    this.#key0 = view.getInt32(0, true);
    this.#key1 = view.getInt32(4, true);
  }

  /** High and low half of each text's fingerprint, one after the other, as signed 32-bit numbers. */
  compute(texts: readonly string[]): Int32Array {
    const halves = new Int32Array(texts.length * 2);
    const all = texts.length === 1 ? (texts[0] as string) : texts.join('');
    if (all.length * 3 > this.#bytes.length) this.#bytes = Buffer.allocUnsafe(all.length * 3 * 2);
    const areAscii = this.#bytes.write(all, 0, 'utf8') === all.length;
    let start = 0;
    for (let index = 0; index < texts.length; index++) {
      const text = texts[index] as string;
      // Other than ASCII is written again alone: its length is not known, and halves of a pair in two texts would have been joined.
      const length = areAscii ? text.length : this.#bytes.write(text, 0, 'utf8');
      this.#hash(areAscii ? start : 0, length, halves, index * 2);
      start += length;
    }
    return halves;
  }

  #hash(start: number, length: number, halves: Int32Array, place: number): void {
    const bytes = this.#bytes;
    let v0 = this.#key0;
    let v1 = this.#key1 ^ 0xee;
    let v2 = this.#key0 ^ 0x6c796765;
    let v3 = this.#key1 ^ 0x74656462;

    const end = start + (length & ~3);
    for (let at = start; at <= end; at += 4) {
      const word = at < end ? readWord(bytes, at) : readRest(bytes, at, length);
      v3 ^= word;
      v0 = (v0 + v1) | 0;
      v1 = (v1 << 5) | (v1 >>> 27);
      v1 ^= v0;
      v0 = (v0 << 16) | (v0 >>> 16);
      v2 = (v2 + v3) | 0;
      v3 = (v3 << 8) | (v3 >>> 24);
      v3 ^= v2;
      v0 = (v0 + v3) | 0;
      v3 = (v3 << 7) | (v3 >>> 25);
      v3 ^= v0;
      v2 = (v2 + v1) | 0;
      v1 = (v1 << 13) | (v1 >>> 19);
      v1 ^= v2;
      v2 = (v2 << 16) | (v2 >>> 16);
      v0 ^= word;
    }

    v2 ^= 0xee;
    for (let round = 0; round < 6; round++) {
      if (round === 3) {
        halves[place + 1] = v1 ^ v3;
        v1 ^= 0xdd;
      }
      v0 = (v0 + v1) | 0;
      v1 = (v1 << 5) | (v1 >>> 27);
      v1 ^= v0;
      v0 = (v0 << 16) | (v0 >>> 16);
      v2 = (v2 + v3) | 0;
      v3 = (v3 << 8) | (v3 >>> 24);
      v3 ^= v2;
      v0 = (v0 + v3) | 0;
      v3 = (v3 << 7) | (v3 >>> 25);
      v3 ^= v0;
      v2 = (v2 + v1) | 0;
      v1 = (v1 << 13) | (v1 >>> 19);
      v1 ^= v2;
      v2 = (v2 << 16) | (v2 >>> 16);
    }
    halves[place] = v1 ^ v3;
  }
}

function readWord(bytes: Buffer, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
}

/** The last word: up to three bytes that are left, and the length in the top byte. */
function readRest(bytes: Buffer, at: number, length: number): number {
  let word = length << 24;
  for (let index = 0; index < (length & 3); index++) word |= (bytes[at + index] as number) << (index * 8);
  return word;
}
