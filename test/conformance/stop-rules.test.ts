import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { STOP_RULES } from '../../src/crawl/stop-rules/index.ts';
import type { StopContext } from '../../src/crawl/stop-rules/stop-rule.ts';
import { END_REASONS, type SiteState } from '../../src/store/records.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'orbweaver-stop-'));
const state = { pages: 10, bytes: 1_000 } as SiteState;
const never: StopContext = {
  maxLevel: Infinity,
  maxPages: Infinity,
  maxBytes: Infinity,
  deadline: Infinity,
  stopFile: undefined,
  signal: new AbortController().signal,
  clock: systemClock,
};

/** For each rule a context in which it must end the crawl. Every rule of the registry needs one here. */
const ends: Record<string, () => StopContext> = {
  level: () => ({ ...never, maxLevel: 2 }),
  pages: () => ({ ...never, maxPages: 10 }),
  bytes: () => ({ ...never, maxBytes: 1_000 }),
  timeout: () => ({ ...never, deadline: Date.now() + 30 }),
  signal: () => ({ ...never, signal: AbortSignal.abort() }),
  'stop-file': () => {
    const stopFile = path.join(folder, 'stop.txt');
    writeFileSync(stopFile, '');
    return { ...never, stopFile };
  },
};

afterAll(() => rmSync(folder, { recursive: true }));

describe.each(STOP_RULES)('the stop rule "$reason"', (rule) => {
  test('is named by an end reason, and no other rule has it', () => {
    expect(END_REASONS).toContain(rule.reason);
    expect(STOP_RULES.filter(({ reason }) => reason === rule.reason)).toHaveLength(1);
  });

  test('does not end a crawl without limits', async () => {
    let isStopped = false;
    if ('isReached' in rule) {
      isStopped = rule.isReached({ state, nextLevel: 3 }, never);
    } else {
      const end = rule.watch(() => (isStopped = true), never);
      await sleep(60);
      end();
    }
    expect(isStopped).toBe(false);
  });

  test('ends a crawl that reached its limit', async () => {
    const context = ends[rule.reason]?.();
    expect(context, 'a context for this rule in the test').toBeDefined();
    let isStopped = false;
    if ('isReached' in rule) {
      isStopped = rule.isReached({ state, nextLevel: 3 }, context as StopContext);
    } else {
      const end = rule.watch(() => (isStopped = true), context as StopContext);
      await sleep(150);
      end();
    }
    expect(isStopped).toBe(true);
  });

  test('is quiet once its watch is over', async () => {
    if (!('watch' in rule)) return;
    let calls = 0;
    const late = new AbortController();
    const end = rule.watch(() => calls++, { ...never, deadline: Date.now() + 50, signal: late.signal });
    end();
    late.abort();
    await sleep(120);
    expect(calls).toBe(0);
  });
});
