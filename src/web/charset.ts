import { createRequire } from 'node:module';
import type * as encodingModule from '@exodus/bytes/encoding.js';
import type * as labelModule from '@exodus/bytes/encoding-lite.js';
import type * as whatwgModule from '@exodus/bytes/whatwg.js';
import { prescanEncoding } from './html-prescan.ts';

// The tables of legacy encodings cost 30 ms to load: only a crawl that meets such a page pays for them.
const load = createRequire(import.meta.url);
let encodings: typeof encodingModule | undefined;
let labels: typeof labelModule | undefined;
let percent: typeof whatwgModule | undefined;

/** What nearly every page says, without loading the table of labels. */
const COMMON_LABELS = new Map([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  ['iso-8859-1', 'windows-1252'],
  ['latin1', 'windows-1252'],
  ['us-ascii', 'windows-1252'],
  ['ascii', 'windows-1252'],
  ['windows-1252', 'windows-1252'],
]);
const labelCache = new Map<string, string | undefined>();

/** WHATWG encoding (lower case) that a label names, undefined if none (WHATWG Encoding 4.2 "get an encoding"). */
export function findEncoding(label: string): string | undefined {
  const common = COMMON_LABELS.get(label);
  if (common !== undefined) return common;
  const known = labelCache.get(label);
  if (known !== undefined || labelCache.has(label)) return known;
  labels ??= load('@exodus/bytes/encoding-lite.js') as typeof labelModule;
  const encoding = labels.labelToName(label)?.toLowerCase();
  if (labelCache.size > 256) labelCache.clear();
  if (label.length < 64) labelCache.set(label, encoding);
  return encoding;
}

/** Encoding that a byte order mark shows, undefined without one. */
export function findBomEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return undefined;
}

/**
 * Encoding of an HTML page, WHATWG name in lower case: byte order mark, header, declaration in the first 1,024 bytes,
 * windows-1252 (WHATWG HTML 13.2.3.2). A page that declares nothing is not guessed at: its URLs' queries would depend on the guess.
 */
export function sniffEncoding(bytes: Uint8Array, headerCharset?: string): string {
  return findCertainEncoding(bytes, headerCharset) ?? prescanEncoding(bytes, findEncoding) ?? 'windows-1252';
}

/** Encoding by mark or header: a `<meta>` further down cannot change it. */
export function findCertainEncoding(bytes: Uint8Array, headerCharset?: string): string | undefined {
  const byMark = findBomEncoding(bytes);
  if (byMark !== undefined) return byMark;
  return headerCharset === undefined ? undefined : findEncoding(headerCharset);
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Length of the mark of this encoding at the start of the bytes. */
function markLength(bytes: Uint8Array, encoding: string): number {
  if (findBomEncoding(bytes) !== encoding) return 0;
  return encoding === 'utf-8' ? 3 : 2;
}

/**
 * Text of the bytes, errors replaced by U+FFFD, without the byte order mark (WHATWG Encoding 4.1 "decode" with a known encoding).
 * `encoding` is a WHATWG name in lower case. Node's own decoder knows only UTF-8 and UTF-16 for certain (Node 20 takes windows-1252 for Latin-1).
 */
export function decodeText(bytes: Uint8Array, encoding: string): string {
  const mark = markLength(bytes, encoding);
  return decodeSlice(bytes, mark, bytes.length, encoding);
}

/** As `decodeText`, of a part in the middle: U+FEFF at its start is text. */
export function decodeSlice(bytes: Uint8Array, start: number, end: number, encoding: string): string {
  if (encoding === 'utf-8') return bufferOf(bytes).toString('utf8', start, end);
  if (start >= end) return '';
  // The replacement encoding stands for those too dangerous to decode (WHATWG Encoding 14.1).
  if (encoding === 'replacement') return '\uFFFD';
  encodings ??= load('@exodus/bytes/encoding.js') as typeof encodingModule;
  return new encodings.TextDecoder(encoding, { ignoreBOM: true }).decode(bytes.subarray(start, end));
}

/** Query bytes that WHATWG URL 1.3 percent-encodes in special URLs, besides controls and non-ASCII, in order. */
const QUERY_SET = ' "#\'<>';
const PLAIN_QUERY = /^[!$-&(-;=?-~]*$/;

/**
 * Query of an http(s) URL, percent-encoded in the page's encoding (WHATWG URL 4.4 "query state", 1.3 "percent-encode after
 * encoding"): characters the encoding lacks become `%26%23NNNN%3B`; pages in UTF-16 or the replacement encoding use UTF-8. `%` stays as it is.
 */
export function encodeQuery(text: string, encoding: string): string {
  // ASCII alone is the same in every encoding, in ISO-2022-JP too, which begins in ASCII.
  if (PLAIN_QUERY.test(text)) return text;
  // It brings the multi-byte tables that the encoders of the other module ask for.
  encodings ??= load('@exodus/bytes/encoding.js') as typeof encodingModule;
  percent ??= load('@exodus/bytes/whatwg.js') as typeof whatwgModule;
  const isUtf = encoding === 'utf-16le' || encoding === 'utf-16be' || encoding === 'replacement';
  return percent.percentEncodeAfterEncoding(isUtf ? 'utf-8' : encoding, text, QUERY_SET);
}
