import { runProgram } from '../lib/cli/program.ts';

/** What a command line printed and how it ended. */
export interface CommandRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line of ours in this process, in the given folder. */
export async function runCommand(cwd: string, argv: readonly string[], stdin = ''): Promise<CommandRun> {
  let out = '';
  let err = '';
  const io = {
    out: (text: string) => (out += text),
    err: (text: string) => (err += text),
    stdin: async () => new TextEncoder().encode(stdin),
    cwd,
    env: {},
    colour: { out: false, err: false },
  };
  return { code: await runProgram(argv, io, '0.0.0'), out, err };
}

/** As `runCommand`, for one that must succeed: returns what it printed. */
export async function succeed(cwd: string, ...argv: readonly string[]): Promise<string> {
  const { code, out, err } = await runCommand(cwd, argv);
  if (code !== 0) throw new Error(`exit ${code}: ${err}`);
  return out;
}
