import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { byteOrder } from '../json/index.ts';
import { parseFileList, type FileList } from './file-list.ts';
import { isReadOnly } from './write-file.ts';

/** A file of an output folder: its path below the folder, with slashes, and its text. */
export interface OutputFile {
  readonly path: string;
  readonly text: string;
  /** Whether it is left out where somebody else's file has its place, as a README may. */
  readonly optional?: boolean;
}

/** What to write where, and for whom. */
export interface FolderRequest {
  /** Absolute path of the folder. */
  readonly folder: string;
  readonly files: readonly OutputFile[];
  /** What writes the folder, such as `platform --release a`; a folder that something else wrote is left alone. */
  readonly owner: string;
  /**
   * Whether to take over files and folders that somebody else wrote.
   * @default false
   */
  readonly force?: boolean;
}

/** What happens to one file. `edited` says that it is not as it was written the last time. */
export interface FolderChange {
  readonly path: string;
  readonly change: 'create' | 'replace' | 'remove' | 'unchanged' | 'keep';
  readonly edited: boolean;
}

/** What writing a folder would do, or why it is refused. */
export interface FolderPlan {
  readonly changes: readonly FolderChange[];
  /** Paths and what is wrong with them; nothing is written when there is one. */
  readonly problems: readonly { readonly path: string; readonly message: string }[];
  /** Content of the file that lists what was written. */
  readonly list: FileList;
}

/** Name of the file that lists what was written. It ends in nothing that kubectl or Argo CD would read. */
export const listName = '.dynamo-cdk8s-files';

/** Fingerprint of a content, as in the list. */
function digest(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

type Present = { readonly digest: string; readonly readOnly: boolean } | 'absent' | 'other';

/** What is at a path of the folder now: a file, nothing, or something that is not to be written through. */
function present(folder: string, path: string): Present {
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    const stats = lstatSync(join(folder, parent), { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isDirectory()) return 'other';
  }
  const stats = lstatSync(join(folder, path), { throwIfNoEntry: false });
  if (stats === undefined) return 'absent';
  if (!stats.isFile()) return 'other';
  return { digest: digest(readFileSync(join(folder, path))), readOnly: isReadOnly(stats) };
}

function repeated(files: readonly OutputFile[]): readonly string[] {
  const seen = new Set<string>();
  // some file systems do not tell case apart
  return files.flatMap(({ path }) => (seen.has(path.toLowerCase()) ? [path] : (seen.add(path.toLowerCase()), [])));
}

/** Works out what writing a folder would do. Reads, changes nothing. */
export function planFolder({ folder, files, owner, force = false }: FolderRequest): FolderPlan {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory())
    return {
      changes: [],
      problems: [{ path: '', message: 'it is a file; name a folder' }],
      list: { owner, files: new Map() },
    };
  const listed = present(folder, listName);
  const before = typeof listed === 'object' ? parseFileList(readFileSync(join(folder, listName), 'utf8')) : undefined;
  const problems = repeated(files).map((path) => ({ path, message: 'two objects have this file name; rename one of them' }));
  if (listed === 'other') problems.push({ path: listName, message: 'there is a folder or a symbolic link in its place' });
  if (before !== undefined && before.owner !== owner && !force)
    problems.push({
      path: '',
      message: `was written by "${before.owner}", not by "${owner}"; name another folder, or --force to replace what that wrote`,
    });
  const changes: FolderChange[] = [];
  const written = new Map<string, readonly string[]>();
  for (const file of files) {
    const wanted = digest(file.text);
    const now = present(folder, file.path);
    const ours = before?.files.get(file.path);
    if (now === 'other') problems.push({ path: file.path, message: 'there is a folder or a symbolic link in its place' });
    else if (now === 'absent') changes.push({ path: file.path, change: 'create', edited: false });
    else if (now.digest === wanted) changes.push({ path: file.path, change: 'unchanged', edited: false });
    else if (ours === undefined && !force && file.optional) {
      changes.push({ path: file.path, change: 'keep', edited: false });
      continue;
    } else if (ours === undefined && !force)
      problems.push({
        path: file.path,
        message: 'exists and was not written by this command; move it, or --force to replace it',
      });
    else if (now.readOnly) problems.push({ path: file.path, message: 'it is read-only' });
    else changes.push({ path: file.path, change: 'replace', edited: ours !== undefined && !ours.includes(now.digest) });
    written.set(file.path, [wanted]);
  }
  for (const [path, digests] of before?.files ?? []) {
    if (written.has(path)) continue;
    const now = present(folder, path);
    if (typeof now !== 'object') continue;
    const edited = !digests.includes(now.digest);
    changes.push({ path, change: edited ? 'keep' : 'remove', edited });
  }
  changes.sort((a, b) => byteOrder(a.path, b.path));
  return { changes, problems, list: { owner, files: written } };
}
