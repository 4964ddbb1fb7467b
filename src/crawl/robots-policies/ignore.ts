import type { RobotsPolicy } from './robots-policy.ts';

/** For one's own sites: robots.txt is not even asked for. */
export const ignorePolicy: RobotsPolicy = { name: 'ignore', check: () => ({ allowed: true }) };
