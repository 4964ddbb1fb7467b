import { array, assert, property, string, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UrlFingerprint } from '../../src/store/url-fingerprint.ts';

const KEY = Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7);

describe('UrlFingerprint', () => {
  it('is HalfSipHash-1-3: it equals a plain implementation that gives the published HalfSipHash-2-4 values', () => {
    // Output of the reference (CC0) for the inputs '', 00, 00 01, 00 01 02 and the key 00 … 07.
    const published = ['218d1f59b9b83cc8', 'be552412f8387315', '064f39ef7c50eb57', 'ce0f1a45f7060679'];
    for (const [length, expected] of published.entries()) {
      const input = Uint8Array.from({ length }, (_, index) => index);
      expect(halfSipHash(input, KEY, 2, 4)).toBe(expected);
    }
    assert(
      property(
        array(string({ unit: 'binary', maxLength: 80 }), { maxLength: 8 }),
        uint8Array({ minLength: 8, maxLength: 8 }),
        (texts, key) => {
          const halves = new UrlFingerprint(key).compute(texts);
          const expected = texts.map((text) => halfSipHash(Buffer.from(text, 'utf8'), key, 1, 3));
          expect(texts.map((_, index) => hexOf(halves, index))).toEqual(expected);
        },
      ),
    );
  });

  it('does not depend on the other texts of the list, even where pairs of surrogates are torn between two', () => {
    const texts = ['a\ud83d', '\udd77b', 'ü', '', 'x'.repeat(100_000), '\u{1f577}', 'y'];
    const fingerprint = new UrlFingerprint(KEY);
    const together = fingerprint.compute(texts);
    for (const [index, text] of texts.entries())
      expect(hexOf(fingerprint.compute([text]), 0)).toBe(hexOf(together, index));
    expect(hexOf(together, 0)).not.toBe(hexOf(together, 5));
  });

  it('meets no other among 200,000 like URLs, in either half more often than chance', () => {
    const texts = Array.from({ length: 200_000 }, (_, index) => `//site.test/a/page-${index % 1000}.html?id=${index}`);
    const halves = new UrlFingerprint(KEY).compute(texts);
    const whole = new Set<string>();
    const high = new Set<number>();
    const low = new Set<number>();
    for (let index = 0; index < texts.length; index++) {
      whole.add(hexOf(halves, index));
      high.add(halves[index * 2] as number);
      low.add(halves[index * 2 + 1] as number);
    }
    expect(whole.size).toBe(texts.length);
    // n² / 2³³ = 4.7 meetings expected in 32 bits; 20 or more come about once in ten million keys.
    expect(texts.length - high.size).toBeLessThan(20);
    expect(texts.length - low.size).toBeLessThan(20);
  });

  it('changes half of its bits when a bit of the text or of the key changes', () => {
    const text = '//site.test/directory/page.html';
    let [changed, trials] = [0, 0];
    const original = new UrlFingerprint(KEY).compute([text]);
    for (let at = 0; at < text.length; at++) {
      for (let bit = 0; bit < 7; bit++) {
        const other = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << bit)) + text.slice(at + 1);
        changed += differingBits(original, new UrlFingerprint(KEY).compute([other]));
        trials++;
      }
    }
    for (let bit = 0; bit < 64; bit++) {
      const key = KEY.slice();
      key[bit >> 3] = (key[bit >> 3] as number) ^ (1 << (bit & 7));
      changed += differingBits(original, new UrlFingerprint(key).compute([text]));
      trials++;
    }
    expect(changed / trials).toBeGreaterThan(31);
    expect(changed / trials).toBeLessThan(33);
  });
});

function hexOf(halves: Int32Array, index: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeInt32LE(halves[index * 2 + 1] as number, 0);
  bytes.writeInt32LE(halves[index * 2] as number, 4);
  return bytes.toString('hex');
}

function differingBits(a: Int32Array, b: Int32Array): number {
  let count = 0;
  for (let index = 0; index < 2; index++) {
    for (let rest = (a[index] as number) ^ (b[index] as number); rest !== 0; rest &= rest - 1) count++;
  }
  return count;
}

/** Written from the description of the algorithm, one step at a time, for any number of rounds. */
function halfSipHash(input: Uint8Array, key: Uint8Array, rounds: number, lastRounds: number): string {
  const k0 = Buffer.from(key).readInt32LE(0);
  const k1 = Buffer.from(key).readInt32LE(4);
  let [v0, v1, v2, v3] = [k0, k1 ^ 0xee, 0x6c796765 ^ k0, 0x74656462 ^ k1];
  const round = (): void => {
    v0 = (v0 + v1) | 0;
    v1 = rotate(v1, 5) ^ v0;
    v0 = rotate(v0, 16);
    v2 = (v2 + v3) | 0;
    v3 = rotate(v3, 8) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = rotate(v3, 7) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = rotate(v1, 13) ^ v2;
    v2 = rotate(v2, 16);
  };
  const padded = [...input];
  while (padded.length % 4 !== 3) padded.push(0);
  padded.push(input.length & 0xff);
  for (let at = 0; at < padded.length; at += 4) {
    const word = Buffer.from(padded.slice(at, at + 4)).readInt32LE(0);
    v3 ^= word;
    for (let count = 0; count < rounds; count++) round();
    v0 ^= word;
  }
  const output = Buffer.alloc(8);
  v2 ^= 0xee;
  for (let count = 0; count < lastRounds; count++) round();
  output.writeInt32LE(v1 ^ v3, 0);
  v1 ^= 0xdd;
  for (let count = 0; count < lastRounds; count++) round();
  output.writeInt32LE(v1 ^ v3, 4);
  return output.toString('hex');
}

function rotate(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}
