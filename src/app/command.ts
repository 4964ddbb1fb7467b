import type { Streams } from './streams.ts';

/** A command of the line: `crawl`, `why` … */
export interface Command {
  /** @returns exit code */
  run(args: readonly string[], streams: Streams): Promise<number>;
}
