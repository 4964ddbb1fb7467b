import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OrbweaverError } from '../../src/base/errors.ts';
import { writeResultFile } from '../../src/graph/export/result-file.ts';

describe('a result file', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'orbweaver-result-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('replaces the old one, in a folder that is made when it is missing', async () => {
    const path = join(folder, 'a', 'b', 'x.csv');
    for (const text of ['first\n', 'ä\u{1f577}\n']) {
      await writeResultFile(path, async (sink) => sink.write(text));
      expect(await readFile(path, 'utf8')).toBe(text);
    }
    expect(await readdir(join(folder, 'a', 'b'))).toEqual(['x.csv']);
  });

  it('holds all that was written in many pieces, in order', async () => {
    const path = join(folder, 'x');
    const lines = Array.from({ length: 50_000 }, (_, index) => `line ${index} é\n`);
    await writeResultFile(path, async (sink) => {
      for (const line of lines) {
        sink.write(line);
        if (sink.isFull) await sink.flush();
      }
    });
    expect(await readFile(path, 'utf8')).toBe(lines.join(''));
  });

  it('stays as it was when the source fails, and the error is passed on', async () => {
    const path = join(folder, 'x');
    await writeFile(path, 'old');
    const failure = new OrbweaverError('STORE_CORRUPT', 'no such page');
    const writing = writeResultFile(path, async (sink) => {
      sink.write('half');
      await sink.flush();
      throw failure;
    });
    await expect(writing).rejects.toBe(failure);
    expect(await readFile(path, 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['x']);
  });

  it('stays as it was when the writing is aborted', async () => {
    const path = join(folder, 'x');
    await writeFile(path, 'old');
    const abort = new AbortController();
    const writing = writeResultFile(
      path,
      async (sink) => {
        sink.write('half');
        await sink.flush();
        abort.abort(new Error('enough'));
        sink.write('more');
      },
      { signal: abort.signal },
    );
    await expect(writing).rejects.toThrow('enough');
    expect(await readFile(path, 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['x']);
  });

  it('stays as it was on a full disk, and the error names the file', async () => {
    const path = join(folder, 'x.csv');
    await writeFile(path, 'old');
    await symlink('/dev/full', `${path}.tmp`);
    const writing = writeResultFile(path, async (sink) => sink.write('new'));
    await expect(writing).rejects.toMatchObject({ code: 'STORE_WRITE', message: expect.stringContaining(path) });
    await expect(writing).rejects.toThrow('ENOSPC');
    expect(await readFile(path, 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['x.csv']);
  });

  it('is a STORE_WRITE error where it cannot be put in place, or its folder is a file', async () => {
    await mkdir(join(folder, 'taken', 'inside'), { recursive: true });
    await writeFile(join(folder, 'file'), '');
    for (const path of [join(folder, 'taken'), join(folder, 'file', 'x')]) {
      await expect(writeResultFile(path, async (sink) => sink.write('new'))).rejects.toMatchObject({
        code: 'STORE_WRITE',
        context: { path },
      });
    }
    expect((await readdir(folder)).toSorted()).toEqual(['file', 'taken']);
  });

  it('is not disturbed by a longer temporary file that a killed run left behind', async () => {
    const path = join(folder, 'x');
    await writeFile(`${path}.tmp`, 'left behind and long');
    await writeResultFile(path, async (sink) => sink.write('new'));
    expect(await readFile(path, 'utf8')).toBe('new');
    expect(await readdir(folder)).toEqual(['x']);
  });
});
