import { ignorePolicy } from './ignore.ts';
import { obeyPolicy } from './obey.ts';
import type { RobotsPolicy } from './robots-policy.ts';
import { strictPolicy } from './strict.ts';

export const ROBOTS_POLICIES: Readonly<Record<'obey' | 'strict' | 'ignore', RobotsPolicy>> = {
  obey: obeyPolicy,
  strict: strictPolicy,
  ignore: ignorePolicy,
};
