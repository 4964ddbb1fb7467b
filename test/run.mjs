/**
 * `npm test`: installs what is missing, builds, and runs the tests; further arguments go to vitest.
 * Tests that need nginx are left out where it is missing, with a word about it; with CI=true that is a failure.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const IS_CI = process.env.CI === 'true';

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    ...options,
  });
  if (error !== undefined) process.stderr.write(`${command}: ${error.message}\n`);
  return status ?? 1;
}

function mustRun(what, command, args) {
  const status = run(command, args);
  if (status !== 0) {
    process.stderr.write(`npm test: ${what} failed\n`);
    process.exit(status);
  }
}

function has(program) {
  return spawnSync(program, ['-v'], { stdio: 'ignore' }).error === undefined;
}

function readPackages(file) {
  return JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')).packages;
}

/** Is every package of the lock file there, those for development too? Optional ones may be for other systems. */
function isInstalled() {
  try {
    const installed = readPackages('node_modules/.package-lock.json');
    return Object.entries(readPackages('package-lock.json')).every(
      ([name, { version, optional, devOptional, peer }]) =>
        name === '' || optional || devOptional || peer || installed[name]?.version === version,
    );
  } catch {
    return false;
  }
}

if (!isInstalled()) {
  const hasLock = existsSync(new URL('../package-lock.json', import.meta.url));
  mustRun('the installation', 'npm', [hasLock ? 'ci' : 'install', '--include=dev', '--no-audit', '--no-fund']);
}
mustRun('the build', process.execPath, ['src/start.mjs', '--build-only']);

if (!has('nginx') && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = () => run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'nginx-light'], { env });
  if (install() !== 0 && run('apt-get', ['update', '-q'], { env }) === 0) install();
}
if (!has('nginx')) {
  process.stderr.write('npm test: nginx is missing; the tests that serve real sites with it are left out\n');
  if (IS_CI) process.exit(1);
}

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
process.exit(run(process.execPath, [vitest, 'run', '-c', 'test/vitest.config.ts', ...process.argv.slice(2)]));
