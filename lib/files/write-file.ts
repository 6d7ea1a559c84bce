import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileSystemReason } from './reason.ts';

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

/** A file written beside the one whose place it takes. */
interface StagedFile {
  /** Gives it the name it is meant for. */
  readonly commit: () => void;
  /** Removes it where it has not taken its place. */
  readonly discard: () => void;
}

/** The file that a path leads to over symbolic links, also where there is none yet. */
function targetOf(path: string, exists: boolean): string {
  if (exists) return realpathSync(path);
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? resolve(dirname(path), readlinkSync(path)) : path;
}

/** Writes a file's new content beside it; a word for the user where that is refused. Errors of the file system are thrown. */
export function stageFile(path: string, text: string): StagedFile | string {
  const before = statSync(path, { throwIfNoEntry: false });
  if (before?.isDirectory()) return 'it is a folder';
  if (before !== undefined && !before.isFile()) return { commit: () => writeFileSync(path, text), discard: () => undefined };
  if (before !== undefined && isReadOnly(before)) return 'it is read-only';
  const target = targetOf(path, before !== undefined);
  const temporary = join(dirname(target), `.dynamo-cdk8s-${randomBytes(6).toString('hex')}`);
  const discard = (): void => rmSync(temporary, { force: true });
  try {
    writeNewFile(temporary, text);
    if (before !== undefined) chmodSync(temporary, before.mode & 0o7777);
  } catch (error) {
    discard();
    throw error;
  }
  return { commit: () => renameSync(temporary, target), discard };
}

/**
 * Replaces a file's content whole or not at all: the new content goes into a file beside it that then takes its name. A symbolic link stays and the
 * file it leads to changes; a device or pipe is written to. Returns what went wrong, in words for the user, or undefined.
 */
export function writeFileWhole(path: string, text: string): string | undefined {
  let staged: StagedFile | string | undefined;
  try {
    staged = stageFile(path, text);
    if (typeof staged === 'string') return staged;
    staged.commit();
    return undefined;
  } catch (error) {
    return fileSystemReason(error);
  } finally {
    if (typeof staged === 'object') staged.discard();
  }
}
