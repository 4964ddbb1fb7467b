import type { RobotsPolicy } from './robots-policy.ts';

/** RFC 9309 for pages; what a page embeds is exempt (the archive asks it). */
export const obeyPolicy: RobotsPolicy = { name: 'obey', check: (gate, url, signal) => gate.check(url, signal) };
