import { runCommandLine } from './cli.ts';
import module from 'node:module';
import { versions } from 'node:process';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { reportFailure } from './report-failure.ts';
import type { Streams, TextStream } from './streams.ts';

/** The one place that knows the process: arguments, streams, signals, exit. Runs when it is loaded. */

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A terminal that does not know its size says 0. */
function sizeOf(told: number | undefined, usual: number): number {
  return told === undefined || told === 0 ? usual : told;
}

function wrapStream(stream: NodeJS.WriteStream): TextStream {
  // A reader that has gone (`| head`), or a terminal that was closed, is no reason to lose a crawl.
  stream.on('error', () => undefined);
  return {
    write: (text) => {
      if (stream.writable) stream.write(text);
    },
    get isTerminal() {
      return stream.isTTY && process.env['TERM'] !== 'dumb';
    },
    get columns() {
      return sizeOf(stream.columns, 80);
    },
    get rows() {
      return sizeOf(stream.rows, 24);
    },
  };
}

const streams: Streams = {
  out: wrapStream(process.stdout),
  err: wrapStream(process.stderr),
  env: process.env,
  onSignal: (listener) => {
    for (const signal of SIGNALS) process.on(signal, listener);
    return () => {
      for (const signal of SIGNALS) process.off(signal, listener);
    };
  },
  exitNow: (code) => process.exit(code),
};

/** A pipe that is read slowly takes what was written before the process may end. */
function drain(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (!stream.writable) resolve();
    else stream.once('error', () => resolve()).write('', () => resolve());
  });
}

for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => process.exit(reportFailure(error, streams)));
}

/**
 * undici's HTTP parser is one large WebAssembly function, which V8 takes for hot after a single response and optimises in the
 * background: 85 ms of processor and 35 MB, of no use to a small crawl. The V8 of Node 22 has this budget by itself.
 */
const TIERING_BUDGET_OF_NODE_22 = 13_000_000;

function quickenStart(): void {
  if (Number.parseInt(versions.node, 10) < 22) {
    setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET_OF_NODE_22}`);
  }
  // From Node 22.1 on; fails silently where the folder cannot be written.
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
  enableCompileCache?.(fileURLToPath(new URL('../.compile-cache', import.meta.url)));
}

quickenStart();
const code = await runCommandLine(process.argv.slice(2), streams);
await Promise.all([drain(process.stdout), drain(process.stderr)]);
process.exit(code);
