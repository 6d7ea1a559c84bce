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
import { listName, planFolder, unwritable, type FolderPlan, type FolderRequest } from './plan-folder.ts';
import { makeFolder } from './make-folder.ts';
import { writeNewFile } from './write-file.ts';

/** Reverts one step. */
type Undo = () => void;

/** Merges the lists before and after a run, so that files of an interrupted run are listed too. */
function mergeLists(before: FileList | undefined, after: FileList): FileList {
  const files = new Map(before?.files);
  for (const [path, digests] of after.files) files.set(path, [...new Set([...(files.get(path) ?? []), ...digests])]);
  return { owner: after.owner, files };
}

/** Removes the empty parent folders of a removed file, up to the output folder. */
function removeEmptyParents(folder: string, path: string): void {
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    if (!existsSync(join(folder, parent))) continue;
    if (readdirSync(join(folder, parent)).length > 0) return;
    rmdirSync(join(folder, parent));
  }
}

/** Moves a staged file to its target. The replaced file is kept at `old` until the run succeeds. */
function commitFile(from: string, to: string, old: string, undo: Undo[]): void {
  if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) {
    makeFolder(dirname(old));
    copyFileSync(to, old);
    renameSync(from, to);
    undo.push(() => renameSync(old, to));
    return;
  }
  const created = makeFolder(dirname(to));
  renameSync(from, to);
  undo.push(() => {
    rmSync(to);
    if (created !== undefined) rmSync(created, { recursive: true });
  });
}

/**
 * Writes files into a folder, all or none: stages them inside the folder, renames each to its path, and reverts the renames on failure. Removes files
 * that the last run wrote and this one does not, unless they were edited, and keeps all others. Writes through a symbolic link to the folder. Changes
 * nothing when the plan has a problem.
 */
export function writeFolder(request: FolderRequest): FolderPlan {
  const plan = planFolder(request);
  if (plan.problems.length > 0) return plan;
  try {
    applyPlan(request, plan);
    return plan;
  } catch (error) {
    return unwritable(request, error);
  }
}

function applyPlan({ folder, files }: FolderRequest, plan: FolderPlan): void {
  const created = makeFolder(folder);
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
    writeNewFile(join(staged, 'list-during'), formatFileList(mergeLists(before, plan.list)));
    writeNewFile(join(staged, 'list-after'), formatFileList(plan.list));
    commitFile(join(staged, 'list-during'), list, join(staged, 'old-list'), undo);
    for (const path of changed) commitFile(join(staged, 'new', path), join(folder, path), join(staged, 'old', path), undo);
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
    if (created !== undefined) rmSync(created, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
  for (const { path, change } of plan.changes) if (change === 'remove') removeEmptyParents(folder, path);
}
