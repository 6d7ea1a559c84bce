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

/** Whether a file has no write permission. Checked by mode, since root can write such a file anyway. */
export function isReadOnly(stats: Stats): boolean {
  return (stats.mode & 0o222) === 0;
}

/** Writes a new file and syncs it to disk. Fails if the file exists. */
export function writeNewFile(path: string, text: string): void {
  const file = openSync(path, 'wx');
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** New content of a file, written to a temporary file in the same folder. */
interface StagedFile {
  /** Renames the temporary file to the target. */
  readonly commit: () => void;
  /** Removes the temporary file unless `commit` has renamed it already. */
  readonly discard: () => void;
}

/** The file that a path resolves to through symbolic links, which need not exist yet. */
function targetOf(path: string, exists: boolean): string {
  if (exists) return realpathSync(path);
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? resolve(dirname(path), readlinkSync(path)) : path;
}

/** Writes the new content of a file to a temporary file, or returns the reason why the file must not be replaced. Throws file system errors. */
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
 * Replaces the content of a file atomically: writes a temporary file in the same folder and renames it. A symbolic link is kept and its target is
 * replaced. A device or pipe is written directly. Returns the reason of a failure, or undefined.
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
