import type { RobotsPolicy } from './robots-policy.ts';

/** As `obey`; embeds are bound too. Without an archive there are none, so the graph is the same. */
export const strictPolicy: RobotsPolicy = { name: 'strict', check: (gate, url, signal) => gate.check(url, signal) };
