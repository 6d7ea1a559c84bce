/**
 * Exit codes of every command except `operator`, which keeps those of the original manager.
 *
 * `done`: the command succeeded. `wrongInput`: manifests, values or the command line are wrong, or there are warnings with `--strict`.
 * `internalError`: a bug in this program, or a cluster that `status` cannot read.
 */
export const exitCode = { done: 0, wrongInput: 1, internalError: 2 } as const;

/** The exit code of a command. */
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** `wrongInput` if something is wrong, otherwise `done`. */
export function exitCodeFor(wrong: boolean): ExitCode {
  return wrong ? exitCode.wrongInput : exitCode.done;
}
