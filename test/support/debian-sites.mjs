import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Debian packages that hold whole web sites: where the pages lie in the package, and the page to start from. */
export const DEBIAN_SITES = {
  'git-doc': { root: 'usr/share/doc/git-doc', startPath: '/git.html' },
  'libigraph-doc': { root: 'usr/share/doc/libigraph-dev/html', startPath: '/index.html' },
  'developers-reference': { root: 'usr/share/developers-reference', startPath: '/index.html' },
  'sqlite3-doc': { root: 'usr/share/doc/sqlite3', startPath: '/index.html' },
  'postgresql-doc-15': { root: 'usr/share/doc/postgresql-doc-15/html', startPath: '/index.html' },
  'python3.11-doc': { root: 'usr/share/doc/python3.11/html', startPath: '/index.html' },
  'openjdk-17-doc': { root: 'usr/share/doc/openjdk-17-jre-headless', startPath: '/api/index.html' },
  'rust-doc': { root: 'usr/share/doc/rust-doc/html', startPath: '/index.html' },
};

/** Where the unpacked packages are kept between runs: `$ORBWEAVER_SITES`, else a folder of the system's temporary one. */
export function sitesFolder() {
  return process.env.ORBWEAVER_SITES || path.join(os.tmpdir(), 'orbweaver-sites');
}

/** The pages of a Debian package as a folder; or, with the reason, that they cannot be had here. Nothing is installed. */
export async function debianSite(name) {
  const { root, startPath } = DEBIAN_SITES[name];
  const folder = path.join(sitesFolder(), name);
  const mark = path.join(folder, '.package');
  try {
    if (!existsSync(mark)) await unpack(name, folder);
  } catch (error) {
    return { name, skip: `${name}: ${firstLine(error)}` };
  }
  const dir = path.join(folder, root);
  const startFile = path.join(dir, startPath);
  if (!existsSync(startFile)) return { name, skip: `${name}: ${startFile} is not in the package` };
  return { name, dir, startPath, version: readFileSync(mark, 'utf8').trim() };
}

async function unpack(name, folder) {
  const parent = sitesFolder();
  mkdirSync(parent, { recursive: true });
  const work = mkdtempSync(path.join(parent, '.work-'));
  try {
    const file = await download(name, work);
    const tree = path.join(work, 'tree');
    await run('dpkg-deb', ['-x', path.join(work, file), tree]);
    const { stdout } = await run('dpkg-deb', ['-f', path.join(work, file), 'Version']);
    writeFileSync(path.join(tree, '.package'), stdout);
    try {
      renameSync(tree, folder);
    } catch (error) {
      // Another process was faster: its tree is as good.
      if (!existsSync(path.join(folder, '.package'))) throw error;
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function download(name, cwd) {
  const get = () =>
    run('apt-get', ['-q', '-o', 'APT::Sandbox::User=root', 'download', name], { cwd, timeout: 120_000 });
  try {
    await get();
  } catch {
    await run('apt-get', ['-q', 'update'], { timeout: 120_000 });
    await get();
  }
  const file = readdirSync(cwd).find((entry) => entry.endsWith('.deb'));
  if (file === undefined) throw new Error('apt-get download left no package');
  return file;
}

function firstLine(error) {
  const text = String(error?.stderr || error?.message || error).trim();
  return text.split('\n')[0];
}
