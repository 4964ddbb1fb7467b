/** What a command may do with the outside world; the real one is made in `main.ts`, tests give their own. */
export interface Streams {
  /** Results. */
  readonly out: TextStream;
  /** Progress, report, messages. */
  readonly err: TextStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Tells of SIGINT, SIGTERM, SIGHUP; returns how to stop listening. */
  readonly onSignal: (listener: (signal: string) => void) => () => void;
  /** Leaves at once. */
  readonly exitNow: (code: number) => void;
}

export interface TextStream {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Of the terminal now; it may be resized. */
  readonly columns: number;
  readonly rows: number;
}
