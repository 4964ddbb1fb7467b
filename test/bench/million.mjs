#!/usr/bin/env node
// The large crawl: a synthetic site of a million pages and 25 million links, to its end. Not for CI.
//   npm run bench:million -- [--pages 1000000] [--data FOLDER (kept)] [--json FILE]
// Samples the crawler's memory every second; the server says how many answers went out: pages/s of the first and last tenth.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const MAX_PEAK_MB = 500;
const MIN_SPEED_KEPT = 0.8;
const SAMPLE_MS = 1_000;

const options = readOptions(process.argv.slice(2));
const main = fileURLToPath(new URL('../../dist/app/main.js', import.meta.url));
if (!existsSync(main)) fail('not built: npm run build');
const folder = options.data ?? mkdtempSync(path.join(os.tmpdir(), 'orbweaver-million-'));
const children = new Set();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  if (options.data === undefined) rmSync(folder, { recursive: true, force: true });
});

const samples = [];
/** [seconds, answers so far] */
const answered = [];
const startedAt = performance.now();
const port = await startSite();
const crawler = start([
  main,
  'crawl',
  `http://127.0.0.1:${port}/`,
  '--data',
  folder,
  '--concurrency',
  '16',
  '--delay',
  '0',
  '--json',
]);
crawler.stderr.resume();
let summaryText = '';
crawler.stdout.setEncoding('utf8').on('data', (text) => (summaryText += text));
const sampler = setInterval(sample, SAMPLE_MS);
const exitCode = await new Promise((resolve) => crawler.once('close', resolve));
clearInterval(sampler);
const elapsedS = secondsSinceStart();

const summary = exitCode === 0 ? JSON.parse(summaryText) : undefined;
const report = judge();
process.stdout.write(`${describe(report)}\n`);
if (options.json !== undefined)
  writeFileSync(options.json, `${JSON.stringify({ ...report, samples }, undefined, 1)}\n`);
process.exit(report.verdicts.every(({ holds }) => holds) ? 0 : 1);

/** The site in a process of its own. */
async function startSite() {
  const server = start([
    fileURLToPath(new URL('gen-site.mjs', import.meta.url)),
    '--n',
    String(options.pages),
    '--port',
    String(await freePort()),
  ]);
  server.on('message', ({ answers }) => {
    if (answers !== answered.at(-1)?.[1]) answered.push([secondsSinceStart(), answers]);
  });
  return new Promise((resolve, reject) => {
    server.stdout.once('data', (data) => resolve(JSON.parse(String(data)).port));
    server.once('close', () => reject(new Error('the site server ended')));
  });
}

function start(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  children.add(child);
  child.once('close', () => children.delete(child));
  return child;
}

function secondsSinceStart() {
  return (performance.now() - startedAt) / 1_000;
}

function sample() {
  const { pid } = crawler;
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    samples.push({
      s: secondsSinceStart(),
      rssMb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024,
      peakMb: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024,
      cpuS: (Number(stat[11]) + Number(stat[12])) / 100,
    });
  } catch {
    return; // It has just ended.
  }
  const last = samples.at(-1);
  if (samples.length % 15 === 0) {
    note(
      `${Math.round(last.s)} s, ${Math.round(last.rssMb)} MB, ${Math.round(last.cpuS)} s CPU, ${answered.at(-1)?.[1] ?? 0} answers`,
    );
  }
}

function judge() {
  const peakMb = Math.max(...samples.map((item) => item.peakMb));
  const { first, last } = tenths();
  const kept = last / first;
  const verdicts = [
    { what: 'runs to its end', value: `exit ${exitCode}`, holds: exitCode === 0 && summary?.endReason === 'done' },
    { what: 'all pages found', value: summary?.pages, holds: summary?.pages === options.pages },
    { what: `peak memory at most ${MAX_PEAK_MB} MB`, value: `${Math.round(peakMb)} MB`, holds: peakMb <= MAX_PEAK_MB },
    {
      what: `speed at the end at least ${MIN_SPEED_KEPT * 100} % of the start`,
      value: `${Math.round(kept * 100)} %`,
      holds: kept >= MIN_SPEED_KEPT,
    },
  ];
  return {
    pages: summary?.pages,
    arcs: summary?.arcs,
    links: summary?.links,
    elapsedS,
    cpuS: samples.at(-1)?.cpuS,
    peakMb,
    pagesPerSecond: { whole: (summary?.pages ?? 0) / elapsedS, firstTenth: first, lastTenth: last },
    storeMb: folderSize(path.join(folder, 'db')) / 2 ** 20,
    verdicts,
  };
}

/** Answers per second while the first and the last tenth of all answers went out; writing the files is not crawling. */
function tenths() {
  const total = answered.at(-1)?.[1] ?? 0;
  const timeAt = (share) => answered.find(([, answers]) => answers >= total * share)?.[0] ?? 0;
  const tenth = total / 10;
  return { first: tenth / (timeAt(0.1) - timeAt(0)), last: tenth / (timeAt(1) - timeAt(0.9)) };
}

function describe({ pages, arcs, links, cpuS, peakMb, pagesPerSecond, storeMb, verdicts }) {
  return [
    `${pages} pages, ${arcs} arcs, ${links} links in ${Math.round(elapsedS)} s`,
    `${Math.round(pagesPerSecond.whole)} pages/s (first tenth ${Math.round(pagesPerSecond.firstTenth)}, last tenth ${Math.round(pagesPerSecond.lastTenth)})`,
    `CPU ${Math.round(cpuS)} s, peak ${Math.round(peakMb)} MB, store ${Math.round(storeMb)} MB`,
    ...verdicts.map(({ what, value, holds }) => `${holds ? 'yes' : 'NO '}  ${what}: ${value}`),
  ].join('\n');
}

function folderSize(dir) {
  if (!existsSync(dir)) return 0;
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = server.address();
      server.close(() => resolve(free));
    });
  });
}

function readOptions(args) {
  const value = (name) => (args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : undefined);
  return { pages: Number(value('pages') ?? 1_000_000), data: value('data'), json: value('json') };
}

function note(text) {
  process.stderr.write(`${text}\n`);
}

function fail(text) {
  note(text);
  process.exit(2);
}
