import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Politeness, type PolitenessOptions, type Slot } from '../../src/fetch/politeness.ts';
import { FakeClock, settle } from '../support/fake-clock.ts';

function make(options: Partial<PolitenessOptions> = {}): { clock: FakeClock; politeness: Politeness } {
  const clock = new FakeClock();
  return { clock, politeness: new Politeness({ connections: 2, delayMs: 0, minIntervalMs: 0, clock, ...options }) };
}

/** Runs `count` exchanges of `answerMs` each; gives their starts, relative to the first moment. */
async function run(
  { clock, politeness }: { clock: FakeClock; politeness: Politeness },
  count: number,
  answerMs: number,
  totalMs: number,
): Promise<number[]> {
  const begin = clock.now();
  const starts: number[] = [];
  const all = Promise.all(
    Array.from({ length: count }, async () => {
      const slot = await politeness.acquire();
      starts.push(clock.now() - begin);
      await clock.sleep(answerMs);
      slot.release({ answerMs });
    }),
  );
  await clock.advance(totalMs);
  expect(starts).toHaveLength(count);
  await all;
  return starts;
}

describe('Politeness', () => {
  it('lets no more than its connections work at once', async () => {
    expect(await run(make({ connections: 3 }), 7, 100, 1_000)).toEqual([0, 0, 0, 100, 100, 100, 200]);
  });

  it('costs no timer when everything is 0', async () => {
    const { clock, politeness } = make();
    for (let i = 0; i < 100; i++) (await politeness.acquire()).release({ answerMs: 5 });
    const slots = await Promise.all([politeness.acquire(), politeness.acquire()]);
    const waiting = politeness.acquire();
    for (const slot of slots) slot.release();
    (await waiting).release();
    expect(clock.sleeps).toBe(0);
  });

  it('pauses each connection between the end of an exchange and the next start', async () => {
    expect(await run(make({ delayMs: 250 }), 6, 100, 2_000)).toEqual([0, 0, 350, 350, 700, 700]);
  });

  it('does not count a rest that is over', async () => {
    const { clock, politeness } = make({ connections: 1, delayMs: 250 });
    (await politeness.acquire()).release();
    await clock.advance(300);
    const startedAt = clock.now();
    await politeness.acquire();
    expect(clock.now()).toBe(startedAt);
  });

  it('keeps the crawl delay between any two starts of the site', async () => {
    expect(await run(make({ connections: 4, minIntervalMs: 1_000 }), 4, 100, 5_000)).toEqual([0, 1_000, 2_000, 3_000]);
  });

  it('lets the larger of delay and crawl delay win', async () => {
    expect(await run(make({ connections: 1, delayMs: 1_500, minIntervalMs: 1_000 }), 3, 100, 9_000)).toEqual([
      0, 1_600, 3_200,
    ]);
    expect(await run(make({ connections: 1, delayMs: 200, minIntervalMs: 1_000 }), 3, 100, 9_000)).toEqual([
      0, 1_000, 2_000,
    ]);
  });

  it('takes up a crawl delay that becomes known later, and only a larger one', async () => {
    const { clock, politeness } = make({ connections: 1, minIntervalMs: 100 });
    const begin = clock.now();
    (await politeness.acquire()).release();
    politeness.raiseMinInterval(2_000);
    politeness.raiseMinInterval(50);
    const next = politeness.acquire().then(() => clock.now() - begin);
    await clock.advance(5_000);
    expect(await next).toBe(2_000);
  });

  it('starts at 250 ms and grows with the answer time of the site, to 10 s at most', async () => {
    const { politeness } = make({ delayMs: undefined });
    expect(politeness.delayMs).toBe(250);
    (await politeness.acquire()).release({ answerMs: 100 });
    expect(politeness.delayMs).toBe(250);
    const { clock, politeness: slow } = make({ delayMs: undefined, connections: 100 });
    (await slow.acquire()).release({ answerMs: 2_000 });
    expect(slow.delayMs).toBe(2_000);
    (await slow.acquire()).release({ answerMs: 4_000 });
    expect(slow.delayMs).toBeGreaterThan(2_000);
    expect(slow.delayMs).toBeLessThan(4_000);
    for (let i = 0; i < 60; i++) (await slow.acquire()).release({ answerMs: 60_000 });
    expect(slow.delayMs).toBe(10_000);
    await clock.advance(60_000);
    for (let i = 0; i < 60; i++) (await slow.acquire()).release({ answerMs: 1 });
    expect(slow.delayMs).toBeLessThan(300);
  });

  it('holds the whole site after backOff, and the longer of two holds', async () => {
    const made = make({ connections: 2 });
    made.politeness.backOff(3_000);
    made.politeness.backOff(1_000);
    expect(await run(made, 2, 10, 5_000)).toEqual([3_000, 3_000]);
  });

  it('holds those that already wait, too', async () => {
    const { clock, politeness } = make({ connections: 1, delayMs: 100 });
    const begin = clock.now();
    (await politeness.acquire()).release();
    const next = politeness.acquire().then(() => clock.now() - begin);
    await settle();
    politeness.backOff(2_000);
    await clock.advance(3_000);
    expect(await next).toBe(2_000);
  });

  it('serves in the order of asking', async () => {
    const { clock, politeness } = make({ connections: 1, delayMs: 10 });
    const order: number[] = [];
    const all = Promise.all(
      Array.from({ length: 10 }, async (_, i) => {
        const slot = await politeness.acquire();
        order.push(i);
        slot.release();
      }),
    );
    await clock.advance(1_000);
    await all;
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('ends a wait at once when aborted, and the others keep their place', async () => {
    const { clock, politeness } = make({ connections: 1 });
    const first = await politeness.acquire();
    const controller = new AbortController();
    const second = politeness.acquire(controller.signal);
    const third = politeness.acquire();
    controller.abort();
    const aborted = await second;
    expect(aborted.isAborted).toBe(true);
    aborted.release();
    expect(politeness.load).toEqual({ active: 1, waiting: 1 });
    expect((await politeness.acquire(controller.signal)).isAborted).toBe(true);
    first.release();
    expect((await third).isAborted).toBe(false);
    expect(clock.sleeping).toBe(0);
  });

  it('leaves no timer when the last one that waited is aborted', async () => {
    const { clock, politeness } = make({ connections: 1, delayMs: 60_000 });
    (await politeness.acquire()).release();
    const controller = new AbortController();
    const waiting = politeness.acquire(controller.signal);
    await settle();
    expect(clock.sleeping).toBe(1);
    controller.abort();
    await waiting;
    expect(clock.sleeping).toBe(0);
  });

  it('counts a second release as none', async () => {
    const { politeness } = make({ connections: 1 });
    const slot = await politeness.acquire();
    slot.release();
    slot.release();
    await politeness.acquire();
    expect(politeness.load.active).toBe(1);
    const waiting = politeness.acquire();
    await settle();
    expect(politeness.load).toEqual({ active: 1, waiting: 1 });
    void waiting;
  });

  it('keeps every rule for any mix of exchanges', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom(0, 0, 100, 250),
        fc.constantFrom(0, 0, 80, 300),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 300 })), {
          minLength: 1,
          maxLength: 20,
        }),
        async (connections, delayMs, minIntervalMs, exchanges) => {
          const { clock, politeness } = make({ connections, delayMs, minIntervalMs });
          const spans: { start: number; end: number }[] = [];
          const all = Promise.all(
            exchanges.map(async ([waitMs, answerMs]) => {
              await clock.sleep(waitMs);
              const slot: Slot = await politeness.acquire();
              const span = { start: clock.now(), end: Infinity };
              spans.push(span);
              await clock.sleep(answerMs);
              span.end = clock.now();
              slot.release({ answerMs });
            }),
          );
          await clock.advance(20_000);
          await all;
          for (const [i, span] of spans.entries()) {
            // A span keeps its connection busy until its pause is over.
            const busy = spans.filter((other, j) => j < i && other.end + delayMs > span.start);
            expect(busy.length).toBeLessThan(connections);
            const before = spans[i - 1];
            if (before !== undefined) expect(span.start - before.start).toBeGreaterThanOrEqual(minIntervalMs);
          }
          expect(politeness.load).toEqual({ active: 0, waiting: 0 });
        },
      ),
      { numRuns: 100 },
    );
  });
});
