import { readFile, stat } from 'node:fs/promises';
import { OrbweaverError } from '../base/errors.ts';

/** A list of a million sites has 60 MB; what is larger is some other file. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Reads a text file a person made: UTF-8 with or without byte order mark, or UTF-16 with one, as Windows editors write it.
 * @returns lines without their ends (`\n`, `\r\n` or `\r`)
 * @throws {INPUT_INVALID} naming the file
 */
export async function readLines(path: string): Promise<string[]> {
  return decode(await readBytes(path)).split(/\r\n|\n|\r/);
}

export async function isFile(path: string): Promise<boolean> {
  try {
    return !(await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    if ((await stat(path)).size > MAX_BYTES)
      throw new OrbweaverError('INPUT_INVALID', `${path}: too large for a text file`);
    return await readFile(path);
  } catch (error) {
    if (error instanceof OrbweaverError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    const reason = { ENOENT: 'no such file', EISDIR: 'this is a directory', EACCES: 'no permission to read it' }[code];
    throw new OrbweaverError('INPUT_INVALID', `${path}: ${reason ?? code}`, { cause: error });
  }
}

function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2);
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return Buffer.from(bytes.subarray(2, bytes.length & ~1))
      .swap16()
      .toString('utf16le');
  return bytes.toString('utf8').replace(/^\ufeff/, '');
}
