import { assert, constantFrom, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fingerprintKey,
  numberKey,
  numberOfKey,
  numberRange,
  SITE_TABLES,
  siteRange,
  TABLE,
} from '../../src/store/tables.ts';

const uint32 = integer({ min: 0, max: 0xffff_ffff });
const table = constantFrom(...SITE_TABLES);

describe('Keys', () => {
  it('sort as table, site and number do', () => {
    assert(
      property(table, uint32, uint32, table, uint32, uint32, (tableA, siteA, a, tableB, siteB, b) => {
        const order = Math.sign(tableA - tableB || siteA - siteB || a - b);
        expect(numberKey(tableA, siteA, a).compare(numberKey(tableB, siteB, b))).toBe(order);
        expect(numberOfKey(numberKey(tableA, siteA, a))).toBe(a);
      }),
    );
  });

  it('of a site are within its range and those of others are not', () => {
    assert(
      property(table, uint32, uint32, table, uint32, (tableA, siteA, number, tableB, siteB) => {
        const { gte, lt } = siteRange(tableB, siteB);
        for (const key of [numberKey(tableA, siteA, number), fingerprintKey(tableA, siteA, number | 0, -1)]) {
          const isWithin = key.compare(gte) >= 0 && key.compare(lt) < 0;
          expect(isWithin).toBe(tableA === tableB && siteA === siteB);
        }
        const own = siteRange(tableA, siteA);
        expect(numberKey(tableA, siteA, number).compare(own.gte)).toBe(1);
        expect(numberKey(tableA, siteA, number).compare(own.lt)).toBe(-1);
      }),
    );
  });

  it('with numbers from one to another are within their range', () => {
    assert(
      property(table, uint32, uint32, uint32, uint32, (byte, site, from, to, number) => {
        const { gte, lt } = numberRange(byte, site, from, to);
        const key = numberKey(byte, site, number);
        expect(key.compare(gte) >= 0 && key.compare(lt) < 0).toBe(number >= from && number <= to);
      }),
    );
  });

  it('use a byte of its own for each table', () => {
    expect(new Set(Object.values(TABLE)).size).toBe(Object.values(TABLE).length);
  });
});
