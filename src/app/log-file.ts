import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { LogFields, Logger } from '../base/log.ts';

type Level = keyof Logger;

export interface LogFileOptions {
  /** `<data>/logs`; made when the first line is written. */
  readonly folder: string;
  readonly clock: Clock;
  /** Debug lines too: one for each exchange. */
  readonly isVerbose: boolean;
  /** Shows a line to the user. */
  readonly show: (level: Level, line: string) => void;
}

export interface LogFile extends Logger {
  close(): Promise<void>;
}

/**
 * The log of one run: `<folder>/<start>-<pid>.jsonl`, one JSON object a line with `time`, `level`, `message` and the fields.
 * Warnings and errors, with `isVerbose` all, are shown as well. A log that cannot be written says so once and stops nothing.
 */
export function openLogFile(options: LogFileOptions): LogFile {
  const { folder, clock, isVerbose, show } = options;
  const startedAt = new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-');
  const path = join(folder, `${startedAt}-${process.pid}.jsonl`);
  let stream: WriteStream | undefined;
  let hasFailed = false;

  const giveUp = (error: Error): void => {
    if (!hasFailed) show('warn', `the log ${path} cannot be written: ${error.message}`);
    hasFailed = true;
  };
  const open = (): WriteStream => {
    mkdirSync(folder, { recursive: true });
    return createWriteStream(path, { flags: 'a' }).on('error', giveUp);
  };
  const write = (level: Level, message: string, fields: LogFields = {}): void => {
    if (level === 'debug' && !isVerbose) return;
    if (isVerbose || level === 'warn' || level === 'error') show(level, describe(message, fields));
    if (hasFailed) return;
    try {
      stream ??= open();
      stream.write(`${JSON.stringify({ time: new Date(clock.now()).toISOString(), level, message, ...fields })}\n`);
    } catch (error) {
      giveUp(error as Error);
    }
  };
  return {
    debug: (message, fields) => write('debug', message, fields),
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
    close: () =>
      new Promise((resolve) => {
        if (stream === undefined || hasFailed) resolve();
        else stream.once('error', () => resolve()).end(() => resolve());
      }),
  };
}

function describe(message: string, fields: LogFields): string {
  const shown = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return [message, ...shown.map(([name, value]) => `${name}=${String(value)}`)].join(' ');
}
