import { ERROR_CODES, isOrbweaverError } from '../base/errors.ts';
import type { Streams } from './streams.ts';
import { createPaint, printable } from './terminal-text.ts';
import { readVersion } from './version.ts';

const EXIT_USAGE = 2;
const EXIT_BUG = 1;

/** Tells what went wrong, on stderr: one line for a fault of the user's, the stack for a bug. Returns the exit code. */
export function reportFailure(failure: unknown, { err, env }: Streams): number {
  const error = firstOf(failure);
  const paint = createPaint(err.isTerminal, env);
  if (isOrbweaverError(error) && error.exitCode !== EXIT_BUG) {
    err.write(`${paint('red', 'orbweaver:')} ${printable(error.message)}\n`);
    // Options and input files: the message says it all, in one line.
    if (error.exitCode !== EXIT_USAGE) err.write(`  ${ERROR_CODES[error.code].remedy} (${error.code})\n`);
    return error.exitCode;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  err.write(
    `${paint('red', 'orbweaver: this is a bug.')} Please report it, with the lines below and the command, to the\n` +
      `issue tracker of the place you have Orbweaver from (version ${readVersion()}, Node ${process.version}, ${process.platform}).\n` +
      `What was committed is saved.\n${printable(text)}\n`,
  );
  return EXIT_BUG;
}

/** Of an error and one that closing met because of it (a full disk fails twice), the first. */
function firstOf(failure: unknown): unknown {
  return failure instanceof Error && failure.name === 'SuppressedError' && 'suppressed' in failure
    ? firstOf(failure.suppressed)
    : failure;
}
