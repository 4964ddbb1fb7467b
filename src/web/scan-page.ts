import { decodeText, findBomEncoding, findCertainEncoding, sniffEncoding } from './charset.ts';
import { PageCollector } from './scan-collector.ts';
import { scanExact } from './scan-exact.ts';
import { MarkupReader } from './scan-reader.ts';
import type { ScannedPage, ScanOptions } from './scan-result.ts';
import { scanSimple } from './scan-simple.ts';

/** Encodings whose bytes are no markup as they stand. */
const NOT_ASCII_BASED = new Set(['utf-16le', 'utf-16be', 'iso-2022-jp', 'replacement']);
/** Encodings in which `]` may be half a character: the one mark-up byte that can, and only the end of a CDATA section holds it. */
const WITH_BRACKET_TRAILS = new Set(['gbk', 'gb18030', 'big5', 'shift_jis']);

/**
 * Links and other words of an HTML page, found in its bytes as the HTML standard's parser would find them with scripting off
 * (WHATWG HTML 13.2), without making a tree. Never throws; time is linear in the page, memory bounded by `maxLinks`.
 *
 * Each link of the source counts once, in source order: copies that the parser makes of misnested elements, and places it moves
 * them to, do not matter. `<a>` in SVG counts (`href`, else `xlink:href`); templates, comments and the content of text elements
 * do not; `<noscript>` is read. In `<select>` tags are dropped as parsers did until 2025 and parse5 8 does.
 */
export function scanPage(bytes: Uint8Array, options: ScanOptions = {}): ScannedPage {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const certain = findCertainEncoding(buffer, options.headerCharset);
  const encoding = certain ?? sniffEncoding(buffer);
  const page = scanAs(buffer, encoding, certain === undefined, options);
  const other = page.otherEncoding;
  return finish(other === undefined ? page : scanAs(buffer, other, false, options), other ?? encoding);
}

function scanAs(bytes: Buffer, encoding: string, isTentative: boolean, options: ScanOptions): PageCollector {
  if (NOT_ASCII_BASED.has(encoding)) return scanDecoded(bytes, encoding, isTentative, options);
  const collector = scanBytes(bytes, encoding, encoding, isTentative, options);
  return collector ?? scanDecoded(bytes, encoding, isTentative, options);
}

/** By way of text and UTF-8. */
function scanDecoded(bytes: Buffer, encoding: string, isTentative: boolean, options: ScanOptions): PageCollector {
  const text = Buffer.from(decodeText(bytes, encoding), 'utf8');
  return scanBytes(text, encoding, 'utf-8', isTentative, options) as PageCollector;
}

/** `bytesEncoding` is that of the bytes, `encoding` that of the page. Undefined when the bytes cannot be read as they are. */
function scanBytes(
  bytes: Buffer,
  encoding: string,
  bytesEncoding: string,
  isTentative: boolean,
  options: ScanOptions,
): PageCollector | undefined {
  const start = bytesEncoding === 'utf-8' && findBomEncoding(bytes) === 'utf-8' ? 3 : 0;
  for (const scan of [scanSimple, scanExact, scanLoose]) {
    const reader = new MarkupReader(bytes, start);
    const collector = new PageCollector(bytes, bytesEncoding, isTentative ? encoding : undefined, options);
    const isDone = scan(reader, collector, false);
    if (reader.sawCdata && WITH_BRACKET_TRAILS.has(bytesEncoding)) return undefined;
    if (isDone) return collector;
  }
  return undefined;
}

/** A page made to be slow: every tag counts. */
function scanLoose(reader: MarkupReader, collector: PageCollector): boolean {
  return scanSimple(reader, collector, true);
}

function finish(page: PageCollector, encoding: string): ScannedPage {
  return {
    encoding,
    links: page.links,
    linksCut: page.linksCut,
    base: page.base,
    title: page.title ?? '',
    metaRefresh: page.metaRefresh,
    metaRobots: page.metaRobots,
  };
}
