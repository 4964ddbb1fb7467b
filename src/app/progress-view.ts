import type { Clock } from '../base/clock.ts';
import type { CrawlProgress } from '../crawl/progress.ts';
import { describeProgress } from './progress-text.ts';
import type { TextStream } from './streams.ts';
import { fitColumns, printable } from './terminal-text.ts';
import { TimeLeft, type TimeLimits } from './time-left.ts';

/** Shows how far the crawls are, and takes every other line for stderr, so that the two do not mix. */
export interface ProgressView {
  update(progress: CrawlProgress): void;
  /** Lines that stay. */
  print(lines: string): void;
  /** Leaves the terminal as it was found. May be called twice. */
  close(): void;
}

export interface ProgressViewOptions {
  readonly stream: TextStream;
  readonly clock: Clock;
  readonly limits: TimeLimits;
}

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const CLEAR_TO_LINE_END = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';
const REDRAW_MS = 250;
const PLAIN_LINE_MS = 10_000;
const FORGET_MS = 3_000;

/** On a terminal one live line for each running site; elsewhere a plain line at the start and every ten seconds. */
export function openProgressView(options: ProgressViewOptions): ProgressView {
  return options.stream.isTerminal ? new LiveLines(options) : new PlainLines(options);
}

/** Nothing but what is printed. */
export function openQuietView(stream: TextStream): ProgressView {
  return { update: () => undefined, print: (lines) => stream.write(`${lines}\n`), close: () => undefined };
}

/** What both kinds keep: the last word of each running site. */
class Sites {
  readonly progress = new Map<string, CrawlProgress>();
  readonly #heardAt = new Map<string, number>();
  readonly #timeLeft = new Map<string, TimeLeft>();
  readonly #limits: TimeLimits;

  constructor(limits: TimeLimits) {
    this.#limits = limits;
  }

  set(progress: CrawlProgress, now: number): void {
    this.progress.set(progress.site, progress);
    this.#heardAt.set(progress.site, now);
    // A site takes another name when its start page leads to another host; nothing more is heard of the former.
    for (const [site, at] of this.#heardAt) if (now - at > FORGET_MS) this.delete(site);
    if (!this.#timeLeft.has(progress.site)) this.#timeLeft.set(progress.site, new TimeLeft(this.#limits));
  }

  delete(site: string): void {
    this.progress.delete(site);
    this.#heardAt.delete(site);
    this.#timeLeft.delete(site);
  }

  line(progress: CrawlProgress, now: number): string {
    return printable(describeProgress(progress, this.#timeLeft.get(progress.site)?.estimate(progress, now)));
  }
}

class LiveLines implements ProgressView {
  readonly #stream: TextStream;
  readonly #clock: Clock;
  readonly #sites: Sites;
  /** Lines of the block on the screen; the cursor stands at the start of its first one. */
  #drawn = 0;
  #drawnAt = -Infinity;
  #isHidden = false;

  constructor({ stream, clock, limits }: ProgressViewOptions) {
    this.#stream = stream;
    this.#clock = clock;
    this.#sites = new Sites(limits);
  }

  update(progress: CrawlProgress): void {
    const now = this.#clock.now();
    if (progress.state === 'ended') this.#sites.delete(progress.site);
    else this.#sites.set(progress, now);
    if (now - this.#drawnAt >= REDRAW_MS || this.#sites.progress.size < this.#drawn) this.#draw(now);
  }

  print(lines: string): void {
    this.#stream.write(`${this.#drawn === 0 ? '' : CLEAR_BELOW}${lines}\n`);
    this.#drawn = 0;
    this.#drawnAt = -Infinity;
  }

  close(): void {
    if (!this.#isHidden) return;
    this.#stream.write(CLEAR_BELOW + SHOW_CURSOR);
    this.#drawn = 0;
    this.#isHidden = false;
  }

  /** One write for the whole block: each line over its old one, so that nothing flickers. */
  #draw(now: number): void {
    // The last column stays empty: some terminals wrap as soon as it is filled.
    const columns = Math.max(1, this.#stream.columns - 1);
    const room = Math.max(1, this.#stream.rows - 2);
    const all = [...this.#sites.progress.values()].map((progress) => this.#sites.line(progress, now));
    const hidden = all.length - room;
    const lines = hidden <= 0 ? all : [...all.slice(0, room - 1), `and ${hidden + 1} more sites`].slice(0, room);
    const block = lines.map((line) => `\r${fitColumns(line, columns)}${CLEAR_TO_LINE_END}\n`).join('');
    const back = lines.length === 0 ? '' : `\u001b[${lines.length}A`;
    this.#stream.write(`${this.#isHidden ? '' : HIDE_CURSOR}${block}${CLEAR_BELOW}${back}`);
    this.#isHidden = true;
    this.#drawn = lines.length;
    this.#drawnAt = now;
  }
}

class PlainLines implements ProgressView {
  readonly #stream: TextStream;
  readonly #clock: Clock;
  readonly #sites: Sites;
  readonly #shownAt = new Map<string, number>();

  constructor({ stream, clock, limits }: ProgressViewOptions) {
    this.#stream = stream;
    this.#clock = clock;
    this.#sites = new Sites(limits);
  }

  update(progress: CrawlProgress): void {
    const { site, state } = progress;
    if (state === 'ended') {
      this.#sites.delete(site);
      this.#shownAt.delete(site);
      return;
    }
    const now = this.#clock.now();
    this.#sites.set(progress, now);
    const line = this.#sites.line(progress, now);
    if (now - (this.#shownAt.get(site) ?? -Infinity) < PLAIN_LINE_MS) return;
    this.#shownAt.set(site, now);
    this.#stream.write(`${line}\n`);
  }

  print(lines: string): void {
    this.#stream.write(`${lines}\n`);
  }

  close(): void {
    this.#sites.progress.clear();
  }
}
