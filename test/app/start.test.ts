import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve as resolvePath } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** A checkout in small: the real start.mjs, with a compiler and an npm that write down that they were called. */
const COMPILER = `
const fs = require('fs'), path = require('path');
const root = path.dirname(path.dirname(path.dirname(__dirname)));
fs.appendFileSync(path.join(root, 'calls.log'), 'tsc\\n');
const out = process.argv[process.argv.indexOf('--outDir') + 1];
const source = fs.readFileSync(path.join(root, 'src/app/main.ts'), 'utf8');
console.log('compiler output');
if (source.includes('BROKEN')) process.exit(2);
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
fs.mkdirSync(path.join(out, 'app'), { recursive: true });
fs.writeFileSync(path.join(out, 'app/main.js'), source);
`;
const NPM = `
const fs = require('fs'), path = require('path');
fs.appendFileSync('calls.log', 'npm ' + process.argv.slice(2).join(' ') + '\\n');
console.log('npm output');
fs.mkdirSync('node_modules/typescript/bin', { recursive: true });
fs.cpSync('tsc.cjs', 'node_modules/typescript/bin/tsc');
if (fs.existsSync('package-lock.json')) fs.cpSync('package-lock.json', 'node_modules/.package-lock.json');
`;

let root: string;
const at = (...parts: string[]): string => join(root, ...parts);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'orbweaver-start-'));
  mkdirSync(at('src/app'), { recursive: true });
  cpSync('src/start.mjs', at('src/start.mjs'));
  writeFileSync(at('src/app/main.ts'), "console.log('ran', ...process.argv.slice(2));");
  writeFileSync(at('tsconfig.json'), '{}');
  writeFileSync(at('package.json'), '{"type":"module"}');
  writeFileSync(at('tsc.cjs'), COMPILER);
  writeFileSync(at('npm.cjs'), NPM);
  writeLock('7.0.0');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function writeLock(version: string): void {
  const packages = {
    '': {},
    'node_modules/typescript': { version },
    'node_modules/x': { version: '1.0.0', dev: true },
  };
  writeFileSync(at('package-lock.json'), JSON.stringify({ packages }));
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...process.env, npm_execpath: at('npm.cjs') };
    const child = spawn(process.execPath, [at('src/start.mjs'), ...args], { cwd: tmpdir(), env });
    const texts = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (texts.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (texts.stderr += chunk.toString()));
    child.once('close', (code) => resolve({ code, ...texts }));
  });
}

function calls(): string[] {
  return existsSync(at('calls.log')) ? readFileSync(at('calls.log'), 'utf8').trimEnd().split('\n') : [];
}

const INSTALL = 'npm ci --no-audit --no-fund';

describe('start.mjs in a checkout', () => {
  it('installs, builds and runs, with only the program on stdout; the second time it only runs', async () => {
    const first = await start('crawl', 'x');
    expect(first).toMatchObject({ code: 0, stdout: 'ran crawl x\n' });
    expect(first.stderr).toContain('npm output');
    expect(first.stderr).toContain('compiler output');
    expect(first.stderr).toContain('not bundled');
    expect(calls()).toEqual([INSTALL, 'tsc']);
    expect(await start()).toMatchObject({ code: 0, stdout: 'ran\n', stderr: '' });
    expect(calls()).toEqual([INSTALL, 'tsc']);
  });

  it('builds again when a source changed, was added, or has the same size', async () => {
    await start();
    writeFileSync(at('src/app/main.ts'), "console.log('RAN', ...process.argv.slice(2));");
    utimesSync(at('src/app/main.ts'), 5, 5);
    expect((await start()).stdout).toBe('RAN\n');
    writeFileSync(at('src/app/other.ts'), '');
    await start();
    expect(calls().filter((call) => call === 'tsc')).toHaveLength(3);
  });

  it('installs again when the lock file asks for another version, not because it is newer', async () => {
    await start();
    const later = new Date(Date.now() + 60_000);
    utimesSync(at('package-lock.json'), later, later);
    await start();
    expect(calls()).toEqual([INSTALL, 'tsc']);
    writeLock('7.0.1');
    await start();
    expect(calls().slice(2)).toEqual([INSTALL]);
  });

  it('only builds with --build-only', async () => {
    expect(await start('--build-only')).toMatchObject({ code: 0, stdout: '' });
    expect(existsSync(at('dist/app/main.js'))).toBe(true);
  });

  it('bundles the command line where esbuild is there, what is loaded late apart, with the way back to the sources', async () => {
    mkdirSync(at('node_modules'));
    symlinkSync(resolvePath('node_modules/esbuild'), at('node_modules/esbuild'));
    // The compiler of this test leaves the import as it is: only a bundle can run.
    writeFileSync(at('src/app/main.ts'), "console.log((await import('./late.ts')).text, ...process.argv.slice(2));");
    writeFileSync(at('src/app/late.ts'), "export const text: string = 'late';");
    const { code, stdout, stderr } = await start('x');
    expect(stderr).not.toContain('not bundled');
    expect([code, stdout]).toEqual([0, 'late x\n']);
    const chunks = readdirSync(at('dist/chunks')).filter((name) => /^late-\w+\.js$/.test(name));
    expect(chunks).toHaveLength(1);
    const map = JSON.parse(readFileSync(at('dist/chunks', `${chunks[0]}.map`), 'utf8')) as { sources: string[] };
    expect(map.sources).toEqual(['../../src/app/late.ts']);
  });

  it('keeps the old build, fails and leaves nothing behind when the sources do not compile', async () => {
    await start();
    writeFileSync(at('src/app/main.ts'), 'BROKEN');
    const { code, stdout, stderr } = await start('x');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('the build failed');
    expect(readFileSync(at('dist/app/main.js'), 'utf8')).not.toContain('BROKEN');
    expect(readdirSync(at('node_modules')).filter((name) => name.startsWith('.orbweaver'))).toEqual([]);
  });

  it('builds once when several start at the same time', async () => {
    const ended = await Promise.all([start('1'), start('2'), start('3')]);
    expect(ended.map(({ stdout }) => stdout)).toEqual(['ran 1\n', 'ran 2\n', 'ran 3\n']);
    expect(calls()).toEqual([INSTALL, 'tsc']);
  });
});

describe('start.mjs in an installed package', () => {
  it('runs what is there, without sources, compiler or npm', async () => {
    rmSync(at('tsconfig.json'));
    mkdirSync(at('dist/app'), { recursive: true });
    writeFileSync(at('dist/app/main.js'), "console.log('installed');");
    expect(await start()).toMatchObject({ code: 0, stdout: 'installed\n', stderr: '' });
    expect(calls()).toEqual([]);
  });
});
