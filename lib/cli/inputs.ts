import { isUtf8 } from 'node:buffer';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { readFileBounded } from '../files/index.ts';
import { append, byteOrder } from '../json/index.ts';
import { limits, readManifests, type ManifestDocument, type SourceIssue } from '../manifest/index.ts';
import type { Io } from './command.ts';
import { repeat } from './option-values.ts';

/** The content of all files that `-f` names: documents in file order, and the issues found while reading. */
export interface Inputs {
  readonly documents: readonly ManifestDocument[];
  readonly issues: readonly SourceIssue[];
  /** Names of the files, as the user gave them. */
  readonly files: readonly string[];
  /** Number of lines that are neither blank nor comments; undefined if a file is JSON or starts with a YAML flow collection. */
  readonly lines: number | undefined;
}

/** The name of stdin in messages. */
export const stdinName = '<stdin>';

const manifestName = /\.(?:ya?ml|json)$/i;
const skippedFolder = /^(?:\..+|node_modules)$/;

/** Adds the repeatable option `-f` to a command. */
export function addFilenameOption(command: Command, description = 'manifests to read', mandatory = true): Command {
  const option = command
    .createOption('-f, --filename <path>', `${description}: a file, a folder, or - for stdin; may be repeated`)
    .argParser(repeat);
  return command.addOption(mandatory ? option.makeOptionMandatory() : option);
}

/** Reads files, folders (recursively) and stdin (`-`); each file once. */
export async function readInputs(names: readonly string[], io: Io): Promise<Inputs> {
  const documents: ManifestDocument[] = [];
  const issues: SourceIssue[] = [];
  const files = new Map<string, string>();
  let lines: number | undefined = 0;
  for (const name of names) {
    for (const found of await expand(name, io, issues)) files.set(found.path, files.get(found.path) ?? found.name);
  }
  for (const [path, name] of files) {
    const source = await readSource(path, name, io, issues);
    if (source === undefined) continue;
    const written = source.split('\n').filter((line) => !/^\s*(?:#|$)/.test(line));
    lines = lines === undefined || /^[{[]/.test(written[0] ?? '') ? undefined : lines + written.length;
    const read = readManifests(source, name);
    append(documents, read.documents);
    append(issues, read.issues);
    if (read.documents.length === 0 && read.issues.length === 0)
      issues.push({ ...fileIssue(name, 'empty', 'contains no object'), severity: 'warning' });
  }
  return { documents, issues, files: [...files.values()], lines };
}

/** Reads and decodes a file, or stdin for `-`; a failure is added to `issues`. */
export async function readSource(path: string, name: string, io: Io, issues: SourceIssue[]): Promise<string | undefined> {
  try {
    const bytes = path === '-' ? await io.stdin(limits.jsonSize) : await readFileBounded(path, limits.jsonSize);
    if (bytes !== undefined) return decode(bytes, name, issues);
    issues.push(fileIssue(name, 'too_large', `must be at most ${limits.jsonSize >> 20} MiB; split the file`));
    return undefined;
  } catch (error) {
    issues.push(fileIssue(name, 'unreadable', reason(error)));
    return undefined;
  }
}

/** A file to read: its absolute path, and its name in messages. */
interface InputFile {
  readonly path: string;
  readonly name: string;
}

async function expand(name: string, io: Io, issues: SourceIssue[]): Promise<readonly InputFile[]> {
  if (name === '-') return [{ path: '-', name: stdinName }];
  const path = resolve(io.cwd, name);
  try {
    if (!(await stat(path)).isDirectory()) return [{ path, name }];
    const found = await filesBelow(path, name, issues);
    if (found.length === 0) issues.push(fileIssue(name, 'unreadable', 'no .yaml, .yml or .json file in this folder'));
    return found;
  } catch (error) {
    issues.push(fileIssue(name, 'unreadable', reason(error)));
    return [];
  }
}

/** The manifests in a folder and its subfolders. Pipes and devices are reported and not read, since reading one may never end. */
async function filesBelow(path: string, name: string, issues: SourceIssue[]): Promise<readonly InputFile[]> {
  const entries = (await readdir(path, { withFileTypes: true })).toSorted((a, b) => byteOrder(a.name, b.name));
  const found: InputFile[] = [];
  for (const entry of entries) {
    const inside = { path: join(path, entry.name), name: join(name, entry.name) };
    const folder = entry.isDirectory() && !skippedFolder.test(entry.name);
    if (folder) append(found, await filesBelow(inside.path, inside.name, issues));
    else if (entry.isDirectory() || !manifestName.test(entry.name)) continue;
    else if (entry.isFile() || (entry.isSymbolicLink() && !(await isSpecial(inside.path)))) found.push(inside);
    else issues.push(fileIssue(inside.name, 'unreadable', 'neither a file nor a folder; to read it, name it with -f'));
  }
  return found;
}

/** Whether a link points to a pipe, a device or a socket; a broken link is reported when it is read. */
async function isSpecial(path: string): Promise<boolean> {
  try {
    const stats = await stat(path);
    return !stats.isFile() && !stats.isDirectory();
  } catch (error) {
    reason(error);
    return false;
  }
}

/** Decodes UTF-8, or UTF-16 with a byte order mark, which some Windows shells write. */
function decode(bytes: Uint8Array, name: string, issues: SourceIssue[]): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, start);
    const slice = bytes.subarray(start, end < 0 ? bytes.length : end);
    if (!isUtf8(slice)) break;
    start += slice.length + 1;
  }
  issues.push({
    file: name,
    line,
    column: 1,
    code: 'encoding',
    severity: 'error',
    message: 'not valid UTF-8; save the file as UTF-8',
  });
  return undefined;
}

function fileIssue(file: string, code: SourceIssue['code'], message: string): SourceIssue {
  return { file, line: 0, column: 0, code, severity: 'error', message };
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EISDIR: 'is a folder',
  ENOTDIR: 'a part of this path is not a folder',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the path is too long',
};

function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code === undefined) throw error;
  return reasons[code] ?? `cannot be read (${code})`;
}
