import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OutputFile } from './plan-folder.ts';
import { fileSystemReason } from './reason.ts';
import { writeFileWhole } from './write-file.ts';

function makeFolder(path: string): string | undefined {
  try {
    mkdirSync(path, { recursive: true });
    return undefined;
  } catch (error) {
    return fileSystemReason(error);
  }
}

/** Writes files below a folder, each whole, one after the other; the first that cannot be written, and why. The folders they need are made. */
export function writeFiles(
  folder: string,
  files: readonly OutputFile[],
): { readonly path: string; readonly reason: string } | undefined {
  const unmade = makeFolder(folder);
  if (unmade !== undefined) return { path: '', reason: unmade };
  for (const { path, text } of files) {
    const reason = makeFolder(dirname(join(folder, path))) ?? writeFileWhole(join(folder, path), text);
    if (reason !== undefined) return { path, reason };
  }
  return undefined;
}
