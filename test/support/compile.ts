import { execFile } from 'node:child_process';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { removeDirectory } from './temp-store.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

/** A program that plain Node can run. */
export interface CompiledProgram {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Compiles a TypeScript program and what it imports, for tests that must run it in a process of its own and kill it: Node 20 does
 * not read TypeScript. The output is within the checkout, so that packages are found.
 * @param entry relative to the root of the checkout, as `test/support/store-child.ts`.
 */
export async function compileProgram(entry: string): Promise<CompiledProgram> {
  const cache = join(ROOT, 'node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  const directory = await mkdtemp(join(cache, 'orbweaver-test-'));
  const options = ['--outDir', directory, '--rootDir', '.', '--target', 'es2022', '--lib', 'es2023,esnext.disposable'];
  const modules = [
    '--module',
    'nodenext',
    '--types',
    'node',
    '--rewriteRelativeImportExtensions',
    '--skipLibCheck',
    '--noCheck',
  ];
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
  await promisify(execFile)(tsc, ['--ignoreConfig', ...options, ...modules, entry], { cwd: ROOT });
  return { path: join(directory, entry.replace(/\.ts$/, '.js')), remove: () => removeDirectory(directory) };
}
