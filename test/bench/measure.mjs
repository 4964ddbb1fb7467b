import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const TIME = '/usr/bin/time';

/** Whether processor time can be measured here: GNU time is needed. */
export function canMeasure() {
  return spawnSync(TIME, ['-f', '%U', 'true']).status === 0;
}

/**
 * Runs one contender in a folder of its own.
 * CPU is user + system of the process tree, seconds; peak is the largest resident set of one process, MB.
 */
export async function measure(contender, job) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'orbweaver-bench-'));
  try {
    const report = path.join(folder, 'time');
    const [program, ...args] = contender.command({ ...job, folder });
    const startedAt = performance.now();
    let stdout = '';
    const exitCode = await new Promise((resolve, reject) => {
      const child = spawn(TIME, ['-f', '%U %S %M', '-o', report, program, ...args], {
        cwd: folder,
        env: { ...process.env, ...contender.env },
        stdio: ['ignore', 'pipe', process.env.BENCH_DEBUG ? 'inherit' : 'ignore'],
      });
      child.stdout.setEncoding('utf8').on('data', (text) => (stdout = (stdout + text).slice(-100_000)));
      child.once('error', reject);
      child.once('close', resolve);
    });
    const wallS = (performance.now() - startedAt) / 1000;
    const [userS, systemS, peakKb] = readFileSync(report, 'utf8').trim().split('\n').at(-1).split(' ').map(Number);
    return {
      cpuS: userS + systemS,
      wallS,
      peakMb: peakKb / 1024,
      exitCode,
      pages: contender.countPages(folder, stdout),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** All HTML files below a folder as URL paths; reading them once warms the disk cache, or the disk is measured. */
export function readCorpus(dir) {
  const paths = [];
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(dir, name);
    if (!/\.html?$/.test(name) || !statSync(file, { throwIfNoEntry: false })?.isFile()) continue;
    readFileSync(file);
    paths.push(`/${name.split(path.sep).map(encodeURIComponent).join('/')}`);
  }
  return paths.toSorted();
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
