import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ExitCode } from '../../lib/cli/exit-code.ts';
import { runProgram } from '../../lib/cli/program.ts';

/** What a run of the command line left behind. */
export interface Ran {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
}

/** Files, input and folder of a run. */
export interface RunOptions {
  /** Files of its folder, by name. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly stdin?: string | Uint8Array;
  readonly colour?: boolean;
  /** Folder to run in instead of one of its own. */
  readonly cwd?: string;
}

/** A folder with the given files, removed when the test ends. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'dynamo-cdk8s-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** Runs the command line in this process, in a folder of its own. */
export async function run(
  argv: readonly string[],
  { files = {}, stdin = '', colour = false, cwd }: RunOptions = {},
): Promise<Ran> {
  let [out, err] = ['', ''];
  const io = {
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
    stdin: async () => (typeof stdin === 'string' ? new TextEncoder().encode(stdin) : stdin),
    cwd: cwd ?? folderWith(files),
    env: {},
    colour: { out: colour, err: colour },
  };
  const code = await runProgram(argv, io, '1.2.3');
  return { code, out, err };
}
