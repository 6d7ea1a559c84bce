import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { byteOrder } from '../json/index.ts';
import { parseFileList, type FileList } from './file-list.ts';
import { fileSystemReason } from './reason.ts';
import { isReadOnly } from './write-file.ts';

/** A file of an output folder: its path relative to the folder, with slashes, and its content. */
export interface OutputFile {
  readonly path: string;
  readonly text: string;
  /** Whether a file that the user wrote at this path is kept instead of reported as a problem, such as a README. */
  readonly optional?: boolean;
}

/** The files to write into a folder, and the command that writes them. */
export interface FolderRequest {
  /** Absolute path of the folder. */
  readonly folder: string;
  readonly files: readonly OutputFile[];
  /** The command that writes the folder, such as `platform --release a`. A folder that another command wrote is not changed. */
  readonly owner: string;
  /**
   * Whether to replace files and folders that the user or another command wrote.
   * @default false
   */
  readonly force?: boolean;
}

/** The change of one file. `edited` is true when the file differs from what the last run wrote. */
export interface FolderChange {
  readonly path: string;
  readonly change: 'create' | 'replace' | 'remove' | 'unchanged' | 'keep';
  readonly edited: boolean;
}

/** The changes that writing a folder makes, or the problems that prevent it. */
export interface FolderPlan {
  readonly changes: readonly FolderChange[];
  /** Problems by path. With any problem, nothing is written. */
  readonly problems: readonly { readonly path: string; readonly message: string }[];
  /** The file list to write into the folder. */
  readonly list: FileList;
}

/** Name of the file that holds the file list. It has no extension, so `kubectl apply -f` and Argo CD do not read it as a manifest. */
export const listName = '.dynamo-cdk8s-files';

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

type Entry = { readonly digest: string; readonly readOnly: boolean } | 'absent' | 'other';

/** The file at a path of the folder, `absent`, or `other` for a folder or symbolic link, which is never written through. */
function readEntry(folder: string, path: string): Entry {
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    const stats = lstatSync(join(folder, parent), { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isDirectory()) return 'other';
  }
  const stats = lstatSync(join(folder, path), { throwIfNoEntry: false });
  if (stats === undefined) return 'absent';
  if (!stats.isFile()) return 'other';
  return { digest: sha256(readFileSync(join(folder, path))), readOnly: isReadOnly(stats) };
}

function duplicatePaths(files: readonly OutputFile[]): readonly string[] {
  const seen = new Set<string>();
  // Some file systems are case-insensitive.
  return files.flatMap(({ path }) => (seen.has(path.toLowerCase()) ? [path] : (seen.add(path.toLowerCase()), [])));
}

/** Plans the changes that writing a folder makes. It only reads the folder. A folder that cannot be read is a problem of the plan. */
export function planFolder(request: FolderRequest): FolderPlan {
  try {
    return planChanges(request);
  } catch (error) {
    return unwritable(request, error);
  }
}

/** The plan for a folder that the file system does not let us write. */
export function unwritable({ owner }: FolderRequest, error: unknown): FolderPlan {
  const problem = { path: '', message: `cannot be written (${fileSystemReason(error)})` };
  return { changes: [], problems: [problem], list: { owner, files: new Map() } };
}

/** Whether a name in the path is longer than any file system takes. */
function isTooLong(path: string): boolean {
  return path.split('/').some((name) => Buffer.byteLength(name) > 255);
}

function planChanges({ folder, files, owner, force = false }: FolderRequest): FolderPlan {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory())
    return {
      changes: [],
      problems: [{ path: '', message: 'it is a file; name a folder' }],
      list: { owner, files: new Map() },
    };
  const listEntry = readEntry(folder, listName);
  const before = typeof listEntry === 'object' ? parseFileList(readFileSync(join(folder, listName), 'utf8')) : undefined;
  const problems = duplicatePaths(files).map((path) => ({
    path,
    message: 'two objects have this file name; rename one of them',
  }));
  if (listEntry === 'other')
    problems.push({ path: listName, message: 'a folder or a symbolic link exists at this path; move it' });
  if (before !== undefined && before.owner !== owner && !force)
    problems.push({
      path: '',
      message: `was written by "${before.owner}", not by "${owner}"; name another folder, or use --force to replace its files`,
    });
  const changes: FolderChange[] = [];
  const written = new Map<string, readonly string[]>();
  for (const file of files) {
    if (isTooLong(file.path)) {
      problems.push({ path: file.path, message: 'the file name is longer than 255 bytes; shorten the name of the object' });
      continue;
    }
    const wanted = sha256(file.text);
    const now = readEntry(folder, file.path);
    const recorded = before?.files.get(file.path);
    if (now === 'other') problems.push({ path: file.path, message: 'a folder or a symbolic link exists at this path; move it' });
    else if (now === 'absent') changes.push({ path: file.path, change: 'create', edited: false });
    else if (now.digest === wanted) changes.push({ path: file.path, change: 'unchanged', edited: false });
    else if (recorded === undefined && !force && file.optional) {
      changes.push({ path: file.path, change: 'keep', edited: false });
      continue;
    } else if (recorded === undefined && !force)
      problems.push({
        path: file.path,
        message: 'exists and was not written by this command; move it, or use --force to replace it',
      });
    else if (now.readOnly) problems.push({ path: file.path, message: 'it is read-only' });
    else changes.push({ path: file.path, change: 'replace', edited: recorded !== undefined && !recorded.includes(now.digest) });
    written.set(file.path, [wanted]);
  }
  for (const [path, digests] of before?.files ?? []) {
    if (written.has(path)) continue;
    const now = readEntry(folder, path);
    if (typeof now !== 'object') continue;
    const edited = !digests.includes(now.digest);
    changes.push({ path, change: edited ? 'keep' : 'remove', edited });
  }
  changes.sort((a, b) => byteOrder(a.path, b.path));
  return { changes, problems, list: { owner, files: written } };
}
