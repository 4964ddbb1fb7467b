import { OrbweaverError } from '../base/errors.ts';

/** Reads what ByteWriter wrote. A record that ends too early, or holds more than it should, is STORE_CORRUPT. */
export class ByteReader {
  readonly #buffer: Buffer;
  #at: number;

  constructor(buffer: Buffer, start = 0) {
    this.#buffer = buffer;
    this.#at = start;
  }

  get remaining(): number {
    return this.#buffer.length - this.#at;
  }

  byte(): number {
    const value = this.#buffer[this.#at];
    if (value === undefined) throw truncated();
    this.#at++;
    return value;
  }

  uint32(): number {
    if (this.remaining < 4) throw truncated();
    const value = this.#buffer.readUInt32BE(this.#at);
    this.#at += 4;
    return value;
  }

  varint(): number {
    const buffer = this.#buffer;
    let byte = buffer[this.#at++];
    if (byte === undefined) throw truncated();
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let scale = 128;
    for (let index = 1; index < 8; index++) {
      byte = buffer[this.#at++];
      if (byte === undefined) throw truncated();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    throw new OrbweaverError('STORE_CORRUPT', 'A number in a stored record has no end.');
  }

  /** A copy, so that the record does not keep a whole block alive. */
  bytes(length: number): Uint8Array {
    if (this.remaining < length) throw truncated();
    const value = new Uint8Array(length);
    value.set(this.#buffer.subarray(this.#at, this.#at + length));
    this.#at += length;
    return value;
  }

  text(): string {
    const head = this.varint();
    const length = Math.floor(head / 2);
    if (this.remaining < length) throw truncated();
    const start = this.#at;
    this.#at += length;
    return this.#buffer.toString(head % 2 === 0 ? 'utf8' : 'utf16le', start, this.#at);
  }

  /** Throws unless everything was read. */
  end(): void {
    if (this.remaining !== 0) {
      throw new OrbweaverError('STORE_CORRUPT', `A stored record is ${this.remaining} bytes longer than it should be.`);
    }
  }
}

/** Checks the version byte that records begin with. A higher one was written by a newer Orbweaver. */
export function expectVersion(reader: ByteReader, version: number, record: string): void {
  const found = reader.byte();
  if (found === version) return;
  if (found > version) {
    throw new OrbweaverError(
      'STORE_VERSION',
      `A ${record} record has version ${found}; this Orbweaver knows ${version}.`,
    );
  }
  throw new OrbweaverError('STORE_CORRUPT', `A ${record} record has the impossible version ${found}.`);
}

/** The entry of a code list, STORE_CORRUPT when the code is unknown. */
export function decodeName<Name>(names: readonly Name[], code: number, record: string): Name {
  const name = names[code];
  if (name === undefined)
    throw new OrbweaverError('STORE_CORRUPT', `A ${record} record holds the unknown code ${code}.`);
  return name;
}

function truncated(): OrbweaverError {
  return new OrbweaverError('STORE_CORRUPT', 'A stored record ends too early.');
}
