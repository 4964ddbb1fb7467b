import * as fc from 'fast-check';
import { test } from 'vitest';
import { randomSite, serveGraphSite, expectedGraph } from '../support/graph-site.ts';
import { crawl } from './zz-crawl.ts';
import { temporaryFolder } from '../support/run-cli.ts';
test('times', { timeout: 600000 }, async () => {
  const sites = fc.sample(randomSite({ maxResources: 60 }), { numRuns: 14, seed: 42 });
  for (const [i, site] of sites.entries()) {
    const row: string[] = [];
    for (const c of [1, 2, 16, 64]) {
      const served = await serveGraphSite(site); const f = temporaryFolder(); const t = Date.now();
      let r: any = 'HANG';
      const ac = new AbortController(); const timer = setTimeout(() => ac.abort(), 20000);
      r = await crawl(served, f.path, { concurrency: c }, ac.signal); clearTimeout(timer);
      row.push(`${c}: ${Date.now() - t} ms ${r.endReason} ${served.requests.length} req`);
      f.dispose(); await served.close();
    }
    const kinds: any = {}; for (const x of site.resources) kinds[x.kind] = (kinds[x.kind] ?? 0) + 1;
    console.log(i, site.resources.length, row.join(' | '), JSON.stringify(kinds));
  }
});
