const FLAG_HCRC = 2;
const FLAG_EXTRA = 4;
const FLAG_NAME = 8;
const FLAG_COMMENT = 16;

/** Length of the header of a gzip member (RFC 1952 §2.3), or undefined when the bytes do not begin with a whole one. */
export function gzipHeadLength(bytes: Uint8Array): number | undefined {
  if (bytes.length < 10 || bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8) return undefined;
  const flags = bytes[3] as number;
  let at = 10;
  if ((flags & FLAG_EXTRA) !== 0) {
    if (at + 2 > bytes.length) return undefined;
    at += 2 + (bytes[at] as number) + ((bytes[at + 1] as number) << 8);
  }
  for (const flag of [FLAG_NAME, FLAG_COMMENT]) {
    if ((flags & flag) === 0) continue;
    const end = bytes.indexOf(0, at);
    if (end < 0) return undefined;
    at = end + 1;
  }
  if ((flags & FLAG_HCRC) !== 0) at += 2;
  return at < bytes.length ? at : undefined;
}

/** Whether deflate data has the zlib header it should have (RFC 1950 §2.2); old servers send it raw. */
export function hasZlibHead(bytes: Uint8Array): boolean {
  const first = bytes[0] ?? 0;
  if ((first & 0x0f) !== 8) return false;
  return bytes.length < 2 || ((first << 8) | (bytes[1] as number)) % 31 === 0;
}
