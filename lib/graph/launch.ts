import type { Backend } from './engine/base.ts';
import { flagCount } from './engine/flag.ts';
import { shellJoin, shellQuote } from './shell.ts';

/** A container's command and arguments. */
interface Command {
  readonly command: readonly string[];
  readonly args: readonly string[];
}

/** The process to start. */
interface Start {
  readonly backend: Backend;
  readonly module: string;
  readonly args: readonly string[];
  readonly nodes: number;
  /** Shell lines to run before it. */
  readonly prologue: readonly string[];
}

function shell(start: Start): Command {
  const line = `exec ${shellJoin(['python3', '-m', start.module, ...start.args])}`;
  return { command: ['/bin/sh', '-c'], args: [[...start.prologue, line].join('\n')] };
}

/**
 * The command that starts a worker, without a shell if possible. For several nodes the operator of release 0.9 joins the arguments with spaces and
 * does not quote them. Arguments that need quotes are therefore quoted here: each separately if the operator puts them into a shell command for the
 * Ray head, or all in one shell command if the operator keeps it.
 */
export function startCommand(start: Start): Command {
  const direct = { command: ['python3', '-m', start.module], args: start.args };
  if (start.prologue.length > 0) return shell(start);
  if (start.nodes === 1 || start.args.every((arg) => shellQuote(arg) === arg)) return direct;
  if (start.backend === 'sglang') return shell(start);
  if (start.backend !== 'vllm') return direct;
  return flagCount(start.args, ['--data-parallel-size']) > 1 ? shell(start) : { ...direct, args: start.args.map(shellQuote) };
}
