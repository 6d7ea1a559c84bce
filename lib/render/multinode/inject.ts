import { withEngineFlags } from '../launch-command.ts';
import type { RenderedContainer } from '../pod/types.ts';

/** Whether a command is a Python interpreter, with or without a path and a version. */
export function isPython(command: string | undefined): boolean {
  return command !== undefined && /^([^\n]*\/)?python\d*(\.\d+)*$/.test(command);
}

/**
 * Adds flags to the engine's command line. A Python command gets them at its end, under a shell where a flag needs one; of any other
 * command the first argument that starts the engine gets them right behind the engine's name.
 */
export function injectFlags(
  container: RenderedContainer,
  flags: string,
  needsShell: boolean,
  engine: 'sglang' | 'vllm',
): RenderedContainer {
  const { command = [], args = [] } = container;
  if (isPython(command[0])) {
    if (!needsShell) return withArgs(container, command, [...args, ...flags.split(/\s+/).filter((flag) => flag !== '')]);
    return withArgs(container, ['sh', '-c'], [`exec ${[...command, ...args, flags].join(' ')}`]);
  }
  for (const [index, arg] of args.entries()) {
    const changed = withEngineFlags(arg, engine, flags);
    if (changed !== arg) return withArgs(container, command, args.with(index, changed));
  }
  return container;
}

/** A container with another command line; an empty list is not written. */
export function withArgs(container: RenderedContainer, command: readonly string[], args: readonly string[]): RenderedContainer {
  const { command: _command, args: _args, ...rest } = container;
  return { ...rest, ...(command.length > 0 && { command }), ...(args.length > 0 && { args }) };
}

/** A container that is not probed. */
export function withoutProbes(container: RenderedContainer): RenderedContainer {
  const { livenessProbe: _liveness, readinessProbe: _readiness, startupProbe: _startup, ...rest } = container;
  return rest;
}
