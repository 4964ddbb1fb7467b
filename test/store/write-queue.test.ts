import { describe, expect, it } from 'vitest';
import { isOrbweaverError } from '../../src/base/errors.ts';
import { type WritableBatch, WriteQueue } from '../../src/store/write-queue.ts';

/** Batches whose writes end when the test says so. */
class HeldBatches {
  readonly written: { keys: string[]; sync: boolean }[] = [];
  readonly #ends: { resolve: () => void; reject: (error: Error) => void }[] = [];

  batch(): WritableBatch {
    const keys: string[] = [];
    return {
      put: (key) => keys.push(key.toString()),
      del: (key) => keys.push(`-${key.toString()}`),
      write: ({ sync }) => {
        this.written.push({ keys, sync });
        return new Promise((resolve, reject) => this.#ends.push({ resolve, reject }));
      },
    };
  }

  async end(error?: Error): Promise<void> {
    const end = this.#ends.shift();
    if (error === undefined) end?.resolve();
    else end?.reject(error);
    await settle();
  }
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const put =
  (...keys: string[]) =>
  (batch: WritableBatch): void => {
    for (const key of keys) batch.put(Buffer.from(key), Buffer.alloc(0));
  };

describe('WriteQueue', () => {
  it('writes the first addition at once and joins those that come meanwhile', async () => {
    const batches = new HeldBatches();
    const queue = new WriteQueue(batches, false);
    const done: string[] = [];
    for (const key of ['a', 'b', 'c']) void queue.add(put(key), 1).then(() => done.push(key));
    expect(batches.written).toEqual([{ keys: ['a'], sync: false }]);
    await batches.end();
    expect(done).toEqual(['a']);
    expect(batches.written[1]).toEqual({ keys: ['b', 'c'], sync: false });
    await batches.end();
    expect(done).toEqual(['a', 'b', 'c']);
    expect(queue.settled()).toBeUndefined();
  });

  it('keeps a batch open for a while when it is told to, unless somebody waits for it', async () => {
    const batches = new HeldBatches();
    const queue = new WriteQueue(batches, false, 10);
    void queue.add(put('a'), 1);
    void queue.add(put('b'), 1);
    expect(batches.written).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(batches.written.map(({ keys }) => keys)).toEqual([['a', 'b']]);
    await batches.end();
    void queue.add(put('c'), 1);
    const all = queue.settled();
    expect(batches.written.map(({ keys }) => keys)).toEqual([['a', 'b'], ['c']]);
    await batches.end();
    await all;
    void queue.add(put('d'), 1, { sync: true });
    expect(batches.written.at(-1)).toEqual({ keys: ['d'], sync: true });
    await batches.end();
  });

  it('has never more than one batch on its way, and joins no more than a megabyte', async () => {
    const batches = new HeldBatches();
    const queue = new WriteQueue(batches, false);
    void queue.add(put('a'), 1);
    void queue.add(put('b'), 600_000);
    void queue.add(put('c'), 600_000);
    void queue.add(put('d'), 1);
    const all = queue.settled();
    await batches.end();
    expect(batches.written.map(({ keys }) => keys)).toEqual([['a'], ['b', 'c']]);
    await batches.end();
    await batches.end();
    await all;
    expect(batches.written.map(({ keys }) => keys)).toEqual([['a'], ['b', 'c'], ['d']]);
  });

  it('writes the late record of each owner once a batch, as of its last addition in that batch', async () => {
    const batches = new HeldBatches();
    const queue = new WriteQueue(batches, false);
    const [one, two] = [{}, {}];
    void queue.add(put('a'), 1, { late: [{ owner: one, put: put('one:a') }] });
    void queue.add(put('b'), 1, { late: [{ owner: one, put: put('one:b') }] });
    void queue.add(put('c'), 2_000_000, { late: [{ owner: one, put: put('one:c') }] });
    void queue.add(put('d'), 1, { late: [{ owner: two, put: put('two:d') }] });
    void queue.add(put('e'), 1, { late: [{ owner: one, put: put('one:e') }] });
    for (let count = 0; count < 3; count++) await batches.end();
    expect(batches.written.map(({ keys }) => keys)).toEqual([
      ['a', 'one:a'],
      ['b', 'c', 'one:c'],
      ['d', 'e', 'two:d', 'one:e'],
    ]);
  });

  it('waits for the disk with every batch, or with the one that asks for it', async () => {
    const batches = new HeldBatches();
    const always = new WriteQueue(batches, true);
    void always.add(put('a'), 1);
    const asked = new WriteQueue(batches, false);
    void asked.add(put('b'), 1);
    void asked.add(put('c'), 1, { sync: true });
    void asked.add(put('d'), 1);
    for (let count = 0; count < 3; count++) await batches.end();
    expect(batches.written).toEqual([
      { keys: ['a'], sync: true },
      { keys: ['b'], sync: false },
      { keys: ['c', 'd'], sync: true },
    ]);
  });

  it('gives the error of a failed write to everyone who waits and to every later call, and writes nothing more', async () => {
    const batches = new HeldBatches();
    const queue = new WriteQueue(batches, false);
    const waiting = [
      queue.add(put('a'), 1),
      queue.add(put('b'), 2_000_000),
      queue.add(put('c'), 1),
      queue.settled() ?? Promise.resolve(),
    ];
    const results = Promise.allSettled(waiting);
    await batches.end(new Error('no space left'));
    for (const result of await results) {
      expect(result.status === 'rejected' && isWriteError(result.reason)).toBe(true);
    }
    const isThrown = expect.toSatisfy(isWriteError);
    expect(() => queue.add(put('d'), 1)).toThrow(isThrown);
    expect(() => queue.settled()).toThrow(isThrown);
    expect(() => queue.assertHealthy()).toThrow(isThrown);
    expect(batches.written.length).toBe(1);
  });

  it('does not end the process when a failed write was not waited for', async () => {
    const batches = new HeldBatches();
    const queue = new WriteQueue(batches, false);
    const unhandled: unknown[] = [];
    const note = (error: unknown): unknown => unhandled.push(error);
    process.on('unhandledRejection', note);
    void queue.add(put('a'), 1);
    await batches.end(new Error('disk'));
    await settle();
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it('never writes a batch with half of an addition in it', async () => {
    const batches = new HeldBatches();
    const queue = new WriteQueue(batches, false);
    void queue.add(put('a'), 1);
    expect(() => queue.add(half, 1)).toThrow('half');
    await batches.end();
    expect(batches.written).toEqual([{ keys: ['a'], sync: false }]);
    expect(() => queue.assertHealthy()).toThrow(
      expect.toSatisfy((error: unknown) => isOrbweaverError(error, 'STORE_WRITE')),
    );
  });
});

const isWriteError = (error: unknown): boolean =>
  isOrbweaverError(error, 'STORE_WRITE') && error.message.includes('no space left');

const half = (batch: WritableBatch): void => {
  batch.put(Buffer.from('b'), Buffer.alloc(0));
  throw new Error('half');
};
