import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { formatFileList, parseFileList, type FileList } from './file-list.ts';
import { listName, planFolder, type FolderPlan, type FolderRequest } from './plan-folder.ts';
import { makeFolder } from './make-folder.ts';
import { fileSystemReason } from './reason.ts';
import { writeNewFile } from './write-file.ts';

/** A step that was taken and how to take it back. */
type Undo = () => void;

/** Both lists in one: what a run that is cut short may leave behind is listed either way. */
function union(before: FileList | undefined, after: FileList): FileList {
  const files = new Map(before?.files);
  for (const [path, digests] of after.files) files.set(path, [...new Set([...(files.get(path) ?? []), ...digests])]);
  return { owner: after.owner, files };
}

/** Removes folders that have become empty, innermost first, up to the output folder. */
function removeEmpty(folder: string, path: string): void {
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    if (!existsSync(join(folder, parent))) continue;
    if (readdirSync(join(folder, parent)).length > 0) return;
    rmdirSync(join(folder, parent));
  }
}

/** Moves a file into place; what was there is kept in `old` until everything is done. */
function place(from: string, to: string, old: string, undo: Undo[]): void {
  if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) {
    makeFolder(dirname(old));
    copyFileSync(to, old);
    renameSync(from, to);
    undo.push(() => renameSync(old, to));
    return;
  }
  const made = makeFolder(dirname(to));
  renameSync(from, to);
  undo.push(() => {
    rmSync(to);
    if (made !== undefined) rmSync(made, { recursive: true });
  });
}

/**
 * Writes files into a folder, all or nothing: they are staged inside the folder first, then each takes its place by a rename, and a failure takes back
 * what was done. Files that were written the last time and are not needed any more go; whatever else is in the folder stays. A folder reached through
 * a symbolic link is written where the link leads. With a problem in the plan nothing is touched.
 */
export function writeFolder(request: FolderRequest): FolderPlan {
  let plan: FolderPlan | undefined;
  try {
    plan = planFolder(request);
    if (plan.problems.length === 0) carryOut(request, plan);
    return plan;
  } catch (error) {
    const problem = { path: '', message: `cannot be written (${fileSystemReason(error)})` };
    return { changes: [], problems: [problem], list: plan?.list ?? { owner: request.owner, files: new Map() } };
  }
}

function carryOut({ folder, files }: FolderRequest, plan: FolderPlan): void {
  const made = makeFolder(folder);
  const staged = mkdtempSync(join(folder, '.dynamo-cdk8s-'));
  const undo: Undo[] = [];
  try {
    const changed = new Set(plan.changes.filter((c) => c.change === 'create' || c.change === 'replace').map((c) => c.path));
    for (const { path, text } of files) {
      if (!changed.has(path)) continue;
      makeFolder(dirname(join(staged, 'new', path)));
      writeNewFile(join(staged, 'new', path), text);
    }
    const list = join(folder, listName);
    const before =
      lstatSync(list, { throwIfNoEntry: false }) === undefined ? undefined : parseFileList(readFileSync(list, 'utf8'));
    writeNewFile(join(staged, 'list-during'), formatFileList(union(before, plan.list)));
    writeNewFile(join(staged, 'list-after'), formatFileList(plan.list));
    place(join(staged, 'list-during'), list, join(staged, 'old-list'), undo);
    for (const path of changed) place(join(staged, 'new', path), join(folder, path), join(staged, 'old', path), undo);
    for (const { path, change } of plan.changes) {
      if (change !== 'remove') continue;
      const old = join(staged, 'removed', path);
      makeFolder(dirname(old));
      renameSync(join(folder, path), old);
      undo.push(() => renameSync(old, join(folder, path)));
    }
    renameSync(join(staged, 'list-after'), list);
  } catch (error) {
    for (const step of undo.toReversed()) step();
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
  for (const { path, change } of plan.changes) if (change === 'remove') removeEmpty(folder, path);
}
