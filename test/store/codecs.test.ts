import { array, assert, constantFrom, integer, maxSafeNat, property, record, string, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOrbweaverError } from '../../src/base/errors.ts';
import { ByteReader } from '../../src/store/byte-reader.ts';
import { ByteWriter } from '../../src/store/byte-writer.ts';
import { readFate, writeFate } from '../../src/store/fate-codec.ts';
import { halvesOf, readIndexEntry, writeIndexEntry } from '../../src/store/index-codec.ts';
import { NO_LINKS, readLinks, writeLinks } from '../../src/store/links-codec.ts';
import { readPage, writePage } from '../../src/store/page-codec.ts';
import { FATES, URL_KINDS, URL_ORIGINS } from '../../src/store/records.ts';
import { readRobots, writeRobots } from '../../src/store/robots-codec.ts';
import { readSite, writeSite } from '../../src/store/site-codec.ts';
import { readUrl, writeUrl } from '../../src/store/url-codec.ts';
import { makeState } from '../support/store-records.ts';

const uint32 = integer({ min: 0, max: 0xffff_ffff });
const int32 = integer({ min: -0x8000_0000, max: 0x7fff_ffff });
const natural = maxSafeNat();
/** Any UTF-16, lone surrogates too; long enough to leave the short path. */
const text = array(integer({ min: 0, max: 0xffff }), { maxLength: 400 }).map((units) => String.fromCharCode(...units));
const anyText = constantFrom('short', 'any').chain((kind) => (kind === 'short' ? string({ maxLength: 300 }) : text));

const url = record({
  number: uint32,
  url: anyText,
  kind: constantFrom(...URL_KINDS),
  level: natural,
  origin: constantFrom(...URL_ORIGINS),
  from: natural,
  rule: anyText,
});
const fate = record({ type: constantFrom(...FATES), status: natural, target: natural, detail: anyText });
const links = array(
  record({ step: integer({ min: 1, max: 40_000_000 }), count: integer({ min: 1, max: 0xffff_ffff }) }),
  {
    maxLength: 100,
  },
).map((entries) => {
  let last = 0;
  const numbers = Uint32Array.from(entries, ({ step }) => (last += step));
  return { numbers, counts: Uint32Array.from(entries, ({ count }) => (count % 3 === 0 ? count : 1)) };
});
const page = record({
  id: uint32,
  urlNumber: natural,
  url: anyText,
  level: natural,
  title: anyText,
  bytes: natural,
  digest: uint8Array({ minLength: 32, maxLength: 32 }),
  linksCut: natural,
  flags: natural,
});
const robots = record({
  origin: anyText,
  state: constantFrom('found' as const, 'unavailable' as const, 'unreachable' as const),
  status: natural,
  text: anyText,
  detail: anyText,
  fetchedAt: natural,
});

describe('Every record', () => {
  it('is read back as it was written', () => {
    assert(
      property(url, (value) => {
        expect(readUrl(encode(writeUrl, value), value.number)).toEqual(value);
      }),
    );
    assert(
      property(fate, (value) => {
        expect(readFate(encode(writeFate, value))).toEqual(value);
      }),
    );
    assert(
      property(links, (value) => {
        expect(readLinks(encode(writeLinks, value))).toEqual(value);
      }),
    );
    assert(
      property(page, (value) => {
        const whole = { ...value, links: NO_LINKS };
        expect(readPage(encode(writePage, whole), value.id, NO_LINKS)).toEqual(whole);
      }),
    );
    assert(
      property(robots, (value) => {
        expect(readRobots(encode(writeRobots, value))).toEqual(value);
      }),
    );
    const halves = array(int32, { maxLength: 20 }).map((list) => Int32Array.from(list.slice(list.length % 2)));
    const entry = record({ firstUrl: natural, urlHalves: halves, firstPage: natural, digestHalves: halves });
    assert(
      property(entry, (value) => {
        expect(readIndexEntry(encode(writeIndexEntry, value))).toEqual(value);
      }),
    );
    const site = {
      number: 0xffff_ffff,
      seed: new Uint8Array([0, 1, 2, 3, 252, 253, 254, 255]),
      maxIndexEntries: 8_000_000,
      state: makeState('ü.test'),
    };
    expect(readSite(encode(writeSite, site))).toEqual(site);
  });

  it('is refused as corrupt, and never read as something else, when it is cut or goes on too long', () => {
    const readers: readonly (readonly [Buffer, (value: Buffer) => unknown])[] = [
      [
        encode(writeUrl, {
          number: 1,
          url: 'http://a/ü',
          kind: 'visit',
          level: 300,
          origin: 'seed',
          from: 0,
          rule: 'x',
        }),
        (value) => readUrl(value, 1),
      ],
      [encode(writeFate, { type: 'page', status: 200, target: 70_000, detail: 'x' }), readFate],
      [encode(writeLinks, { numbers: Uint32Array.of(1, 500), counts: Uint32Array.of(1, 300) }), readLinks],
      [
        encode(writeRobots, { origin: 'a', state: 'found', status: 1, text: 'b', detail: 'c', fetchedAt: 1e12 }),
        readRobots,
      ],
      [
        encode(writeIndexEntry, {
          firstUrl: 1,
          urlHalves: Int32Array.of(1, 2),
          firstPage: 1,
          digestHalves: Int32Array.of(3, 4),
        }),
        readIndexEntry,
      ],
    ];
    for (const [value, read] of readers) {
      for (let length = 0; length < value.length; length++)
        expectCode('STORE_CORRUPT', () => read(value.subarray(0, length)));
      expectCode('STORE_CORRUPT', () => read(Buffer.concat([value, Buffer.of(0)])));
      expectCode('STORE_VERSION', () => read(Buffer.concat([Buffer.of(200), value.subarray(1)])));
    }
  });

  it('yields an Orbweaver error or a record, whatever the bytes', () => {
    assert(
      property(uint8Array({ maxLength: 60 }), (bytes) => {
        const value = Buffer.concat([Buffer.of(1), bytes]);
        for (const read of [readFate, readLinks, readRobots, readIndexEntry, readSite, (v: Buffer) => readUrl(v, 1)]) {
          try {
            read(value);
          } catch (error) {
            expect(isOrbweaverError(error)).toBe(true);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('ByteWriter', () => {
  it('writes varints of all sizes that are read back, small ones in one byte', () => {
    assert(
      property(natural, (value) => {
        expect(new ByteReader(encode((w, v) => w.varint(v), value)).varint()).toBe(value);
      }),
    );
    for (const [value, bytes] of [
      [0, 1],
      [127, 1],
      [128, 2],
      [16_383, 2],
      [16_384, 3],
      [2 ** 31, 5],
      [2 ** 32, 5],
      [2 ** 53 - 1, 8],
    ] as const) {
      const encoded = encode((writer, number) => writer.varint(number), value);
      expect([encoded.length, new ByteReader(encoded).varint()]).toEqual([bytes, value]);
    }
  });

  it('keeps earlier parts when it grows', () => {
    const writer = new ByteWriter(8);
    for (let value = 0; value < 1000; value++) writer.uint32(value);
    const reader = new ByteReader(writer.toBuffer());
    for (let value = 0; value < 1000; value++) expect(reader.uint32()).toBe(value);
  });

  it('gives a buffer back that one record has blown up', () => {
    const writer = new ByteWriter(16);
    writer.bytes(new Uint8Array(10_000));
    writer.reset();
    writer.byte(7);
    expect(writer.slice(0, 1).buffer.byteLength).toBeLessThanOrEqual(Math.max(9_000, Buffer.poolSize));
    expect([...writer.toBuffer()]).toEqual([7]);
  });
});

describe('Links', () => {
  it('take one byte each when they are near and single', () => {
    const numbers = Uint32Array.from({ length: 100 }, (_, index) => index * 60 + 1);
    expect(encode(writeLinks, { numbers, counts: new Uint32Array(100).fill(1) }).length).toBe(102);
  });

  it('are refused when they are not sorted or counted', () => {
    for (const [numbers, counts] of [
      [
        [2, 1],
        [1, 1],
      ],
      [
        [1, 1],
        [1, 1],
      ],
      [[0], [1]],
      [[1], [0]],
      [[1], []],
    ] as const) {
      const value = { numbers: Uint32Array.from(numbers), counts: Uint32Array.from(counts) };
      expectCode('INTERNAL', () => encode(writeLinks, value));
    }
  });
});

describe('The first halves of a digest', () => {
  it('are its first eight bytes', () => {
    const digest = Uint8Array.from({ length: 32 }, (_, index) => 0xf0 - index);
    const bytes = Buffer.alloc(8);
    const [high, low] = halvesOf(digest);
    bytes.writeInt32BE(high, 0);
    bytes.writeInt32BE(low, 4);
    expect([...bytes]).toEqual([...digest.subarray(0, 8)]);
  });
});

function encode<Value>(write: (writer: ByteWriter, value: Value) => void, value: Value): Buffer {
  const writer = new ByteWriter(16);
  write(writer, value);
  return writer.toBuffer();
}

function expectCode(code: Parameters<typeof isOrbweaverError>[1], call: () => unknown): void {
  expect(call).toThrow(expect.toSatisfy((error: unknown) => isOrbweaverError(error, code)));
}
