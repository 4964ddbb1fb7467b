import type { RobotsGate, RobotsVerdict } from '../robots-gate.ts';

/** How robots.txt binds the crawl: one entry per value of `--robots`. */
export interface RobotsPolicy {
  readonly name: string;
  readonly check: (gate: RobotsGate, url: string, signal: AbortSignal) => RobotsVerdict | Promise<RobotsVerdict>;
}
