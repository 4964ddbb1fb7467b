import { findTag, HASH_FACTOR, NAME_BYTES, TAG, TAG_BYTES, tagTable } from './html-names.ts';

/** What `next` came to. `other` is a comment, a doctype, a CDATA section or nothing at all. */
export const TOKEN = { end: 0, startTag: 1, endTag: 2, doctype: 3, other: 4 } as const;

/** Attributes that are kept, by slot. `look` stands for color, face and size of `<font>`. */
export const SLOT = {
  href: 0,
  xlinkHref: 1,
  src: 2,
  httpEquiv: 3,
  name: 4,
  content: 5,
  charset: 6,
  type: 7,
  encoding: 8,
  look: 9,
} as const;
const SLOTS = 10;

/** Start tags whose attributes are read; those of others are only skipped. */
const WITH_ATTRIBUTES = tagTable([
  1,
  [TAG.a, TAG.area, TAG.base, TAG.meta, TAG.frame, TAG.iframe, TAG.input, TAG.font, TAG.annotationXml],
]);

/** Bits: 1 white space, 2 ends an attribute name, 4 ends an unquoted value (WHATWG HTML 13.2.5.33, 13.2.5.38). */
const BYTE_CLASS = new Uint8Array(256);
for (const byte of [0x09, 0x0a, 0x0c, 0x0d, 0x20]) BYTE_CLASS[byte] = 1 | 2 | 4;
for (const byte of [0x2f, 0x3d]) BYTE_CLASS[byte] = 2;
BYTE_CLASS[0x3e] = 2 | 4;
const LETTER = new Uint8Array(256);
for (let byte = 0x61; byte <= 0x7a; byte++) LETTER[byte] = LETTER[byte - 0x20] = 1;

/** Gaps up to this long are searched byte by byte: a native search costs more than that to call. */
const SHORT_GAP = 32;

const CDATA_START = Buffer.from('[CDATA[');
const CDATA_END = Buffer.from(']]>');
const DOCTYPE = Buffer.from('doctype');
const SCRIPT = Buffer.from('script');

interface WantedName {
  readonly name: Uint8Array;
  readonly slot: number;
}
const WANTED_NAMES: readonly (readonly [name: string, slot: number])[] = [
  ['href', SLOT.href],
  ['xlink:href', SLOT.xlinkHref],
  ['src', SLOT.src],
  ['http-equiv', SLOT.httpEquiv],
  ['name', SLOT.name],
  ['content', SLOT.content],
  ['charset', SLOT.charset],
  ['type', SLOT.type],
  ['encoding', SLOT.encoding],
  ['color', SLOT.look],
  ['face', SLOT.look],
  ['size', SLOT.look],
];
/** The names above by their length. */
const NAMES_BY_LENGTH: WantedName[][] = [];
for (const [name, slot] of WANTED_NAMES) (NAMES_BY_LENGTH[name.length] ??= []).push({ name: Buffer.from(name), slot });

/**
 * The tokenizer of HTML over the bytes of a page in an encoding that keeps ASCII (WHATWG HTML 13.2.5): where tags begin and
 * end, and where the wanted attributes are. It makes no strings and no tokens; the caller reads the fields after `next`.
 * Linear in the page whatever it holds.
 */
export class MarkupReader {
  readonly bytes: Buffer;
  readonly length: number;
  /** Where the next token is looked for. */
  position: number;
  /** The text before the token: [textStart, tokenStart). */
  textStart = 0;
  tokenStart = 0;
  /** Number of the tag name (`TAG`), 0 for one not known; the name is [nameStart, nameEnd). */
  tag = 0;
  nameStart = 0;
  nameEnd = 0;
  isSelfClosing = false;
  /** Begin and end of each attribute value, -1 where there is none; only for start tags that have wanted attributes. */
  readonly slots = new Int32Array(2 * SLOTS).fill(-1);
  /** Set by the caller while the current element is in SVG or MathML: there, CDATA sections are text. */
  isForeign = false;
  /** A CDATA section was met. */
  sawCdata = false;
  /** End of the content that `skipContent` went over. */
  contentEnd = 0;

  constructor(bytes: Buffer, position: number) {
    this.bytes = bytes;
    this.length = bytes.length;
    this.position = position;
  }

  /** Goes to the next tag, comment or doctype. A tag that the page's end cuts off is none. */
  next(): number {
    const { bytes, length } = this;
    let from = this.position;
    this.textStart = from;
    for (;;) {
      const soon = from + SHORT_GAP < length ? from + SHORT_GAP : length;
      while (from < soon && bytes[from] !== 0x3c) from++;
      if (from === soon) {
        from = soon < length ? bytes.indexOf(0x3c, soon) : -1;
        if (from < 0) break;
      }
      const next = from + 1 < length ? (bytes[from + 1] as number) : 0;
      if (LETTER[next] === 1) {
        this.tokenStart = from;
        return this.#readTag(from + 1, TOKEN.startTag);
      }
      if (next === 0x2f) {
        if (from + 2 >= length) break;
        this.tokenStart = from;
        if (LETTER[bytes[from + 2] as number] === 1) return this.#readTag(from + 2, TOKEN.endTag);
        return this.#skipTo(0x3e, from + 2, TOKEN.other);
      }
      if (next === 0x21) {
        this.tokenStart = from;
        return this.#readDeclaration(from + 2);
      }
      if (next === 0x3f) {
        this.tokenStart = from;
        return this.#skipTo(0x3e, from + 1, TOKEN.other);
      }
      from++;
    }
    this.tokenStart = length;
    this.position = length;
    return TOKEN.end;
  }

  #skipTo(byte: number, from: number, token: number): number {
    const end = this.bytes.indexOf(byte, from);
    this.position = end < 0 ? this.length : end + 1;
    return token;
  }

  /** After `<!`. */
  #readDeclaration(from: number): number {
    const { bytes, length } = this;
    if (bytes[from] === 0x2d && bytes[from + 1] === 0x2d) {
      this.position = this.#findCommentEnd(from + 2);
      return TOKEN.other;
    }
    if (this.isForeign && this.#startsWith(from, CDATA_START, false)) {
      this.sawCdata = true;
      const end = bytes.indexOf(CDATA_END, from + CDATA_START.length);
      this.position = end < 0 ? length : end + 3;
      return TOKEN.other;
    }
    // `>` ends a doctype even inside its quotes.
    return this.#skipTo(0x3e, from, this.#startsWith(from, DOCTYPE, true) ? TOKEN.doctype : TOKEN.other);
  }

  #startsWith(from: number, text: Uint8Array, ignoreCase: boolean): boolean {
    for (let i = 0; i < text.length; i++) {
      const byte = this.bytes[from + i] ?? 0;
      if ((ignoreCase ? NAME_BYTES[byte] : byte) !== text[i]) return false;
    }
    return true;
  }

  /** Position after the comment whose text begins at `from` (WHATWG HTML 13.2.5.43 to 13.2.5.52). */
  #findCommentEnd(from: number): number {
    const { bytes, length } = this;
    if (bytes[from] === 0x3e) return from + 1;
    if (bytes[from] === 0x2d && bytes[from + 1] === 0x3e) return from + 2;
    // `-->` or `--!>`; the dashes are not those that open it.
    for (let p = bytes.indexOf(0x3e, from + 2); p >= 0; p = bytes.indexOf(0x3e, p + 1)) {
      const dash = bytes[p - 1] === 0x21 ? p - 2 : p - 1;
      if (bytes[dash] === 0x2d && bytes[dash - 1] === 0x2d && dash > from) return p + 1;
    }
    return length;
  }

  #readTag(start: number, token: number): number {
    const { bytes, length } = this;
    let hash = 0;
    let p = start;
    for (; p < length; p++) {
      const byte = NAME_BYTES[bytes[p] as number] as number;
      if (byte === 0) break;
      hash = (Math.imul(hash, HASH_FACTOR) + byte) | 0;
    }
    this.nameStart = start;
    this.nameEnd = p;
    this.isSelfClosing = false;
    const tag = findTag(bytes, start, p, hash);
    this.tag = tag;
    const wanted = token === TOKEN.startTag && WITH_ATTRIBUTES[tag] === 1;
    if (wanted) for (let slot = 0; slot < 2 * SLOTS; slot += 2) this.slots[slot] = -1;
    if (p < length && bytes[p] === 0x3e) {
      this.position = p + 1;
      return token;
    }
    if (this.#readAttributes(p, wanted)) return token;
    this.tokenStart = length;
    return TOKEN.end;
  }

  /** Reads to the `>` of a tag; false when the page ends before it (WHATWG HTML 13.2.5.32 to 13.2.5.40). */
  #readAttributes(from: number, wanted: boolean): boolean {
    const { bytes, length } = this;
    let p = from;
    while (p < length) {
      let byte = bytes[p] as number;
      while (byte === 0x2f || ((BYTE_CLASS[byte] as number) & 1) === 1) {
        if (++p >= length) break;
        byte = bytes[p] as number;
      }
      if (p >= length) break;
      if (byte === 0x3e) {
        this.isSelfClosing = bytes[p - 1] === 0x2f;
        this.position = p + 1;
        return true;
      }
      // A name may begin with `=`.
      const nameStart = p++;
      while (p < length && ((BYTE_CLASS[bytes[p] as number] as number) & 2) === 0) p++;
      const nameEnd = p;
      while (p < length && ((BYTE_CLASS[bytes[p] as number] as number) & 1) === 1) p++;
      let valueStart = nameEnd;
      let valueEnd = nameEnd;
      if (p < length && bytes[p] === 0x3d) {
        p++;
        while (p < length && ((BYTE_CLASS[bytes[p] as number] as number) & 1) === 1) p++;
        if (p >= length) break;
        byte = bytes[p] as number;
        if (byte === 0x22 || byte === 0x27) {
          valueStart = ++p;
          const soon = p + 2 * SHORT_GAP < length ? p + 2 * SHORT_GAP : length;
          while (p < soon && bytes[p] !== byte) p++;
          if (p === soon) {
            p = p < length ? bytes.indexOf(byte, p) : -1;
            if (p < 0) break;
          }
          valueEnd = p++;
        } else {
          valueStart = p;
          while (p < length && ((BYTE_CLASS[bytes[p] as number] as number) & 4) === 0) p++;
          valueEnd = p;
          if (wanted && p < length) this.#keep(nameStart, nameEnd, valueStart, valueEnd);
          // Here a slash belongs to the value: the tag is not self-closing by it.
          if (p < length && bytes[p] === 0x3e) {
            this.isSelfClosing = false;
            this.position = p + 1;
            return true;
          }
          continue;
        }
      }
      if (wanted) this.#keep(nameStart, nameEnd, valueStart, valueEnd);
    }
    this.position = length;
    return false;
  }

  /** Puts a value into the slot of its name, if it is a wanted one; the first of several holds. */
  #keep(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): void {
    const candidates = NAMES_BY_LENGTH[nameEnd - nameStart];
    if (candidates === undefined) return;
    const first = NAME_BYTES[this.bytes[nameStart] as number];
    for (let i = 0; i < candidates.length; i++) {
      const { name, slot } = candidates[i] as WantedName;
      if (name[0] !== first || !this.#startsWith(nameStart, name, true)) continue;
      if (this.slots[2 * slot] === -1) {
        this.slots[2 * slot] = valueStart;
        this.slots[2 * slot + 1] = valueEnd;
      }
      return;
    }
  }

  /**
   * Goes over the content of an element whose content is text, and its end tag; false when there is none before the page's end.
   * `model` as in `CONTENT_MODEL`.
   */
  skipContent(tag: number, model: number): boolean {
    if (model === 4) {
      this.position = this.contentEnd = this.length;
      return false;
    }
    return model === 3 ? this.#skipScript() : this.#skipText(TAG_BYTES[tag] as Uint8Array);
  }

  /** Position after the name if `</name` with its end is at `from`, else 0. */
  #matchEndTag(from: number, name: Uint8Array): number {
    const end = from + 2 + name.length;
    if (this.bytes[from + 1] !== 0x2f || end >= this.length) return 0;
    return this.#startsWith(from + 2, name, true) && NAME_BYTES[this.bytes[end] as number] === 0 ? end : 0;
  }

  #endContent(contentEnd: number, nameEnd: number): boolean {
    this.contentEnd = contentEnd;
    return this.#readAttributes(nameEnd, false);
  }

  #skipText(name: Uint8Array): boolean {
    const { bytes, length } = this;
    for (let p = bytes.indexOf(0x3c, this.position); p >= 0; p = bytes.indexOf(0x3c, p + 1)) {
      const end = this.#matchEndTag(p, name);
      if (end > 0) return this.#endContent(p, end);
    }
    this.position = this.contentEnd = length;
    return false;
  }

  /** Script data with its escaped and double escaped states (WHATWG HTML 13.2.5.4, 13.2.5.15 to 13.2.5.31). */
  #skipScript(): boolean {
    const { bytes, length } = this;
    // 0 plain, 1 escaped by `<!--`, 2 escaped again by `<script`.
    let depth = 0;
    let p = this.position;
    while (p < length) {
      if (depth === 0) {
        p = bytes.indexOf(0x3c, p);
        if (p < 0) break;
        const end = this.#matchEndTag(p, SCRIPT);
        if (end > 0) return this.#endContent(p, end);
        if (bytes[p + 1] === 0x21 && bytes[p + 2] === 0x2d && bytes[p + 3] === 0x2d) {
          depth = 1;
          // The same dashes may close it.
          p += 2;
        } else p++;
        continue;
      }
      const byte = bytes[p];
      if (byte === 0x3c) {
        const end = this.#matchEndTag(p, SCRIPT);
        if (end > 0) {
          if (depth === 1) return this.#endContent(p, end);
          depth = 1;
          p = end + 1;
          continue;
        }
        if (depth === 1 && p + 7 < length && this.#startsWith(p + 1, SCRIPT, true)) {
          if (NAME_BYTES[bytes[p + 7] as number] === 0) {
            depth = 2;
            p += 8;
            continue;
          }
        }
      } else if (byte === 0x2d && bytes[p + 1] === 0x2d && bytes[p + 2] === 0x3e) {
        depth = 0;
        p += 3;
        continue;
      }
      p++;
    }
    this.position = this.contentEnd = length;
    return false;
  }
}
