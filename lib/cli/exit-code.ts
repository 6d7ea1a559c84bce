/**
 * How a command ends; the only place that knows the numbers. `operator` alone keeps the codes of the original manager.
 *
 * `done`: the command did what it was asked. `wrongInput`: manifests, values or the command line are wrong, or, with `--strict`, a warning
 * was given. `internalError`: a fault of this program.
 */
export const exitCode = { done: 0, wrongInput: 1, internalError: 2 } as const;

/** One of the numbers a command ends with. */
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** The code of a run that either found something wrong or did not. */
export function exitCodeFor(wrong: boolean): ExitCode {
  return wrong ? exitCode.wrongInput : exitCode.done;
}
