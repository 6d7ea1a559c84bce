import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { OutputFile } from '../gitops/index.ts';

/** Names of existing entries, or undefined when there is no such folder. */
async function entries(folder: string): Promise<readonly string[] | undefined> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file; name a folder',
  ENOTDIR: 'it is a file, or in one; name a folder',
  EACCES: 'you may not',
  EPERM: 'you may not',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
};

/** Words an error of the file system for the user; any other error is thrown on. */
export function writeProblem(folder: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  if (code === undefined) throw error;
  return `${folder}: cannot be written (${reasons[code] ?? code})`;
}

/**
 * Replaces a folder with the given files, all or nothing: they are written beside it and moved into place. A folder with entries that `owns` does
 * not recognise is left alone. Returns a problem for the user, or undefined.
 */
export async function writeFolder(
  cwd: string,
  folder: string,
  files: readonly OutputFile[],
  owns: (entry: string) => boolean,
): Promise<string | undefined> {
  const target = resolve(cwd, folder);
  let staged: string | undefined;
  try {
    const present = await entries(target);
    const foreign = present?.find((entry) => !owns(entry));
    if (foreign !== undefined) return `${folder}: holds ${foreign}, which this command did not write; name a new or empty folder`;
    await mkdir(dirname(target), { recursive: true });
    staged = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
    for (const file of files) {
      const path = join(staged, 'new', file.path);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, file.text);
    }
    await mkdir(join(staged, 'new'), { recursive: true });
    if (present !== undefined) await rename(target, join(staged, 'old'));
    try {
      await rename(join(staged, 'new'), target);
    } catch (error) {
      if (present !== undefined) await rename(join(staged, 'old'), target);
      throw error;
    }
    return undefined;
  } catch (error) {
    return writeProblem(folder, error);
  } finally {
    if (staged !== undefined) await rm(staged, { recursive: true, force: true });
  }
}
