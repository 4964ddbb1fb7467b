#!/usr/bin/env node
// The benchmark: the same job for every contender, on sites that nginx serves on loopback, in alternating runs.
//   npm run bench -- [--sites openjdk-17-doc,postgresql-doc-15,python3.11-doc,synthetic] [--rounds 5] [--peers few|all]
//                    [--heavy-rounds 1] [--synthetic-pages 10000] [--without orbweaver] [--json FILE]
// few: orbweaver, the bare client loop, wget. all: HTTrack, Scrapy and Crawlee too, those two in --heavy-rounds rounds only.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { debianSite } from '../support/debian-sites.mjs';
import { startNginx } from '../support/nginx.mjs';
import { CONTENDERS } from '../support/peers.mjs';
import { createSite, writeSite } from './gen-site.mjs';
import { canMeasure, measure, median, readCorpus } from './measure.mjs';
import { judgeTargets } from './targets.mjs';

const HEAVY = new Set(['scrapy', 'crawlee']);
/** Crawlee needs minutes for what others do in seconds. */
const CRAWLEE_PAGES = 2_000;

const options = readOptions(process.argv.slice(2));
if (!canMeasure()) fail('GNU time is needed: apt-get install time');
const contenders = await prepareContenders();
const work = mkdtempSync(path.join(os.tmpdir(), 'orbweaver-bench-sites-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const results = [];
for (const name of options.sites) {
  const site = await openSite(name);
  if (site.skip !== undefined) {
    note(`skipped: ${site.skip}`);
    continue;
  }
  const nginx = await startNginx([site]);
  try {
    results.push(await benchSite(name, site, nginx.origins[0]));
  } finally {
    await nginx.stop();
  }
  note(`\n${table(results.at(-1))}`);
}
const verdicts = judgeTargets(results).map((verdict) => {
  // The targets are for a site of 10,000 pages; on a small one everybody measures the start of a process.
  const isOther = verdict.site === 'synthetic' && options.syntheticPages !== 10_000;
  return isOther ? { ...verdict, target: '–', holds: undefined } : verdict;
});
process.stdout.write(`${results.map(table).join('\n')}\n${verdictTable(verdicts)}\n`);
const report = { node: process.version, cpus: os.cpus().length, results, verdicts };
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(report, undefined, 1)}\n`);
else process.stdout.write(`\n${JSON.stringify(report)}\n`);

async function benchSite(name, site, origin) {
  const paths = site.paths ?? readCorpus(site.dir);
  const urlsFile = path.join(work, `${name}.urls`);
  writeFileSync(urlsFile, paths.map((item) => `${origin}${item}\n`).join(''));
  const job = { url: origin + site.startPath, urlsFile };
  const runs = Object.fromEntries(Object.keys(contenders).map((key) => [key, []]));
  for (let round = 0; round < options.rounds; round++) {
    for (const [key, contender] of Object.entries(contenders)) {
      if (HEAVY.has(key) && round >= options.heavyRounds) continue;
      const maxPages = key === 'crawlee' ? CRAWLEE_PAGES : undefined;
      const run = await measure(contender, { ...job, maxPages });
      const pages = Math.min(maxPages ?? Infinity, paths.length);
      const entry = { ...run, round, msPerPage: (run.cpuS * 1000) / pages };
      runs[key].push(entry);
      note(
        `${name} ${round + 1}/${options.rounds} ${key}: ${round3(entry.msPerPage)} ms/page, ${round3(run.wallS)} s, ${Math.round(run.peakMb)} MB, ${run.pages} pages, exit ${run.exitCode}`,
      );
    }
  }
  return { site: name, version: site.version, pages: paths.length, runs };
}

async function openSite(name) {
  if (name !== 'synthetic') return debianSite(name);
  const dir = path.join(work, 'synthetic');
  const site = createSite({ pages: options.syntheticPages });
  return { dir, startPath: '/', synthetic: true, paths: writeSite(site, dir) };
}

async function prepareContenders() {
  const wanted = options.peers === 'all' ? Object.keys(CONTENDERS) : ['orbweaver', 'undici loop', 'wget'];
  const ready = {};
  for (const key of wanted.filter((item) => !options.without.includes(item))) {
    const reason = await CONTENDERS[key].prepare();
    if (reason === undefined) ready[key] = CONTENDERS[key];
    else note(`skipped: ${key}: ${reason}`);
  }
  return ready;
}

function table({ site, pages, runs }) {
  const rows = Object.entries(runs)
    .filter(([, list]) => list.length > 0)
    .map(([key, list]) => {
      const of = (field) => median(list.map((run) => run[field]));
      const cells = [key, list.length, of('pages'), round3(of('msPerPage')), round3(of('cpuS')), round3(of('wallS'))];
      return `| ${[...cells, Math.round(Math.max(...list.map((run) => run.peakMb)))].join(' | ')} |`;
    });
  return [
    `### ${site} (${pages} pages)`,
    '',
    '| contender | runs | pages | CPU ms/page | CPU s | wall s | peak MB |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
    '',
  ].join('\n');
}

function verdictTable(list) {
  const rows = list.map(
    ({ site, what, target, value, holds }) =>
      `| ${site} | ${what} | ${target} | ${round3(value)} | ${holds === undefined ? '–' : holds ? 'yes' : '**no**'} |`,
  );
  return ['| site | what | target | measured | holds |', '| --- | --- | --- | ---: | --- |', ...rows].join('\n');
}

function readOptions(args) {
  const known = new Set(['sites', 'rounds', 'peers', 'heavy-rounds', 'synthetic-pages', 'without', 'json']);
  const given = {};
  for (let index = 0; index < args.length; index += 2) {
    const name = args[index].replace(/^--/, '');
    if (!known.has(name) || args[index + 1] === undefined) fail(`unknown option or no value: ${args[index]}`);
    given[name] = args[index + 1];
  }
  return {
    sites: listOf(given.sites ?? 'postgresql-doc-15,python3.11-doc,synthetic,openjdk-17-doc'),
    rounds: Number(given.rounds ?? 5),
    heavyRounds: Number(given['heavy-rounds'] ?? 1),
    peers: given.peers ?? 'few',
    syntheticPages: Number(given['synthetic-pages'] ?? 10_000),
    without: listOf(given.without ?? ''),
    json: given.json,
  };
}

function listOf(text) {
  return text.split(',').filter(Boolean);
}

function round3(value) {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function note(text) {
  process.stderr.write(`${text}\n`);
}

function fail(text) {
  note(text);
  process.exit(2);
}
