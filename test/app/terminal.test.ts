import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearestName } from '../../src/app/nearest-name.ts';
import { formatBytes, formatCount, formatDuration } from '../../src/app/number-text.ts';
import { openProgressView, type ProgressView } from '../../src/app/progress-view.ts';
import { createSignalCounter } from '../../src/app/signals.ts';
import type { TextStream } from '../../src/app/streams.ts';
import { createPaint, displayWidth, fitColumns, printable } from '../../src/app/terminal-text.ts';
import { TimeLeft } from '../../src/app/time-left.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { CrawlProgress } from '../../src/crawl/progress.ts';

const progress = (change: Partial<CrawlProgress> = {}): CrawlProgress => ({
  site: 'example.com',
  state: 'crawling',
  pages: 1234,
  queued: 56,
  level: 3,
  errors: 1,
  bytes: 0,
  inFlight: 2,
  pagesPerSecond: 12.34,
  ...change,
});

class FakeTerminal implements TextStream {
  written = '';
  writes = 0;
  readonly isTerminal: boolean;
  columns = 80;
  rows = 24;
  constructor(isTerminal: boolean) {
    this.isTerminal = isTerminal;
  }
  write(text: string): void {
    this.written += text;
    this.writes++;
  }

  /** What the screen shows: an interpreter of the few sequences that are used. */
  get screen(): string[] {
    const lines: string[] = [''];
    let row = 0;
    let column = 0;
    // oxlint-disable-next-line no-control-regex -- escape sequences are the point
    for (const [part] of this.written.matchAll(/\u001b\[[?\d]*[A-Za-z]|\r|\n|[^\u001b\r\n]+/g)) {
      const line = lines[row] ?? '';
      if (part === '\n') {
        column = 0;
        lines[++row] ??= '';
      } else if (part === '\r') column = 0;
      else if (part === '\u001b[K') lines[row] = line.slice(0, column);
      else if (part === '\u001b[J') lines.splice(row, Infinity, line.slice(0, column));
      else if (part.startsWith('\u001b') && part.endsWith('A')) row -= Number(part.slice(2, -1));
      else if (!part.startsWith('\u001b')) {
        lines[row] = line.slice(0, column).padEnd(column) + part + line.slice(column + part.length);
        column += part.length;
      }
      if (row < 0) throw new Error('the cursor left the screen');
    }
    return lines.filter((line) => line !== '');
  }
}

function openView(isTerminal = true): { view: ProgressView; terminal: FakeTerminal; advance: (ms: number) => void } {
  let now = 1_000_000;
  const clock: Clock = { now: () => now, sleep: () => Promise.resolve() };
  const terminal = new FakeTerminal(isTerminal);
  const limits = { maxPages: Infinity, endsWithQueue: true, deadline: Infinity };
  return { view: openProgressView({ stream: terminal, clock, limits }), terminal, advance: (ms) => (now += ms) };
}

describe('live progress', () => {
  it('shows one line a site with what matters', () => {
    const { view, terminal, advance } = openView();
    view.update(progress());
    advance(250);
    view.update(progress({ site: 'b.example', pages: 1, errors: 0, pagesPerSecond: 0.5 }));
    expect(terminal.screen).toEqual([
      'example.com: 1,234 pages, 56 queued, 12/s, level 3, 1 error',
      'b.example: 1 page, 56 queued, 0.5/s, level 3',
    ]);
  });

  it('redraws at most four times a second, each time in one write', () => {
    const { view, terminal, advance } = openView();
    for (let ms = 0; ms < 1_000; ms += 10) {
      view.update(progress({ pages: ms }));
      advance(10);
    }
    expect(terminal.writes).toBe(4);
  });

  it('keeps printed lines above it and leaves the cursor visible at the end', () => {
    const { view, terminal, advance } = openView();
    view.update(progress());
    view.print('note: something');
    advance(300);
    view.update(progress({ pages: 2 }));
    expect(terminal.screen[0]).toBe('note: something');
    expect(terminal.screen).toHaveLength(2);
    view.close();
    view.close();
    expect(terminal.screen).toEqual(['note: something']);
    expect(terminal.written.split('\u001b[?25l').length).toBe(2);
    expect(terminal.written.endsWith('\u001b[?25h')).toBe(true);
  });

  it('takes a site that has ended from the screen, and one that changed its name', () => {
    const { view, terminal, advance } = openView();
    view.update(progress({ site: 'example.com' }));
    advance(250);
    view.update(progress({ site: 'www.example.com' }));
    expect(terminal.screen).toHaveLength(2);
    advance(5_000);
    view.update(progress({ site: 'www.example.com' }));
    expect(terminal.screen.map((line) => line.split(':')[0])).toEqual(['www.example.com']);
    view.update(progress({ site: 'www.example.com', state: 'ended' }));
    expect(terminal.screen).toEqual([]);
  });

  it('fits any terminal, however many sites there are', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 40 }),
        (columns, rows, sites) => {
          const { view, terminal, advance } = openView();
          Object.assign(terminal, { columns, rows });
          for (let site = 0; site < sites; site++) {
            view.update(progress({ site: `例え${site}.example` }));
            advance(30);
          }
          advance(300);
          view.update(progress({ site: '例え0.example' }));
          const { screen } = terminal;
          expect(screen.length).toBeLessThanOrEqual(Math.max(1, rows - 2));
          for (const line of screen) expect(displayWidth(line)).toBeLessThan(Math.max(2, columns));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('writes plain lines every ten seconds where there is no terminal', () => {
    const { view, terminal, advance } = openView(false);
    for (let ms = 0; ms < 30_000; ms += 250) {
      view.update(progress({ pages: ms }));
      advance(250);
    }
    expect(terminal.writes).toBe(3);
    // oxlint-disable-next-line no-control-regex -- escape sequences are the point
    expect(terminal.written).not.toMatch(/[\u001b\r]/);
  });
});

describe('time left', () => {
  const unlimited = { maxPages: Infinity, endsWithQueue: true, deadline: Infinity };

  it('is unknown while the queue grows', () => {
    const left = new TimeLeft(unlimited);
    expect(left.estimate(progress({ queued: 10 }), 0)).toBeUndefined();
    expect(left.estimate(progress({ queued: 20 }), 1_000)).toBeUndefined();
  });

  it('follows a queue that shrinks, a limit of pages, a deadline; the first to come', () => {
    const shrinking = new TimeLeft(unlimited);
    shrinking.estimate(progress({ queued: 100 }), 0);
    expect(shrinking.estimate(progress({ queued: 80 }), 10_000)).toBe(40_000);
    const limited = new TimeLeft({ ...unlimited, endsWithQueue: false });
    limited.estimate(progress({ queued: 100 }), 0);
    expect(limited.estimate(progress({ queued: 80 }), 10_000)).toBeUndefined();
    const pages = new TimeLeft({ ...unlimited, maxPages: 200 });
    expect(pages.estimate(progress({ pages: 100, pagesPerSecond: 10 }), 0)).toBe(10_000);
    const both = new TimeLeft({ ...unlimited, maxPages: 200, deadline: 3_000 });
    expect(both.estimate(progress({ pages: 100, pagesPerSecond: 10 }), 0)).toBe(3_000);
    expect(both.estimate(progress({ pages: 100, pagesPerSecond: 10 }), 9_000)).toBe(0);
  });
});

/** What a sequence of signals leads to. */
function count(events: readonly (readonly [at: number, signal: string])[]): string[] {
  const seen: string[] = [];
  let now = 0;
  const listener = createSignalCounter(
    { now: () => now },
    { onFirst: (name) => seen.push(`first ${name}`), onSecond: (name) => seen.push(`second ${name}`) },
  );
  for (const [at, signal] of events) {
    now = at;
    listener(signal);
  }
  return seen;
}

describe('signals', () => {
  it('count once when npm passes on what the terminal sent already', () => {
    expect(
      count([
        [0, 'SIGINT'],
        [80, 'SIGINT'],
      ]),
    ).toEqual(['first SIGINT']);
    expect(
      count([
        [0, 'SIGINT'],
        [80, 'SIGINT'],
        [160, 'SIGINT'],
        [1_000, 'SIGINT'],
        [1_050, 'SIGINT'],
      ]),
    ).toEqual(['first SIGINT', 'second SIGINT']);
  });

  it('count twice after half a second, and when they are different', () => {
    expect(
      count([
        [0, 'SIGINT'],
        [501, 'SIGINT'],
      ]),
    ).toEqual(['first SIGINT', 'second SIGINT']);
    expect(
      count([
        [0, 'SIGINT'],
        [10, 'SIGTERM'],
      ]),
    ).toEqual(['first SIGINT', 'second SIGTERM']);
  });
});

describe('texts for people', () => {
  it('cuts by columns and halves no wide character', () => {
    expect(fitColumns('日本語', 6)).toBe('日本語');
    expect(fitColumns('日本語', 5)).toBe('日本…');
    expect(fitColumns('日本語', 4)).toBe('日…');
    expect(displayWidth('e\u0301')).toBe(1);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0, max: 40 }), (text, columns) => {
        expect(displayWidth(fitColumns(text, columns))).toBeLessThanOrEqual(columns);
      }),
    );
  });

  it('lets nothing from the web steer the terminal', () => {
    expect(printable('a\u001b[2Jb\u009bc\rd\ne')).toBe('a\ufffd[2Jb\ufffdc\ufffdd\ne');
  });

  it('colours only a terminal, and not with NO_COLOR', () => {
    expect(createPaint(true, {})('red', 'x')).toBe('\u001b[31mx\u001b[0m');
    for (const [isTerminal, env] of [
      [false, {}],
      [true, { NO_COLOR: '1' }],
      [true, { TERM: 'dumb' }],
    ] as const) {
      expect(createPaint(isTerminal, env)('red', 'x')).toBe('x');
    }
  });

  it('writes numbers the same everywhere', () => {
    expect([0, 999, 1000, 1234567].map(formatCount)).toEqual(['0', '999', '1,000', '1,234,567']);
    expect([0, 1023, 1536, 5 * 2 ** 20].map(formatBytes)).toEqual(['0 B', '1023 B', '1.5 KB', '5.0 MB']);
    expect([400, 12_000, 185_000, 7_620_000].map(formatDuration)).toEqual([
      '0.4 s',
      '12 s',
      '3 min 05 s',
      '2 h 07 min',
    ]);
  });

  it('finds the name that was meant, or none', () => {
    const names = ['max-level', 'max-pages', 'timeout', 'json'];
    expect(nearestName('max-levle', names)).toBe('max-level');
    expect(nearestName('timout', names)).toBe('timeout');
    expect(nearestName('zebra', names)).toBeUndefined();
  });
});
