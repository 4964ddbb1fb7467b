// The bound of the benchmark: fetches the URLs of a file, one a line, and throws the bodies away.
//   node undici-loop.mjs URLS-FILE [concurrency]
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';

const [file = '', concurrencyText = '16'] = process.argv.slice(2);
const concurrency = Number(concurrencyText);
const urls = readFileSync(file, 'utf8').split('\n').filter(Boolean);
const { origin } = new URL(urls[0]);
const pool = new Pool(origin, { connections: concurrency, pipelining: 1 });
let next = 0;
let bytes = 0;
let failures = 0;

await Promise.all(Array.from({ length: concurrency }, work));
await pool.close();
process.stdout.write(`${JSON.stringify({ requests: urls.length, bytes, failures })}\n`);

function work() {
  return new Promise((resolve) => {
    const step = () => {
      const url = urls[next++];
      if (url === undefined) {
        resolve();
        return;
      }
      pool.dispatch(
        { method: 'GET', path: url.slice(origin.length) || '/' },
        {
          onRequestStart: () => undefined,
          onResponseStart: () => undefined,
          onResponseData: (_controller, chunk) => {
            bytes += chunk.length;
          },
          onResponseEnd: step,
          onResponseError: () => {
            failures++;
            step();
          },
        },
      );
    };
    step();
  });
}
