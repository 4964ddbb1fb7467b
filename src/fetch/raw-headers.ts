import type { ResponseHeaders } from './outcome.ts';

/** A media type that the MIME sniffing standard would not reject at once. */
const TYPE = /^[!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+(?:[\s;,]|$)/;

/**
 * Header fields as the parser gave them: names and values in turn, as bytes. Only what is asked for is decoded, since a crawl
 * looks at two or three of a dozen fields.
 */
export class RawHeaders implements ResponseHeaders {
  readonly #raw: readonly Uint8Array[];
  readonly #isHttp2: boolean;

  /** `isHttp2`: Node reads HTTP/2 values as Latin-1 and undici writes them as UTF-8 again, which is undone here. */
  constructor(raw: readonly Uint8Array[], isHttp2 = false) {
    this.#raw = raw;
    this.#isHttp2 = isHttp2;
  }

  /**
   * The first field of this name; of several Content-Type fields the last one that holds a media type, as browsers do
   * (Fetch standard, "extract a MIME type").
   */
  get(name: string): string | undefined {
    if (name.toLowerCase() === 'content-type') return this.#contentType();
    for (let i = 0; i < this.#raw.length; i += 2) {
      if (this.#isNamed(i, name)) return this.#value(i);
    }
    return undefined;
  }

  getAll(name: string): readonly string[] {
    const values: string[] = [];
    for (let i = 0; i < this.#raw.length; i += 2) {
      if (this.#isNamed(i, name)) values.push(this.#value(i));
    }
    return values;
  }

  #contentType(): string | undefined {
    const values = this.getAll('content-type');
    if (values.length < 2) return values[0];
    return values.findLast((value) => TYPE.test(value) && !value.startsWith('*/*')) ?? values[0];
  }

  #isNamed(index: number, name: string): boolean {
    const field = this.#raw[index];
    if (field?.length !== name.length) return false;
    for (let i = 0; i < field.length; i++) {
      if (lower(field[i] as number) !== lower(name.charCodeAt(i))) return false;
    }
    return true;
  }

  #value(index: number): string {
    const text = decodeField(this.#raw[index + 1] ?? new Uint8Array());
    return this.#isHttp2 ? undoDoubleEncoding(text) : text;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes of a header value: UTF-8 where valid, else Latin-1 (RFC 9110 §5.5 leaves it open); blanks at the ends removed. */
function decodeField(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('latin1');
  // oxlint-disable-next-line no-control-regex -- the question is just whether there is anything beyond ASCII
  if (/^[\0-\x7f]*$/.test(text)) return trimField(text);
  try {
    return trimField(utf8.decode(buffer));
  } catch {
    return trimField(text);
  }
}

function trimField(text: string): string {
  return text.replace(/^[\t ]+|[\t ]+$/g, '');
}

function undoDoubleEncoding(text: string): string {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 0xff) return text;
  }
  return decodeField(Buffer.from(text, 'latin1'));
}

function lower(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code | 0x20 : code;
}
