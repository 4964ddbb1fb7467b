#!/usr/bin/env node
/**
 * Entry of `npm start -- …` and of the `orbweaver` command, in plain JavaScript, for nothing is built yet when it runs.
 * In a checkout it installs what is missing and builds what is out of date, with output to stderr; then it runs the
 * command line in the same process. In an installed package it only does the last.
 * `--build-only` as the first argument: builds and ends.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const OLDEST_NODE = [20, 19];
const WAIT_MS = 100;
/** A build takes a second, an installation a minute or two. */
const GIVE_UP_AFTER_MS = 600_000;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const at = (...parts) => path.join(root, ...parts);
const STAMP = at('dist', '.stamp');

function fail(message, code = 1) {
  process.stderr.write(`orbweaver: ${message}\n`);
  process.exit(code);
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNew = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  if (!isNew) fail(`needs Node.js ${OLDEST_NODE.join('.')} or newer; this is ${process.version}`);
}

/** Is this a checkout with sources to build? The published package has no tsconfig.json. */
function isCheckout() {
  return fs.existsSync(at('tsconfig.json')) && fs.existsSync(at('src', 'app', 'main.ts'));
}

function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Is everything the lock file asks for there, in its version? By content: a checkout gives files any time. */
function isInstalled() {
  const installed = readJson(at('node_modules', '.package-lock.json'))?.packages;
  if (installed === undefined) return false;
  const wanted = readJson(at('package-lock.json'))?.packages ?? {};
  return Object.entries(wanted).every(([name, { version, dev, optional, devOptional, peer }]) => {
    if (name === '' || dev || optional || devOptional || peer) return true;
    return installed[name]?.version === version;
  });
}

/** What the build depends on, by name, size and time; a few milliseconds for a few hundred files. */
function stampOfSources() {
  const hash = createHash('sha256');
  const add = (file) => {
    const { size, mtimeMs } = fs.statSync(file);
    hash.update(`${path.relative(root, file)}\0${size}\0${mtimeMs}\n`);
  };
  const walk = (folder) => {
    const entries = fs.readdirSync(folder, { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) walk(file);
      else if (entry.name.endsWith('.ts')) add(file);
    }
  };
  walk(at('src'));
  add(fileURLToPath(import.meta.url));
  add(at('tsconfig.json'));
  return hash.digest('hex');
}

function isBuilt() {
  try {
    return fs.readFileSync(STAMP, 'utf8') === stampOfSources() && fs.existsSync(at('dist', 'app', 'main.js'));
  } catch {
    return false;
  }
}

/** Runs a program with all its output on stderr, since stdout is for results. */
function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (error !== undefined) process.stderr.write(`orbweaver: ${command}: ${error.message}\n`);
  return status === 0;
}

function runNpm(args) {
  // Under `npm start` npm tells where it is; running it with this very Node also works where npm is a .cmd file.
  const script = process.env.npm_execpath;
  const isScript = script !== undefined && /\.[cm]?js$/.test(script) && fs.existsSync(script);
  return isScript ? run(process.execPath, [script, ...args]) : run('npm', args);
}

function install() {
  const hasLock = fs.existsSync(at('package-lock.json'));
  process.stderr.write('orbweaver: installing what is missing …\n');
  if (!runNpm([hasLock ? 'ci' : 'install', '--no-audit', '--no-fund'])) fail('the installation failed; see above');
}

/** Builds beside the old files and puts the new ones in their place, so that nobody ever sees half of them. */
function build() {
  const compiler = at('node_modules', 'typescript', 'bin', 'tsc');
  if (!fs.existsSync(compiler)) fail('TypeScript is missing; run npm install');
  // Taken before the build: what changes meanwhile is built next time.
  const stamp = stampOfSources();
  const fresh = at('node_modules', `.orbweaver-new-${process.pid}`);
  const old = at('node_modules', `.orbweaver-old-${process.pid}`);
  removeLeftovers();
  if (!run(process.execPath, [compiler, '-p', 'tsconfig.json', '--outDir', fresh])) {
    fs.rmSync(fresh, { recursive: true, force: true });
    fail('the build failed; see above');
  }
  bundle(fresh);
  fs.writeFileSync(path.join(fresh, '.stamp'), stamp);
  if (fs.existsSync(at('dist'))) fs.renameSync(at('dist'), old);
  fs.renameSync(fresh, at('dist'));
  fs.rmSync(old, { recursive: true, force: true });
}

/**
 * Puts the command line into a few files, one for each thing that is loaded late: a hundred files less to find and read save
 * 70 ms of 350 at every start. Without esbuild (a platform it has no program for) the single files serve as well.
 */
function bundle(folder) {
  try {
    const { outputFiles } = createRequire(import.meta.url)(at('node_modules', 'esbuild')).buildSync({
      absWorkingDir: root,
      entryPoints: { 'app/main': 'src/app/main.ts' },
      // Not written there: the paths in the source maps are to be those of the place the files come to in the end.
      outdir: 'dist',
      write: false,
      bundle: true,
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
      packages: 'external',
      format: 'esm',
      platform: 'node',
      target: `node${OLDEST_NODE.join('.')}`,
      sourcemap: true,
      logLevel: 'error',
    });
    for (const { path: file, contents } of outputFiles) {
      const target = path.join(folder, path.relative(at('dist'), file));
      fs.mkdirSync(path.dirname(target), { recursive: true });
      fs.writeFileSync(target, contents);
    }
  } catch (error) {
    process.stderr.write(`orbweaver: not bundled, starts are slower: ${error.message}\n`);
  }
}

/** Of builds that were killed. Called under the lock, so no other build is running. */
function removeLeftovers() {
  for (const name of fs.readdirSync(at('node_modules'))) {
    if (/^\.orbweaver-(?:new|old)-\d+$/.test(name))
      fs.rmSync(at('node_modules', name), { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** One installs or builds at a time; the others wait. The lock of one that died is taken over. */
function withLock(work) {
  const user = process.getuid?.() ?? 'user';
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const lock = path.join(os.tmpdir(), `orbweaver-${user}-${name}.lock`);
  const giveUpAt = Date.now() + GIVE_UP_AFTER_MS;
  for (;;) {
    try {
      fs.writeFileSync(lock, `${process.pid}`, { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') fail(`cannot write ${lock}: ${error.message}`);
    }
    const owner = Number(tryRead(lock));
    if (owner > 0 && !isAlive(owner)) fs.rmSync(lock, { force: true });
    else if (Date.now() > giveUpAt) fail(`another build is still running; if not, remove ${lock}`);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
  }
  const release = () => fs.rmSync(lock, { force: true });
  process.once('exit', release);
  try {
    work();
  } finally {
    release();
    process.off('exit', release);
  }
}

function tryRead(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

requireNode();
if (isCheckout() && !(isInstalled() && isBuilt())) {
  withLock(() => {
    // Another one may have done it while this one waited.
    if (!isInstalled()) install();
    if (!isBuilt()) build();
  });
}
if (process.argv[2] !== '--build-only') await import(pathToFileURL(at('dist', 'app', 'main.js')).href);
