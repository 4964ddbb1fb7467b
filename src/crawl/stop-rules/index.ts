import { bytesRule } from './bytes.ts';
import { levelRule } from './level.ts';
import { pagesRule } from './pages.ts';
import { signalRule } from './signal.ts';
import { stopFileRule } from './stop-file.ts';
import type { StopRule } from './stop-rule.ts';
import { timeoutRule } from './timeout.ts';

/** Every rule of which one hit ends a crawl; asked in this order. A new rule is one file and one line here. */
export const STOP_RULES: readonly StopRule[] = [signalRule, stopFileRule, timeoutRule, levelRule, pagesRule, bytesRule];
