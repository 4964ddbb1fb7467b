import type { Streams } from '../../src/app/streams.ts';

export interface FakeStreams extends Streams {
  readonly stdout: string;
  readonly stderr: string;
  readonly exits: readonly number[];
  /** As if the process had got it. */
  signal(name: string): void;
  readonly isListening: boolean;
}

/** The outside world of a command, kept in memory: no terminal, no signals but those that are sent. */
export function createFakeStreams(options: { readonly isTerminal?: boolean } = {}): FakeStreams {
  const { isTerminal = false } = options;
  const texts = { out: '', err: '' };
  const exits: number[] = [];
  const listeners = new Set<(signal: string) => void>();
  const stream = (name: 'out' | 'err'): Streams['out'] => ({
    write: (text) => {
      texts[name] += text;
    },
    isTerminal,
    columns: 80,
    rows: 24,
  });
  return {
    out: stream('out'),
    err: stream('err'),
    env: {},
    onSignal: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    exitNow: (code) => {
      exits.push(code);
    },
    get stdout() {
      return texts.out;
    },
    get stderr() {
      return texts.err;
    },
    exits,
    signal: (name) => {
      for (const listener of listeners) listener(name);
    },
    get isListening() {
      return listeners.size > 0;
    },
  };
}
