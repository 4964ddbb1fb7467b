#!/usr/bin/env node
// The benchmark in small, for every CI run: 500 synthetic pages, two rounds. Checks that it runs, that everybody gets the same
// pages and that ratios come out; times are printed, never judged.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const PAGES = 500;
const folder = mkdtempSync(path.join(os.tmpdir(), 'orbweaver-smoke-'));
try {
  const json = path.join(folder, 'bench.json');
  const args = ['--sites', 'synthetic', '--synthetic-pages', String(PAGES), '--rounds', '2', '--json', json];
  const script = fileURLToPath(new URL('run.mjs', import.meta.url));
  const table = execFileSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { results, verdicts } = JSON.parse(readFileSync(json, 'utf8'));
  const runs = results[0]?.runs ?? {};
  const faults = [];
  if (runs.orbweaver?.length !== 2) faults.push('orbweaver did not run twice');
  for (const run of runs.orbweaver ?? []) {
    if (run.exitCode !== 0) faults.push(`orbweaver ended with exit code ${run.exitCode}`);
    if (run.pages !== PAGES) faults.push(`orbweaver found ${run.pages} pages, not ${PAGES}`);
  }
  if (runs['undici loop']?.length !== 2) faults.push('the bare client loop did not run twice');
  if (!verdicts.some(({ value }) => value > 0)) faults.push('no ratio came out');
  process.stdout.write(table);
  for (const fault of faults) process.stderr.write(`bench smoke: ${fault}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
