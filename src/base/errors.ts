/**
 * The one table of error codes. Errors are for the caller's faults, a broken store, an abort or a bug;
 * what the web does to us (404, timeout, robots denial) is data and never thrown past `fetch`.
 */
export const ERROR_CODES = {
  OPTIONS_INVALID: {
    summary: 'An option or a value given by the user cannot be used.',
    remedy: 'See `orbweaver <command> --help`.',
    exitCode: 2,
  },
  INPUT_INVALID: {
    summary: 'A file given by the user cannot be read or parsed.',
    remedy: 'The message names the file and the line.',
    exitCode: 2,
  },
  STATE_CONFLICT: {
    summary: 'A saved crawl was made with other options that would change the graph.',
    remedy: 'Run with the former options, or with --fresh to forget the saved state.',
    exitCode: 2,
  },
  SITE_UNKNOWN: {
    summary: 'Nothing is stored about this site or URL.',
    remedy: 'Crawl it first, or check --data.',
    exitCode: 2,
  },
  STORE_LOCKED: {
    summary: 'Another process has the data directory open.',
    remedy: 'Wait until it ends, or choose another --data directory.',
    exitCode: 5,
  },
  STORE_CORRUPT: {
    summary: 'The store holds something it should not.',
    remedy: 'Restore a copy, or remove the folder db of the data directory and crawl again.',
    exitCode: 5,
  },
  STORE_VERSION: {
    summary: 'The store was written by a newer version of Orbweaver.',
    remedy: 'Use that version, or another --data directory.',
    exitCode: 5,
  },
  STORE_CLOSED: {
    summary: 'The store was used after it was closed.',
    remedy: 'This is a bug; report it.',
    exitCode: 1,
  },
  STORE_WRITE: {
    summary: 'The store or a result file could not be written.',
    remedy: 'Check free space and permissions; the crawl resumes from the last commit.',
    exitCode: 5,
  },
  INTERNAL: { summary: 'A bug.', remedy: 'Report it with the message and the stack.', exitCode: 1 },
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** The only error class thrown on purpose. Match on `code`, never on the message. */
export class OrbweaverError extends Error {
  override readonly name = 'OrbweaverError';
  readonly code: ErrorCode;
  readonly context: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: { context?: Record<string, unknown>; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.context = options.context ?? {};
  }

  get exitCode(): number {
    return ERROR_CODES[this.code].exitCode;
  }
}

export function isOrbweaverError(value: unknown, code?: ErrorCode): value is OrbweaverError {
  return value instanceof OrbweaverError && (code === undefined || value.code === code);
}
