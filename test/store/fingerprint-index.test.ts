import { array, assert, integer, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FingerprintIndex } from '../../src/store/fingerprint-index.ts';

describe('FingerprintIndex', () => {
  it('answers as a map does, whatever is added in whatever order', () => {
    // Few different values, so that slots are contested and fingerprints come twice; halves of 0 too.
    const half = integer({ min: -2, max: 40 });
    const number = integer({ min: 1, max: 0xffff_ffff });
    assert(
      property(array(tuple(half, half, number), { maxLength: 300 }), (entries) => {
        const index = new FingerprintIndex();
        const map = new Map<string, number>();
        for (const [high, low, value] of entries) {
          const known = map.get(`${high} ${low}`) ?? 0;
          expect(index.get(high, low)).toBe(known);
          expect(index.add(high, low, value)).toBe(known);
          if (known === 0) map.set(`${high} ${low}`, value);
        }
        expect(index.size).toBe(map.size);
      }),
    );
  });

  it('keeps every entry while it grows, and with room made beforehand', () => {
    for (const reserved of [0, 100_000]) {
      const index = new FingerprintIndex();
      index.reserve(reserved);
      for (let number = 1; number <= 100_000; number++) index.add(mix(number), ~number, number);
      for (let number = 1; number <= 100_000; number++) {
        if (index.get(mix(number), ~number) !== number) expect.fail(`${number} is lost`);
        if (index.get(mix(number), number) !== 0) expect.fail(`${number} was never added`);
      }
      expect(index.size).toBe(100_000);
    }
  });
});

const mix = (value: number): number => Math.imul(value ^ (value >>> 15), 0x9e3779b1);
