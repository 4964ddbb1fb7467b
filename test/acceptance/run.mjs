#!/usr/bin/env node
// The acceptance tests with the large sites too (python3.11-doc, openjdk-17-doc, rust-doc): minutes, not for every CI run.
//   node test/acceptance/run.mjs [vitest arguments]
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const args = ['run', '-c', 'test/vitest.config.ts', 'test/acceptance', ...process.argv.slice(2)];
const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], {
  cwd: root,
  env: { ...process.env, ORBWEAVER_ACCEPTANCE: 'all' },
  stdio: 'inherit',
});
child.once('close', (code) => {
  process.exitCode = code ?? 1;
});
