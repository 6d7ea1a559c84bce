/**
 * Finds a pinned Go program in `KUBEBUILDER_ASSETS` or in the user's cache directory, or builds it.
 *
 * No binaries are downloaded; a build takes its sources from the configured Go module proxy (GOPROXY).
 */
import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { buildTool } from './go-build.ts';
import type { ProgressStream } from './progress.ts';
import { type ToolName, tools } from './versions.ts';

/** Environment variables of the search; tests pass their own instead of `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Folder that holds the programs built so far, one sub-folder per name and version. */
export function cacheFolder(env: Environment = process.env): string {
  return join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'dynamo-cdk8s', 'tools');
}

/** Path of a program that is already built, or undefined. Never builds. */
export function locateTool(name: ToolName, env: Environment = process.env): string | undefined {
  const folders = [env.KUBEBUILDER_ASSETS, join(cacheFolder(env), `${name}-${tools[name].version}`)];
  return firstExecutable(name, folders);
}

/** Path of a program, which is built with Go if needed, with progress on stderr; `prefix` precedes the announcement of the build. */
export async function findTool(
  name: ToolName,
  env: Environment = process.env,
  out: ProgressStream = process.stderr,
  prefix = '',
): Promise<string> {
  const found = locateTool(name, env);
  if (found !== undefined) return found;
  const go = locateGo(env);
  if (go === undefined) throw new ToolMissingError([name]);
  return buildTool({ name, go, cache: cacheFolder(env), env, out, prefix });
}

/** The programs that are not built and cannot be built, because Go is not installed. */
export function missingTools(names: readonly ToolName[], env: Environment = process.env): readonly ToolName[] {
  if (locateGo(env) !== undefined) return [];
  return names.filter((name) => locateTool(name, env) === undefined);
}

/** Thrown if programs are not built and cannot be built; the message says what to install. */
export class ToolMissingError extends Error {
  readonly code = 'tool_missing';

  constructor(names: readonly ToolName[]) {
    const minutes = Math.ceil(names.reduce((sum, name) => sum + tools[name].buildSeconds, 0) / 60);
    super(
      [
        `not found: ${names.map((name) => `${name} ${tools[name].version}`).join(', ')}, and no Go to build with`,
        'to get them, do one of these:',
        `  - install Go 1.24 or newer (https://go.dev/dl) and run again: they are built once, in about ${minutes} min`,
        '  - set KUBEBUILDER_ASSETS to a folder that holds these programs',
      ].join('\n'),
    );
    this.name = 'ToolMissingError';
  }
}

/** Path of the Go command, or undefined. */
export function locateGo(env: Environment): string | undefined {
  return firstExecutable('go', (env.PATH ?? '').split(delimiter));
}

function firstExecutable(name: string, folders: readonly (string | undefined)[]): string | undefined {
  return folders.flatMap((folder) => (folder ? [join(folder, name)] : [])).find(isExecutableFile);
}

function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
