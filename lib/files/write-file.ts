import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileSystemReason } from './reason.ts';

function statsOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/** Whether nobody may write a file; root may all the same, so that the mode says it and not an attempt. */
export function isReadOnly(stats: Stats): boolean {
  return (stats.mode & 0o222) === 0;
}

/** Writes a new file whole and waits for the disk. */
export function writeNewFile(path: string, text: string): void {
  const file = openSync(path, 'wx');
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Replaces a file's content whole or not at all: the new content goes into a file beside it that then takes its name. A symbolic link stays and the
 * file it leads to changes; a device or pipe is written to. Returns what went wrong, in words for the user, or undefined.
 */
export function writeFileWhole(path: string, text: string): string | undefined {
  let temporary: string | undefined;
  try {
    const before = statsOf(path);
    if (before?.isDirectory()) return 'it is a folder';
    if (before !== undefined && !before.isFile()) {
      writeFileSync(path, text);
      return undefined;
    }
    if (before !== undefined && isReadOnly(before)) return 'it is read-only';
    const target = before === undefined ? path : realpathSync(path);
    const name = join(dirname(target), `.dynamo-cdk8s-${randomBytes(6).toString('hex')}`);
    temporary = name;
    writeNewFile(name, text);
    if (before !== undefined) chmodSync(name, before.mode & 0o7777);
    renameSync(name, target);
    temporary = undefined;
    return undefined;
  } catch (error) {
    return fileSystemReason(error);
  } finally {
    if (temporary !== undefined) rmSync(temporary, { force: true });
  }
}
