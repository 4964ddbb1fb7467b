/**
 * The tables of the database: the first byte of every key. All but META, SITE and DROPPED continue with the site's number
 * (32 bits, big-endian), so that the records of one site are one range of each table.
 */
export const TABLE = {
  /** Schema version, next site number. */
  meta: 0x01,
  /** Site name (UTF-8) → site number, fingerprint seed, state. */
  site: 0x02,
  /** Number of a replaced site whose records are still to be cleared. */
  dropped: 0x03,
  /** URL number → URL record. */
  url: 0x10,
  /**
   * Fingerprint of a URL key (64 bits) → URL number. Only the URLs beyond the memory's limit are here; the index table has all,
   * in the order they were added.
   */
  fingerprint: 0x11,
  /** URL number → fate. */
  fate: 0x12,
  /** Page id → page without links. */
  page: 0x13,
  /** Page id → links. A table of its own, so that a walk over pages does not read them. */
  links: 0x14,
  /**
   * SHA-256 and page id → nothing. Only the pages beyond the memory's limit, and those that share their first 64 bits with an
   * earlier one.
   */
  digest: 0x15,
  /** Origin (UTF-8) → robots record. */
  robots: 0x16,
  /** Number of URLs and pages before → what the commits from there on added to the indexes in memory. */
  index: 0x17,
} as const;

export type TableByte = (typeof TABLE)[keyof typeof TABLE];

/** Tables whose keys go on with a site number: what is cleared when a site is replaced. */
export const SITE_TABLES: readonly TableByte[] = [
  TABLE.url,
  TABLE.fingerprint,
  TABLE.fate,
  TABLE.page,
  TABLE.links,
  TABLE.digest,
  TABLE.robots,
  TABLE.index,
];

/** Bytes before what a table is sorted by. */
export const SITE_PREFIX_BYTES = 5;

/** A half-open range of keys, as LevelDB iterators take it. */
export interface KeyRange {
  readonly gte: Buffer;
  readonly lt: Buffer;
}

/** `[table][site][number]`: sorts by number. */
export function numberKey(table: TableByte, site: number, number: number): Buffer {
  const key = Buffer.allocUnsafe(9);
  key[0] = table;
  key.writeUInt32BE(site, 1);
  key.writeUInt32BE(number, 5);
  return key;
}

/** The number at the end of a `numberKey`. */
export function numberOfKey(key: Buffer): number {
  return key.readUInt32BE(SITE_PREFIX_BYTES);
}

/** `[table][site][bytes]`. */
export function bytesKey(table: TableByte, site: number, bytes: Uint8Array): Buffer {
  const key = Buffer.allocUnsafe(SITE_PREFIX_BYTES + bytes.length);
  key[0] = table;
  key.writeUInt32BE(site, 1);
  key.set(bytes, SITE_PREFIX_BYTES);
  return key;
}

/** `[table][site][high][low]`, the two halves of a 64-bit fingerprint. */
export function fingerprintKey(table: TableByte, site: number, high: number, low: number): Buffer {
  const key = Buffer.allocUnsafe(13);
  key[0] = table;
  key.writeUInt32BE(site, 1);
  key.writeUInt32BE(high >>> 0, 5);
  key.writeUInt32BE(low >>> 0, 9);
  return key;
}

/** `[table][text]`, for the tables without a site number. */
export function textKey(table: TableByte, text: string): Buffer {
  return Buffer.concat([Buffer.from([table]), Buffer.from(text, 'utf8')]);
}

/** All records of a site in one table. */
export function siteRange(table: TableByte, site: number): KeyRange {
  const gte = Buffer.allocUnsafe(SITE_PREFIX_BYTES);
  gte[0] = table;
  gte.writeUInt32BE(site, 1);
  if (site === 0xffff_ffff) return { gte, lt: Buffer.from([table + 1]) };
  const lt = Buffer.from(gte);
  lt.writeUInt32BE(site + 1, 1);
  return { gte, lt };
}

/** Records with numbers from `from` to `to`, both included, of a table sorted by number. */
export function numberRange(table: TableByte, site: number, from: number, to: number): KeyRange {
  if (to >= 0xffff_ffff) return { gte: numberKey(table, site, from), lt: siteRange(table, site).lt };
  return { gte: numberKey(table, site, from), lt: numberKey(table, site, to + 1) };
}

/** All records of a table. */
export function tableRange(table: TableByte): KeyRange {
  return { gte: Buffer.from([table]), lt: Buffer.from([table + 1]) };
}
