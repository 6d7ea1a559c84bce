/** Builds a pinned program with Go; the cache never holds a half-built file. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { withBuildLock } from './build-lock.ts';
import { type Progress, type ProgressStream, startProgress } from './progress.ts';
import { type Tool, type ToolName, tools } from './versions.ts';

/** Arguments of `buildTool`. */
export interface BuildRequest {
  /** Program to build. */
  readonly name: ToolName;
  /** Path of the Go command. */
  readonly go: string;
  /** Folder that holds the programs built so far. */
  readonly cache: string;
  /** Environment of the Go command. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The stream that shows progress. */
  readonly out: ProgressStream;
  /** Precedes the announcement of the build, such as `tool 2 of 11: `. */
  readonly prefix: string;
}

const modules = fileURLToPath(new URL('.', import.meta.url));
const unfinished = '.building-';

/** Builds a program and returns its path; waits while another process builds. */
export async function buildTool(request: BuildRequest): Promise<string> {
  const { name, cache } = request;
  const target = join(cache, `${name}-${tools[name].version}`);
  await mkdir(cache, { recursive: true });
  await withBuildLock(cache, request.out, async () => {
    // Another process may have built it while this one waited for the lock.
    if (existsSync(join(target, name))) return;
    await removeLeftovers(cache);
    const folder = await mkdtemp(join(cache, unfinished));
    const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
    process.once('exit', removeFolder);
    try {
      await runGo(request, folder);
      await mkdir(target, { recursive: true });
      await rename(join(folder, name), join(target, name));
    } finally {
      process.off('exit', removeFolder);
      removeFolder();
    }
  });
  return join(target, name);
}

// A killed process leaves its folder behind. No build takes a day.
async function removeLeftovers(cache: string): Promise<void> {
  for (const entry of await readdir(cache)) {
    const path = join(cache, entry);
    const isOld = entry.startsWith(unfinished) && (await stat(path)).mtimeMs < Date.now() - 24 * 3600 * 1000;
    if (isOld) await rm(path, { recursive: true, force: true });
  }
}

async function runGo({ name, go, env, out, prefix }: BuildRequest, folder: string): Promise<void> {
  const tool: Tool = tools[name];
  const progress = startProgress(
    `${prefix}building ${name} ${tool.version} with Go, needed once (${tool.purpose}; about ${tool.buildSeconds} s on two cores)`,
    name,
    out,
  );
  const child = spawn(go, goArguments(tool, join(folder, name)), {
    cwd: join(modules, tool.from === 'install' ? 'kubernetes' : tool.from),
    env: { ...env, CGO_ENABLED: '0', GOWORK: 'off', GOBIN: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // Go removes its own temporary files when it is interrupted.
  const interrupt = (): void => void child.kill('SIGINT');
  process.once('exit', interrupt);
  const closed = once(child, 'close');
  const lastLines = await follow(createInterface(child.stderr), progress);
  const [exitCode] = (await closed) as [number | null];
  process.off('exit', interrupt);
  progress.end(exitCode === 0 ? 'built' : 'failed');
  if (exitCode !== 0) throw new BuildFailedError(name, exitCode, lastLines);
}

function goArguments(tool: Tool, output: string): readonly string[] {
  const values = Object.entries(tool.linkValues).map(([variable, value]) => `-X ${variable}=${value}`);
  const flags = ['-v', '-trimpath', '-buildvcs=false', '-ldflags', ['-s -w', ...values].join(' ')];
  return tool.from === 'install'
    ? ['install', ...flags, `${tool.package}@${tool.version}`]
    : ['build', ...flags, '-o', output, tool.package];
}

// `go build -v` names each package as it is compiled and each module as it is downloaded.
async function follow(lines: AsyncIterable<string>, progress: Progress): Promise<readonly string[]> {
  const last: string[] = [];
  for await (const line of lines) {
    progress.step(line);
    last.push(line);
    if (last.length > 20) last.shift();
  }
  return last;
}

/** Thrown if Go cannot build a program; the message has the last lines of Go's output. */
export class BuildFailedError extends Error {
  readonly code = 'build_failed';

  constructor(name: ToolName, exitCode: number | null, lastLines: readonly string[]) {
    super(
      [
        `go could not build ${name} ${tools[name].version} (exit code ${exitCode ?? 'none, it was killed'})`,
        ...lastLines.map((line) => `  | ${line}`),
        'check that the Go module proxy can be reached (go env GOPROXY) and that the disk has 5 GB free, then run again',
      ].join('\n'),
    );
    this.name = 'BuildFailedError';
  }
}
