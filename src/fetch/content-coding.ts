import zlib from 'node:zlib';

/** Content codings that can be undone here (RFC 9110 §8.4.1, RFC 7932, RFC 8878). */
export type Coding = 'gzip' | 'deflate' | 'br' | 'zstd';

/** More layers than this are no mistake but an attack. */
const MAX_LAYERS = 2;

interface ZstdZlib {
  createZstdDecompress?: (options: { chunkSize: number }) => zlib.BrotliDecompress;
}

/** From Node 22.15; undefined before. */
export const createZstdDecompress = (zlib as ZstdZlib).createZstdDecompress;

const NAMES: Readonly<Record<string, Coding | 'identity'>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'br',
  ...(createZstdDecompress !== undefined && { zstd: 'zstd' }),
  identity: 'identity',
  // Sent by misconfigured servers that mean "no coding".
  none: 'identity',
};

/** What is asked for: the value of Accept-Encoding. */
export const ACCEPT_ENCODING = `gzip, deflate, br${createZstdDecompress === undefined ? '' : ', zstd'}`;

/** Codings of a body in the order they are to be undone, or the first one that cannot be. */
export function parseContentEncoding(
  fields: readonly string[],
): { readonly codings: readonly Coding[] } | { readonly refused: string } {
  const codings: Coding[] = [];
  for (const token of fields.join(',').split(',')) {
    const name = token.trim().toLowerCase();
    if (name === '') continue;
    const coding = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
    if (coding === undefined) return { refused: name.slice(0, 64) };
    if (coding !== 'identity') codings.unshift(coding);
  }
  return codings.length > MAX_LAYERS ? { refused: `${codings.length} layers` } : { codings };
}
