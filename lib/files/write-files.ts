import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OutputFile } from './plan-folder.ts';
import { makeFolder } from './make-folder.ts';
import { fileSystemReason } from './reason.ts';
import { stageFile } from './write-file.ts';

/**
 * Writes files into a folder. All are written to temporary files first and then renamed, so that if one cannot be written, none is, and the folders
 * created for them are removed. Returns the first file that cannot be written and the reason.
 */
export function writeFiles(
  folder: string,
  files: readonly OutputFile[],
): { readonly path: string; readonly reason: string } | undefined {
  const created: string[] = [];
  const staged: Exclude<ReturnType<typeof stageFile>, string>[] = [];
  let path = '';
  let isDone = false;
  const prepare = (name: string): void => {
    const first = makeFolder(name);
    if (first !== undefined) created.push(first);
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
    if (!isDone) for (const name of created.toReversed()) rmSync(name, { recursive: true, force: true });
  }
}
