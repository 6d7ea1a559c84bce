import { resolve } from 'node:path';
import { answerReview, type AdmissionContext } from '../admission/index.ts';
import { printable } from '../json/index.ts';
import { parseJson, stringifyJson, type SourceIssue } from '../manifest/index.ts';
import type { Io } from './command.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import { readSource, stdinName } from './inputs.ts';

/** Answers AdmissionReviews, one per line, in order; a file may also hold a single review over several lines. */
export async function validateReviews(file: string, context: AdmissionContext, io: Io): Promise<ExitCode> {
  const issues: SourceIssue[] = [];
  const [path, name] = file === '-' ? ['-', stdinName] : [resolve(io.cwd, file), file];
  const source = await readSource(path, name, io, issues);
  if (source === undefined) {
    for (const issue of issues) io.err(`${printable(issue.file)}: ${issue.message}\n`);
    return exitCode.wrongInput;
  }
  const lines = source.split('\n').filter((line) => line.trim() !== '');
  const [first = ''] = lines;
  const reviews = lines.length > 1 && parseJson(first) === undefined && parseJson(source) !== undefined ? [source] : lines;
  if (reviews.length === 0) io.err(`${printable(name)}: contains no AdmissionReview\n`);
  for (const review of reviews) io.out(`${stringifyJson(answerReview(review, context))}\n`);
  return exitCode.done;
}
