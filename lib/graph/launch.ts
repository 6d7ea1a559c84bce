import type { Backend } from './engine/base.ts';
import { flagCount } from './engine/flag.ts';
import { shellJoin, shellQuote } from './shell.ts';

/** A container's command and arguments. */
interface Command {
  readonly command: readonly string[];
  readonly args: readonly string[];
}

/** What has to be started, and where. */
interface Start {
  readonly backend: Backend;
  readonly module: string;
  readonly args: readonly string[];
  readonly nodes: number;
  /** Shell lines to run first. */
  readonly prologue: readonly string[];
}

function shell(start: Start): Command {
  const line = `exec ${shellJoin(['python3', '-m', start.module, ...start.args])}`;
  return { command: ['/bin/sh', '-c'], args: [[...start.prologue, line].join('\n')] };
}

/**
 * How a worker is started. Without a shell wherever possible; over several nodes release 0.9 joins arguments with blanks and quotes nothing,
 * so arguments that need quotes take a form that survives: quoted in place where the operator makes a shell line of them for Ray's head,
 * as a shell line where it keeps one.
 */
export function startCommand(start: Start): Command {
  const direct = { command: ['python3', '-m', start.module], args: start.args };
  if (start.prologue.length > 0) return shell(start);
  if (start.nodes === 1 || start.args.every((arg) => shellQuote(arg) === arg)) return direct;
  if (start.backend === 'sglang') return shell(start);
  if (start.backend !== 'vllm') return direct;
  return flagCount(start.args, ['--data-parallel-size']) > 1 ? shell(start) : { ...direct, args: start.args.map(shellQuote) };
}
