import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents. Returns the topmost folder created, or undefined when the folder exists. `mkdirSync` with `recursive`
 * loops forever below `/proc`, which exists but answers ENOENT when a folder is created in it.
 */
export function makeFolder(path: string): string | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return undefined;
  const parent = dirname(path);
  const first = parent === path ? undefined : makeFolder(parent);
  mkdirSync(path);
  return first ?? path;
}
