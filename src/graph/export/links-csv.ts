import type { Notice } from '../site-graph.ts';
import { csvField } from './csv.ts';
import type { TextSink } from './text-sink.ts';

/**
 * `<site>.links.csv`: what did not become a plain arc. A link that reached a page by a redirect or as a duplicate is an arc too,
 * with that page in `Target`; one whose redirects end elsewhere has the reason and status of that end. `Source` is empty for a URL
 * that was to be visited though no page links to it (the start page, a redirect's target); its `Count` is 0.
 */
export const linksCsv = {
  extension: '.links.csv',
  async write(graph: { notices(): AsyncIterable<Notice> }, sink: TextSink): Promise<void> {
    sink.write('Source,Url,Reason,Status,Target,Count\n');
    for await (const { source, url, reason, status, target, count } of graph.notices()) {
      sink.write(`${source || ''},${csvField(url)},${reason},${status || ''},${target || ''},${count}\n`);
      if (sink.isFull) await sink.flush();
    }
  },
};
