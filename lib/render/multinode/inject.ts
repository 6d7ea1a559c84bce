import { withEngineFlags } from '../launch-command.ts';
import type { RenderedContainer } from '../pod/types.ts';

/** Whether a command is a Python interpreter, with or without a path and a version. */
export function isPython(command: string | undefined): boolean {
  return command !== undefined && /^([^\n]*\/)?python\d*(\.\d+)*$/.test(command);
}

/**
 * Adds flags to the engine's command line. For a Python command they are appended, under `sh -c` if a shell must evaluate them. For any other command
 * they are inserted after the engine's name in the first argument that starts the engine.
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

/** Replaces command and args of a container; an empty list is omitted. */
export function withArgs(container: RenderedContainer, command: readonly string[], args: readonly string[]): RenderedContainer {
  const { command: _command, args: _args, ...rest } = container;
  return { ...rest, ...(command.length > 0 && { command }), ...(args.length > 0 && { args }) };
}

/** Removes the probes of a container. */
export function withoutProbes(container: RenderedContainer): RenderedContainer {
  const { livenessProbe: _liveness, readinessProbe: _readiness, startupProbe: _startup, ...rest } = container;
  return rest;
}
