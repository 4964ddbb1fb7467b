import { OrbweaverError } from '../base/errors.ts';

/** Fields the HTTP client sets by itself; a second one would break the exchange. */
const OWN_FIELDS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'te',
]);

/**
 * One header field as on curl's command line, `Name: value` (RFC 9110 §5).
 * @throws {OPTIONS_INVALID}
 */
export function readHeader(line: string, option: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
  const value = line.slice(colon + 1).trim();
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) throw invalid(option, `"${line}" is not of the form 'Name: value'`);
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    throw invalid(option, `the value of ${name} holds a character that HTTP does not allow`);
  if (OWN_FIELDS.has(name)) throw invalid(option, `${name} is set by the crawler itself`);
  return { name, value };
}

function invalid(option: string, reason: string): OrbweaverError {
  return new OrbweaverError('OPTIONS_INVALID', `${option}: ${reason}`);
}
