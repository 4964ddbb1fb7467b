import { median } from './measure.mjs';

/** Acceptance 6 of the graph crawler. `ratio` is CPU of `of` over CPU of `to`, paired in the same round where both ran. */
export const TARGETS = [
  { site: 'openjdk-17-doc', of: 'orbweaver', to: 'undici loop', atMost: 2.2 },
  { site: 'openjdk-17-doc', of: 'wget', to: 'orbweaver', atLeast: 4.5 },
  { site: 'openjdk-17-doc', peakMb: 250 },
  { site: 'synthetic', of: 'orbweaver', to: 'undici loop', atMost: 2.5 },
  { site: 'synthetic', of: 'wget', to: 'orbweaver', atLeast: 2 },
  { site: 'python3.11-doc', of: 'wget', to: 'orbweaver', atLeast: 2 },
  { site: 'postgresql-doc-15', of: 'orbweaver', to: 'wget', atMost: 1.3 },
  { site: 'postgresql-doc-15', of: 'orbweaver', to: 'wget', atMost: 1, field: 'wallS' },
  ...['openjdk-17-doc', 'synthetic', 'python3.11-doc', 'postgresql-doc-15'].flatMap((site) => [
    { site, of: 'scrapy', to: 'orbweaver', atLeast: 8 },
    { site, of: 'crawlee', to: 'orbweaver', atLeast: 8 },
    { site, of: 'httrack', to: 'orbweaver', atLeast: 2 },
  ]),
];

/** Which targets hold; targets whose contenders did not run are left out. */
export function judgeTargets(results) {
  return TARGETS.flatMap((target) => {
    const runs = results.find(({ site }) => site === target.site)?.runs;
    if (runs === undefined) return [];
    if (target.peakMb !== undefined) {
      if (!runs.orbweaver?.length) return [];
      const value = Math.max(...runs.orbweaver.map(({ peakMb }) => peakMb));
      return [
        { site: target.site, what: 'peak MB', target: `≤ ${target.peakMb}`, value, holds: value <= target.peakMb },
      ];
    }
    const field = target.field ?? 'msPerPage';
    const ratios = pairedRatios(runs[target.of] ?? [], runs[target.to] ?? [], field);
    if (ratios.length === 0) return [];
    const value = median(ratios);
    const what = `${field === 'wallS' ? 'wall' : 'CPU'} ${target.of} / ${target.to}`;
    return target.atMost === undefined
      ? [{ site: target.site, what, target: `≥ ${target.atLeast}`, value, holds: value >= target.atLeast }]
      : [{ site: target.site, what, target: `≤ ${target.atMost}`, value, holds: value <= target.atMost }];
  });
}

function pairedRatios(numerators, denominators, field) {
  return numerators.flatMap((run) => {
    const other = denominators.find(({ round }) => round === run.round);
    return other === undefined ? [] : [run[field] / other[field]];
  });
}
