import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OrbweaverError } from '../../base/errors.ts';
import { TextSink } from './text-sink.ts';

/**
 * Writes a result file whole or not at all: into `<path>.tmp`, synced to the disk, then renamed over the old one.
 * On any failure the old file stays and the temporary one is removed. Missing folders are made.
 * @param produce writes the content; what it throws is passed on
 * @throws OrbweaverError STORE_WRITE, naming the file, when the file system refuses
 */
export async function writeResultFile(
  path: string,
  produce: (sink: TextSink) => Promise<void>,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const temporary = `${path}.tmp`;
  let file: FileHandle | undefined;
  try {
    await mkdir(dirname(path), { recursive: true });
    file = await open(temporary, 'w');
    const sink = new TextSink(file, options.signal);
    await produce(sink);
    await sink.flush();
    await file.sync();
    await file.close();
    await rename(temporary, path);
  } catch (error) {
    await file?.close().catch(() => undefined);
    if (file !== undefined) await rm(temporary, { force: true }).catch(() => undefined);
    throw isFileError(error) ? writeError(path, error) : error;
  }
}

/** An error of the file system: it names the system call. Errors of ours and of a store do not. */
function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

function writeError(path: string, error: NodeJS.ErrnoException): OrbweaverError {
  return new OrbweaverError('STORE_WRITE', `cannot write ${path}: ${error.code ?? error.message}`, {
    context: { path },
    cause: error,
  });
}
