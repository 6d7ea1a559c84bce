import { resolve } from 'node:path';
import { answerReview, type AdmissionContext } from '../admission/index.ts';
import { printable } from '../json/index.ts';
import { parseJson, stringifyJson, type SourceIssue } from '../manifest/index.ts';
import type { Io } from './command.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import { readText, stdinName } from './inputs.ts';

/** Answers AdmissionReviews, one a line, in their order; a file with one review over several lines is taken as one. */
export async function validateReviews(file: string, context: AdmissionContext, io: Io): Promise<ExitCode> {
  const issues: SourceIssue[] = [];
  const [path, name] = file === '-' ? ['-', stdinName] : [resolve(io.cwd, file), file];
  const text = await readText(path, name, io, issues);
  if (text === undefined) {
    for (const issue of issues) io.err(`${printable(issue.file)}: ${issue.message}\n`);
    return exitCode.wrongInput;
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [first = ''] = lines;
  const reviews = lines.length > 1 && parseJson(first) === undefined && parseJson(text) !== undefined ? [text] : lines;
  if (reviews.length === 0) io.err(`${printable(name)}: no review in it\n`);
  for (const review of reviews) io.out(`${stringifyJson(answerReview(review, context))}\n`);
  return exitCode.done;
}
