import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it, and returns the topmost that was made, or undefined where all were there. Node's own `recursive` never comes to
 * an end where a folder that exists takes no new one and calls it missing, as `/proc` does.
 */
export function makeFolder(path: string): string | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return undefined;
  const above = dirname(path);
  const first = above === path ? undefined : makeFolder(above);
  mkdirSync(path);
  return first ?? path;
}
