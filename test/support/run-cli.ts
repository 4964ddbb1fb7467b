import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface CliResult {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly elapsedMs: number;
  /** Largest resident set seen, bytes; 0 where /proc is missing. */
  readonly peakBytes: number;
}

export interface RunningCli {
  readonly child: ChildProcess;
  readonly result: Promise<CliResult>;
}

export interface CliOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** The process is killed after this time, and the result rejects. */
  readonly killAfterMs?: number;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = path.join(ROOT, 'dist/app/main.js');

/** Runs the built command line as a child process, to its end. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return startCli(args, options).result;
}

/** Starts the built command line; the caller may send signals to the child. Builds first when `dist` is older than `src`. */
export function startCli(args: readonly string[], options: CliOptions = {}): RunningCli {
  const startedAt = Date.now();
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: options.cwd ?? os.tmpdir(),
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  let peakBytes = 0;
  const sampler = setInterval(() => (peakBytes = Math.max(peakBytes, readPeak(child.pid))), 50);
  let wasKilled = false;
  const killer = setTimeout(() => {
    wasKilled = true;
    child.kill('SIGKILL');
  }, options.killAfterMs ?? 600_000);
  const result = new Promise<CliResult>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) => {
      clearInterval(sampler);
      clearTimeout(killer);
      if (wasKilled) reject(new Error(`did not end in time: orbweaver ${args.join(' ')}\n${stderr.slice(-4_000)}`));
      else resolve({ exitCode, signal, stdout, stderr, elapsedMs: Date.now() - startedAt, peakBytes });
    });
  });
  return { child, result };
}

/** High-water mark of the resident set (Linux). */
function readPeak(pid: number | undefined): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

/** Builds `dist` when a source is newer; processes wait for each other. Call once before the first run. */
export async function ensureBuilt(): Promise<void> {
  const lock = path.join(ROOT, 'node_modules/.orbweaver-test-build');
  for (let wait = 0; ; wait++) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      // A builder that died leaves its lock.
      if (wait > 600) rmdirSync(lock);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  try {
    if (!isStale()) return;
    const child = spawn(process.execPath, ['src/start.mjs', '--build-only'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
    const code = await new Promise((resolve) => child.once('close', resolve));
    if (code !== 0) throw new Error(`the build failed (exit ${String(code)})`);
  } finally {
    rmdirSync(lock);
  }
}

function isStale(): boolean {
  if (!existsSync(MAIN)) return true;
  const builtAt = statSync(MAIN).mtimeMs;
  return readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).some((name) => {
    if (!name.endsWith('.ts')) return false;
    const output = path.join(ROOT, 'dist', name.replace(/\.ts$/, '.js'));
    return (
      !existsSync(output) || (statSync(path.join(ROOT, 'src', name)).mtimeMs > statSync(output).mtimeMs && builtAt > 0)
    );
  });
}

/** A folder for one run, removed by `dispose`. */
export function temporaryFolder(): { readonly path: string; dispose(): void } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'orbweaver-run-'));
  return { path: folder, dispose: () => rmSync(folder, { recursive: true, force: true }) };
}
