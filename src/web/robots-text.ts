/** What is read of a robots.txt (RFC 9309 §2.5 asks for at least 500 KiB). Octets; characters where only the text is at hand. */
export const MAX_ROBOTS_BYTES = 512_000;

/**
 * Text of a robots.txt: UTF-8 (RFC 9309 §2.3), or UTF-16 with a byte order mark, which the RFC does not ask for but editors write.
 * Octets of a file that is neither are percent-escaped, as they would stand in a URL. Cut at the last whole line within 500 KiB.
 */
export function decodeRobotsText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return cutRobotsText(new TextDecoder('utf-16le').decode(bytes));
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return cutRobotsText(new TextDecoder('utf-16be').decode(bytes));
  const kept = cutOctets(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(kept);
  } catch {
    const octets = Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength).toString('latin1');
    return octets.replace(/[\x80-\xff]/g, (octet) => `%${octet.charCodeAt(0).toString(16).toUpperCase()}`);
  }
}

/** Cuts a text as `decodeRobotsText` cuts octets, and takes a byte order mark off. */
export function cutRobotsText(text: string): string {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  if (text.length - start <= MAX_ROBOTS_BYTES) return text.slice(start);
  const kept = text.slice(start, start + MAX_ROBOTS_BYTES);
  // Half a rule would be another rule: `Disallow: /` of `Disallow: /private/`.
  return kept.slice(0, Math.max(kept.lastIndexOf('\n'), kept.lastIndexOf('\r')) + 1);
}

function cutOctets(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= MAX_ROBOTS_BYTES) return bytes;
  const kept = bytes.subarray(0, MAX_ROBOTS_BYTES);
  return kept.subarray(0, Math.max(kept.lastIndexOf(0x0a), kept.lastIndexOf(0x0d)) + 1);
}
