import { OrbweaverError } from '../base/errors.ts';

/** What the queue needs of LevelDB's chained batch. It copies keys and values at once: buffers can be used again. */
export interface WritableBatch {
  put(key: Buffer, value: Buffer): unknown;
  del(key: Buffer): unknown;
  write(options: { sync: boolean }): Promise<void>;
}

export interface BatchSource {
  batch(): WritableBatch;
}

/** A record of which only the last version in a batch counts: `put` is called right before the batch is written. */
export interface LateRecord {
  /** Stands for the record: a later addition with the same owner replaces this one within the batch. */
  readonly owner: object;
  readonly put: (batch: WritableBatch) => void;
}

/** How an addition is written. */
export interface AddOptions {
  readonly late?: readonly LateRecord[];
  /** Wait for the disk itself. */
  readonly sync?: boolean;
}

/** One batch being filled. */
interface Group {
  readonly batch: WritableBatch;
  readonly late: Map<object, (batch: WritableBatch) => void>;
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  bytes: number;
  sync: boolean;
}

/** A group this full takes no more: joining is for small commits. */
const GROUP_BYTES = 1024 * 1024;

/**
 * Writes batches in the order they were added, one at a time. What is added while one is being written is joined into the next:
 * each addition stays whole, since a LevelDB batch is atomic. After a failed write nothing more is accepted: every later call
 * throws the same STORE_WRITE, because what follows would build on what is missing.
 */
export class WriteQueue {
  readonly #source: BatchSource;
  readonly #sync: boolean;
  readonly #lingerMs: number;
  /** Waiting groups, oldest first; only the last one still takes additions. */
  readonly #groups: Group[] = [];
  #last: Promise<void> | undefined;
  #writing = false;
  #linger: NodeJS.Timeout | undefined;
  #failure: OrbweaverError | undefined;

  /**
   * @param sync wait for the disk itself with every batch
   * @param lingerMs how long a batch that nobody waits for stays open, so that small ones join; 0: it is written at once
   */
  constructor(source: BatchSource, sync: boolean, lingerMs = 0) {
    this.#lingerMs = lingerMs;
    this.#source = source;
    this.#sync = sync;
  }

  /** Throws the error of an earlier write, if there was one. */
  assertHealthy(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /**
   * Calls `fill` at once with the open batch; `bytes` says how much it adds. The promise resolves when the batch is written;
   * it may be left alone (an error comes back with the next call).
   */
  add(fill: (batch: WritableBatch) => void, bytes: number, options: AddOptions = {}): Promise<void> {
    this.assertHealthy();
    let group = this.#groups.at(-1);
    if (group === undefined || group.bytes >= GROUP_BYTES) {
      group = openGroup(this.#source.batch());
      this.#groups.push(group);
    }
    try {
      fill(group.batch);
    } catch (cause) {
      // Half of an addition may be in the batch: it must never be written.
      this.#fail(cause);
      throw cause;
    }
    group.bytes += bytes;
    group.sync ||= options.sync ?? false;
    // Held by the group, not read from the owner when written: the owner may be a group ahead by then.
    for (const { owner, put } of options.late ?? []) group.late.set(owner, put);
    this.#last = group.done;
    if (group.sync || this.#lingerMs === 0) this.#hurry();
    else if (!this.#writing) this.#linger ??= setTimeout(() => this.#hurry(), this.#lingerMs);
    return group.done;
  }

  /** Resolves when all that was added so far is written; undefined when nothing is waiting. Rejects with STORE_WRITE. */
  settled(): Promise<void> | undefined {
    this.assertHealthy();
    if (this.#groups.length > 0) this.#hurry();
    return this.#writing || this.#groups.length > 0 ? this.#last : undefined;
  }

  /** Somebody waits: what is there is written now. */
  #hurry(): void {
    clearTimeout(this.#linger);
    this.#linger = undefined;
    if (!this.#writing) void this.#write();
  }

  async #write(): Promise<void> {
    this.#writing = true;
    for (let group = this.#groups.shift(); group !== undefined; group = this.#groups.shift()) {
      try {
        for (const put of group.late.values()) put(group.batch);
        await group.batch.write({ sync: this.#sync || group.sync });
        group.resolve();
      } catch (cause) {
        group.reject(this.#fail(cause));
      }
    }
    this.#writing = false;
  }

  #fail(cause: unknown): OrbweaverError {
    const reason = cause instanceof Error ? cause.message : String(cause);
    this.#failure ??= new OrbweaverError('STORE_WRITE', `The store could not be written: ${reason}`, { cause });
    for (const group of this.#groups.splice(0)) group.reject(this.#failure);
    return this.#failure;
  }
}

const ignore = (): void => undefined;

function openGroup(batch: WritableBatch): Group {
  let resolve: () => void = ignore;
  let reject: (error: Error) => void = ignore;
  const done = new Promise<void>((onDone, onError) => {
    resolve = onDone;
    reject = onError;
  });
  // Nobody need wait for a commit; the failure is kept and thrown by every later call.
  done.catch(ignore);
  return { batch, late: new Map(), done, resolve, reject, bytes: 0, sync: false };
}
