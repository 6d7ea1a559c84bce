import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OutputFile } from './plan-folder.ts';
import { makeFolder } from './make-folder.ts';
import { fileSystemReason } from './reason.ts';
import { stageFile } from './write-file.ts';

/**
 * Writes files below a folder: all of them are written beside their places first, then each takes its place. Where one cannot be written none is, and
 * the folders that were made for them go again. Returns the first that cannot be written, and why.
 */
export function writeFiles(
  folder: string,
  files: readonly OutputFile[],
): { readonly path: string; readonly reason: string } | undefined {
  const made: string[] = [];
  const staged: Exclude<ReturnType<typeof stageFile>, string>[] = [];
  let path = '';
  let isDone = false;
  const prepare = (name: string): void => {
    const first = makeFolder(name);
    if (first !== undefined) made.push(first);
  };
  try {
    prepare(folder);
    for (const file of files) {
      ({ path } = file);
      prepare(dirname(join(folder, path)));
      const one = stageFile(join(folder, path), file.text);
      if (typeof one === 'string') return { path, reason: one };
      staged.push(one);
    }
    for (const one of staged) one.commit();
    isDone = true;
    return undefined;
  } catch (error) {
    return { path, reason: fileSystemReason(error) };
  } finally {
    for (const one of staged) one.discard();
    if (!isDone) for (const name of made.toReversed()) rmSync(name, { recursive: true, force: true });
  }
}
