import { isAscii } from 'node:buffer';
import { decodeSlice, findEncoding } from './charset.ts';
import { decodeReferences } from './html-character-references.ts';
import { TAG } from './html-names.ts';
import { extractCharset, metaEncoding } from './html-prescan.ts';
import { SLOT } from './scan-reader.ts';
import type { MarkupReader } from './scan-reader.ts';
import type { LinkKind, ScanOptions } from './scan-result.ts';

/** Links kept of a page when nothing else is said. */
const DEFAULT_MAX_LINKS = 100_000;
/** Characters kept of a title. */
const MAX_TITLE = 1024;
/** Bytes looked at for a title: what is beyond would be cut anyway, were it not all white space. */
const MAX_TITLE_BYTES = 65_536;
/** Characters kept of all `<meta name=robots>` together. */
const MAX_ROBOTS = 4096;

/** Bits of bytes that need work before they are text: 1 not ASCII, 2 `&`, 4 carriage return, 8 NUL. */
const NOT_ASCII = 1;
const AMPERSAND = 2;
const RETURN = 4;
const NUL = 8;
const WORK = new Uint8Array(256);
WORK.fill(NOT_ASCII, 0x80);
WORK[0x26] = AMPERSAND;
WORK[0x0d] = RETURN;
WORK[0] = NUL;

/** What `toString('latin1', …)` of a Buffer comes to; a page calls it for each link. Node has it in all versions, its types have not. */
interface Latin1Bytes {
  latin1Slice(start: number, end: number): string;
}

const WITH_A: ReadonlySet<LinkKind> = new Set<LinkKind>(['a']);

/** What was known when the body began. */
interface HeadState {
  readonly base: string | undefined;
  readonly title: string | undefined;
  readonly metaRefresh: string | undefined;
  readonly metaRobots: string;
}

/** Takes the links and the words about the page from the tags that count, as text. */
export class PageCollector {
  readonly encoding: string;
  readonly links: string[] = [];
  linksCut = 0;
  base: string | undefined;
  title: string | undefined;
  metaRefresh: string | undefined;
  metaRobots = '';
  /** Set when a `<meta>` says that the page is in another encoding than was assumed: it is to be read again. */
  otherEncoding: string | undefined;
  readonly #bytes: Buffer & Latin1Bytes;
  /** Nothing on the page needs work before it is text, but for references. */
  readonly #isPlain: boolean;
  readonly #withA: boolean;
  readonly #withArea: boolean;
  readonly #withFrame: boolean;
  readonly #maxLinks: number;
  /** Encoding assumed of the page, which a `<meta>` may correct; undefined when it is certain. */
  #assumed: string | undefined;
  #head: HeadState | undefined;

  /** `encoding` is that of the bytes given; `assumed` that of the page where neither mark nor header said so. */
  constructor(bytes: Buffer, encoding: string, assumed: string | undefined, options: ScanOptions) {
    const kinds = options.kinds ?? WITH_A;
    this.#bytes = bytes as Buffer & Latin1Bytes;
    this.#isPlain = isAscii(bytes) && !bytes.includes(0x0d) && !bytes.includes(0);
    this.encoding = encoding;
    this.#assumed = assumed;
    this.#withA = kinds.has('a');
    this.#withArea = kinds.has('area');
    this.#withFrame = kinds.has('frame');
    this.#maxLinks = options.maxLinks ?? DEFAULT_MAX_LINKS;
  }

  /** A start tag that became an HTML element, outside templates. */
  takeHtml(reader: MarkupReader): void {
    switch (reader.tag) {
      case TAG.a:
        if (this.#withA) this.#addLink(reader, SLOT.href);
        return;
      case TAG.area:
        if (this.#withArea) this.#addLink(reader, SLOT.href);
        return;
      case TAG.frame:
      case TAG.iframe:
        if (this.#withFrame) this.#addLink(reader, SLOT.src);
        return;
      case TAG.base:
        this.base ??= this.#value(reader, SLOT.href);
        return;
      case TAG.meta:
        this.#takeMeta(reader);
        return;
      default:
    }
  }

  /** Begin and end of the `href` of each of several HTML `<a>`. */
  takeHrefs(places: readonly number[]): void {
    if (!this.#withA) return;
    for (let i = 0; i < places.length; i += 2) this.#takeLink(places[i] as number, places[i + 1] as number);
  }

  /** A start tag that became an SVG or MathML element: its `<a>` is a link too, with `href` or, of old, `xlink:href` (SVG 2 16.4.1). */
  takeForeign(reader: MarkupReader): void {
    if (reader.tag !== TAG.a || !this.#withA) return;
    this.#addLink(reader, reader.slots[2 * SLOT.href] === -1 ? SLOT.xlinkHref : SLOT.href);
  }

  /** The content of a `<title>`; the first counts. */
  takeTitle(start: number, end: number): void {
    if (this.title !== undefined) return;
    const text = this.#text(start, Math.min(end, start + MAX_TITLE_BYTES), false);
    const title = text.replace(/[\t\n\f\r ]+/g, ' ').trim();
    this.title = title.length <= MAX_TITLE ? title : title.slice(0, MAX_TITLE).replace(/[\uD800-\uDBFF]$/, '');
  }

  /** The head is over: what follows is gone should a frameset take the body's place. */
  noteBody(): void {
    this.#head = {
      base: this.base,
      title: this.title,
      metaRefresh: this.metaRefresh,
      metaRobots: this.metaRobots,
    };
  }

  dropBody(): void {
    if (this.#head === undefined) return;
    this.links.length = 0;
    this.linksCut = 0;
    this.base = this.#head.base;
    this.title = this.#head.title;
    this.metaRefresh = this.#head.metaRefresh;
    this.metaRobots = this.#head.metaRobots;
  }

  #addLink(reader: MarkupReader, slot: number): void {
    const start = reader.slots[2 * slot] as number;
    if (start !== -1) this.#takeLink(start, reader.slots[2 * slot + 1] as number);
  }

  #takeLink(start: number, end: number): void {
    if (this.links.length >= this.#maxLinks) {
      this.linksCut++;
      return;
    }
    this.links.push(this.#text(start, end, true));
  }

  #value(reader: MarkupReader, slot: number): string | undefined {
    const start = reader.slots[2 * slot] as number;
    return start === -1 ? undefined : this.#text(start, reader.slots[2 * slot + 1] as number, true);
  }

  #takeMeta(reader: MarkupReader): void {
    const pragma = this.#value(reader, SLOT.httpEquiv)?.toLowerCase();
    if (this.#assumed !== undefined) this.#takeCharset(reader, pragma);
    const isRobots = this.#value(reader, SLOT.name)?.toLowerCase() === 'robots';
    if (!isRobots && pragma !== 'refresh') return;
    const content = this.#value(reader, SLOT.content);
    // An empty one says nothing (WHATWG HTML 4.2.5.3, "refresh", step 1 and 2).
    if (content === undefined || content === '') return;
    if (pragma === 'refresh') this.metaRefresh ??= content;
    if (isRobots && this.metaRobots.length < MAX_ROBOTS) {
      const joined = this.metaRobots === '' ? content : `${this.metaRobots},${content}`;
      this.metaRobots = joined.toLowerCase().slice(0, MAX_ROBOTS);
    }
  }

  /** "Changing the encoding while parsing" (WHATWG HTML 13.2.3.4, 13.2.6.4.4 `meta`). */
  #takeCharset(reader: MarkupReader, pragma: string | undefined): void {
    const charset = this.#value(reader, SLOT.charset);
    let encoding = charset === undefined ? undefined : findEncoding(charset);
    if (encoding === undefined && pragma === 'content-type') {
      const content = this.#value(reader, SLOT.content);
      const label = content === undefined ? undefined : extractCharset(content);
      encoding = label === undefined ? undefined : findEncoding(label);
    }
    if (encoding === undefined) return;
    const meant = metaEncoding(encoding);
    // UTF-16 found by its look stays; anything else was an assumption, the page's own word holds.
    if (meant !== this.#assumed && this.#assumed?.startsWith('utf-16') !== true) this.otherEncoding = meant;
    this.#assumed = undefined;
  }

  /** Text of a part of the page: decoded, line ends and NUL made regular (WHATWG HTML 13.2.3.5), references resolved. */
  #text(start: number, end: number, isAttribute: boolean): string {
    const bytes = this.#bytes;
    if (this.#isPlain) {
      const ascii = bytes.latin1Slice(start, end);
      return ascii.includes('&') ? decodeReferences(ascii, isAttribute) : ascii;
    }
    let work = 0;
    for (let i = start; i < end; i++) work |= WORK[bytes[i] as number] as number;
    let text = (work & NOT_ASCII) === 0 ? bytes.latin1Slice(start, end) : decodeSlice(bytes, start, end, this.encoding);
    if (work <= NOT_ASCII) return text;
    if ((work & RETURN) !== 0) text = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
    if ((work & NUL) !== 0) text = text.replaceAll('\0', '\uFFFD');
    return (work & AMPERSAND) === 0 ? text : decodeReferences(text, isAttribute);
  }
}
