import type { Streams } from './streams.ts';

/** A command of the line: `crawl`, `why` … */
export interface Command {
  /** @returns exit code */
  run(args: readonly string[], streams: Streams): Promise<number>;
}

/** How a command is called and what it is for; the text of `--help`. */
export interface CommandWords {
  readonly usage: string;
  readonly summary: string;
  /** Further lines of its own help, before the options. */
  readonly about: readonly string[];
  readonly examples: readonly string[];
}
