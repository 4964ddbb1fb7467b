import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectedGraph, randomSite, serveGraphSite } from '../support/graph-site.ts';

test('the graph site serves the pages that its model expects', async () => {
  const kinds = new Set<string>();
  await fc.assert(
    fc.asyncProperty(randomSite({ slowest: 1 }), async (site) => {
      const served = await serveGraphSite(site);
      try {
        const { pages, links } = expectedGraph(site, served.origin);
        expect(pages[0]?.level).toBe(0);
        for (const { url, digest } of pages) expect(await digestOf(url)).toBe(digest);
        for (const { url, reason, status } of links) {
          kinds.add(reason);
          if (reason !== 'broken' || !url.startsWith(served.origin)) continue;
          const answer = await fetch(url, { redirect: 'manual' });
          await answer.arrayBuffer();
          if (answer.status >= 400) expect(answer.status).toBe(status);
        }
      } finally {
        await served.close();
      }
    }),
    { numRuns: 60, seed: 7 },
  );
  // All that can become of a link comes up; or the property below shows less than it says.
  const expected = [
    'broken',
    'duplicate',
    'external',
    'not-html',
    'redirect',
    'robots',
    'scheme',
    'trap',
    'unreachable',
  ];
  expect([...kinds].toSorted()).toEqual(expected);
});

async function digestOf(url: string): Promise<string> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const answer = await fetch(url);
    const body = Buffer.from(await answer.arrayBuffer());
    if (answer.status === 200) return createHash('sha256').update(body).digest('hex');
  }
  return 'no good answer';
}
