import { OrbweaverError } from '../base/errors.ts';
import type { EndReason } from '../store/records.ts';
import type { SiteStore } from '../store/site-store.ts';
import type { Committer } from './committer.ts';
import type { Frontier, FrontierEntry } from './frontier.ts';
import type { StopContext, StopPoint, StopRule } from './stop-rules/stop-rule.ts';
import { weighResult, type VisitResult } from './visit-result.ts';

/** Results that wait for an earlier URL may hold about this much memory, bytes. */
const MAX_WAITING_BYTES = 24 * 2 ** 20;
/** Visits ahead of the commit point. */
const MAX_WINDOW = 1_024;
/** Consecutive URLs without any answer, in commit order, after which the site is asked whether it still lives. */
const DEAD_AFTER = 10;
/** What is in flight at a stop may take this long to come in. */
const GRACE_MS = 3_000;
/** Commits on their way to the store; beyond, the engine waits for the disk. */
const MAX_UNWRITTEN = 64;

export interface EngineDeps {
  readonly store: SiteStore;
  readonly frontier: Frontier;
  readonly committer: Pick<Committer, 'commit'>;
  readonly visit: (entry: FrontierEntry) => Promise<VisitResult>;
  /** A visit is over for good: what it fetched is committed. */
  readonly forget: (result: VisitResult) => void;
  /** Asks the start page whether the site answers at all. */
  readonly isAlive: () => Promise<boolean>;
  readonly connections: number;
  readonly rules: readonly StopRule[];
  readonly stopContext: StopContext;
  /** Ends waiting (pauses, retries) at a stop; the exchanges under way go on. */
  readonly stopWaiting: () => void;
  /** Ends everything that is under way. */
  readonly abort: () => void;
}

interface Slot {
  readonly entry: FrontierEntry;
  result: VisitResult | undefined;
  weight: number;
}

/**
 * Fetches out of order, commits in order: visits run ahead of the commit point in a bounded window, and their results enter
 * the graph strictly in frontier order. One engine crawls one site, once.
 */
export class Engine {
  readonly #deps: EngineDeps;
  readonly #window: Slot[] = [];
  readonly #unanswered: VisitResult[] = [];
  #active = 0;
  #waitingBytes = 0;
  #unwritten = 0;
  #next: FrontierEntry | undefined;
  #isFrontierEmpty = false;
  #blockedBy: EndReason | undefined;
  #stopReason: EndReason | undefined;
  #failure: { readonly error: unknown } | undefined;
  /** Set when results may no longer be committed: a limit is reached, or the site is dead. */
  #isHalted = false;
  #isRoused = false;
  #wake: (() => void) | undefined;
  #graceTimer: NodeJS.Timeout | undefined;

  constructor(deps: EngineDeps) {
    this.#deps = deps;
  }

  /** Crawls until nothing is left or a rule ends it. Throws only for a broken store. */
  async run(): Promise<EndReason> {
    try {
      for (;;) {
        this.#isRoused = false;
        await this.#drain();
        if (this.#stopReason === undefined) await this.#fill();
        if (this.#failure !== undefined) throw this.#failure.error;
        if (this.#isIdle()) {
          if (this.#stopReason !== undefined) return this.#stopReason;
          if (this.#unanswered.length === 0) return this.#naturalEnd();
          // Nothing is left that could answer: the silent ones are final.
          await this.#commitUnanswered();
        } else if (!this.#isHeadReady()) {
          await this.#sleep();
        }
      }
    } finally {
      clearTimeout(this.#graceTimer);
      this.#deps.abort();
    }
  }

  /** Visits under way, and URLs read ahead but not committed. */
  get load(): { readonly active: number; readonly waiting: number } {
    return { active: this.#active, waiting: this.#window.length };
  }

  /** Starts nothing more, lets come in what is under way, commits what can be, and ends. The first reason holds. */
  stop(reason: EndReason): void {
    if (this.#stopReason !== undefined) return;
    this.#stopReason = reason;
    this.#deps.stopWaiting();
    this.#graceTimer = setTimeout(this.#deps.abort, GRACE_MS);
    this.#rouse();
  }

  async #fill(): Promise<void> {
    const { store, frontier, connections } = this.#deps;
    const maxActive = connections * 2;
    while (this.#active < maxActive && this.#window.length < MAX_WINDOW && this.#waitingBytes < MAX_WAITING_BYTES) {
      if (this.#next === undefined) {
        const next = frontier.next();
        this.#next = next instanceof Promise ? await next : next;
        this.#isFrontierEmpty = this.#next === undefined;
        if (this.#next === undefined) return;
      }
      this.#blockedBy = this.#reachedRule({ state: store.state, nextLevel: this.#next.level });
      if (this.#blockedBy !== undefined) return;
      // Near the page limit nothing is fetched that could not be kept.
      if (this.#window.length >= this.#deps.stopContext.maxPages - store.state.pages) return;
      this.#start(this.#next);
      this.#next = undefined;
    }
  }

  #reachedRule(point: StopPoint): EndReason | undefined {
    for (const rule of this.#deps.rules) {
      if ('isReached' in rule && rule.isReached(point, this.#deps.stopContext)) return rule.reason;
    }
    return undefined;
  }

  #start(entry: FrontierEntry): void {
    const slot: Slot = { entry, result: undefined, weight: 0 };
    this.#window.push(slot);
    this.#active++;
    this.#deps.visit(entry).then(
      (result) => {
        this.#active--;
        if (result.end === 'aborted' && this.#stopReason === undefined) {
          this.#fail(new OrbweaverError('INTERNAL', `the visit of ${entry.url} ended without a reason`));
          return;
        }
        slot.result = result;
        slot.weight = weighResult(result);
        this.#waitingBytes += slot.weight;
        this.#rouse();
      },
      (error: unknown) => {
        this.#active--;
        this.#fail(error);
      },
    );
  }

  #isHeadReady(): boolean {
    const result = this.#window[0]?.result;
    return result !== undefined && result.end !== 'aborted' && !this.#isHalted;
  }

  /** Nothing is under way, and nothing can be committed or started. */
  #isIdle(): boolean {
    if (this.#active > 0 || this.#isHeadReady()) return false;
    if (this.#stopReason !== undefined) return true;
    return this.#window.length === 0 && (this.#isFrontierEmpty || this.#blockedBy !== undefined);
  }

  #naturalEnd(): EndReason {
    return this.#blockedBy ?? (this.#deps.store.state.traps > 0 ? 'trap' : 'done');
  }

  /** Commits every result whose turn it is. */
  async #drain(): Promise<void> {
    while (this.#failure === undefined && this.#isHeadReady()) {
      const { entry, result, weight } = this.#window[0] as Slot & { result: VisitResult };
      const reached = this.#reachedRule({ state: this.#deps.store.state, nextLevel: entry.level });
      if (reached !== undefined) {
        this.#halt(reached);
        return;
      }
      this.#window.shift();
      this.#waitingBytes -= weight;
      if (isAnswered(result)) {
        await this.#commitUnanswered();
        await this.#commit(result);
        continue;
      }
      this.#unanswered.push(result);
      if (this.#unanswered.length < DEAD_AFTER) continue;
      if (await this.#deps.isAlive()) await this.#commitUnanswered();
      else this.#halt('site-dead');
    }
  }

  #halt(reason: EndReason): void {
    this.#isHalted = true;
    this.stop(reason);
    this.#deps.abort();
  }

  /** The site lives, or has nothing more to say: the URLs without an answer get their turn. */
  async #commitUnanswered(): Promise<void> {
    for (const result of this.#unanswered.splice(0)) await this.#commit(result);
  }

  async #commit(result: VisitResult): Promise<void> {
    const { written } = await this.#deps.committer.commit(result);
    this.#deps.forget(result);
    this.#isFrontierEmpty = false;
    this.#unwritten++;
    const done = written.then(
      () => {
        this.#unwritten--;
      },
      (error: unknown) => this.#fail(error),
    );
    if (this.#unwritten >= MAX_UNWRITTEN) await done;
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#rouse();
  }

  #rouse(): void {
    this.#isRoused = true;
    this.#wake?.();
    this.#wake = undefined;
  }

  async #sleep(): Promise<void> {
    if (this.#isRoused) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** Whether the site said anything at all. */
function isAnswered(result: VisitResult): boolean {
  const last = result.hops.at(-1);
  if (result.hops.length > 1 || last?.outcome.type !== 'end') return true;
  const { type } = last.outcome.fate;
  return type !== 'unreachable' && type !== 'timeout';
}
