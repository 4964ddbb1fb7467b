import type { FailedOutcome, RefusedOutcome } from './outcome.ts';
import { ADDRESS_REFUSED } from './address-guard.ts';

/** How far an exchange had come when it failed; the same error means different things before and after the head. */
export type Phase = 'connect' | 'head' | 'body';

const MAX_DETAIL = 300;
const TIMEOUTS: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: 'connect-timeout',
  UND_ERR_HEADERS_TIMEOUT: 'headers-timeout',
  UND_ERR_BODY_TIMEOUT: 'total-timeout',
  ETIMEDOUT: 'ETIMEDOUT',
};

/** OpenSSL's verdicts on a certificate, as Node names them. */
const CERTIFICATE =
  /^(?:CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|ERROR_IN_CERT|CRL_|INVALID_(?:CA|PURPOSE)|PATH_LENGTH|HOSTNAME_MISMATCH|ERR_TLS_|ERR_SSL_|EPROTO$)/;

/** Turns whatever undici, Node or OpenSSL reports into data. Knows every error by its code; anything else is `unreachable`. */
export function describeFailure(error: unknown, phase: Phase): FailedOutcome | RefusedOutcome {
  const { code, message } = read(error);
  const detail = message.slice(0, MAX_DETAIL);
  const timeout = TIMEOUTS[code];
  if (timeout !== undefined) return { type: 'failed', reason: 'timeout', code: timeout, detail };
  const unreachable = (shortCode: string): FailedOutcome => ({
    type: 'failed',
    reason: 'unreachable',
    code: shortCode,
    detail,
  });
  if (code === ADDRESS_REFUSED) return { type: 'refused', reason: 'address', status: 0, detail };
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') {
    return { type: 'refused', reason: 'aborted', status: 0, detail: 'the fetcher is closed' };
  }
  if (CERTIFICATE.test(code)) return unreachable(`tls:${code}`);
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW') return unreachable('header-too-large');
  // Two different lengths make undici report a mismatch before it has seen a head.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return unreachable(phase === 'body' ? 'truncated' : 'bad-response');
  if (isParserError(error) && /invalid eof/i.test(message)) return unreachable('truncated');
  if (isParserError(error) || code === 'ERR_HTTP2_ERROR' || /^bad (?:response|upgrade)/.test(message)) {
    return unreachable('bad-response');
  }
  if (code === 'UND_ERR_SOCKET') return unreachable(phase === 'body' ? 'truncated' : 'ECONNRESET');
  if (code.startsWith('ERR_HTTP2_') || message.startsWith('HTTP/2:')) {
    return unreachable(phase === 'body' ? 'truncated' : 'ECONNRESET');
  }
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') return unreachable('invalid-request');
  return unreachable(code === '' ? 'unknown' : code);
}

/** By name: undici gives the code `HPE_…` only to some of them. */
function isParserError(error: unknown): boolean {
  return error instanceof Error && error.name === 'HTTPParserError';
}

function read(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return { code, message: error.message === '' ? code : error.message };
  // Happy eyeballs: all addresses failed, each for its own reason.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return first === undefined ? { code: '', message: error.message } : read(first);
}
