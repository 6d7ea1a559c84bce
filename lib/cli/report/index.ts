/** Formats findings about manifests: as lines, as JSON, as GitHub annotations, as SARIF. */
import { Option } from 'commander';
import type { Io } from '../command.ts';
import { exitCodeFor, type ExitCode } from '../exit-code.ts';
import { version } from '../version.ts';
import type { Report } from './finding.ts';
import { githubReport } from './github.ts';
import { jsonReport } from './json.ts';
import { sarifReport } from './sarif.ts';
import { summary, textReport } from './text.ts';

export { count, sortFindings, type Finding } from './finding.ts';
export { formatPosition, textLine } from './text.ts';

const writers = {
  text: textReport,
  json: jsonReport,
  github: githubReport,
  sarif: (report: Report) => sarifReport(report, version),
} satisfies Record<string, (report: Report, colour: boolean) => string>;

/** Name of an output format. */
export type ReportFormat = keyof typeof writers;

/** The option `-o` of commands that print findings. */
export function reportOption(): Option {
  return new Option('-o, --output <format>', 'output format').choices(Object.keys(writers)).default('text');
}

/** Prints a report to stdout and its summary to stderr; the exit code is 1 if there are errors, or warnings with `strict`. */
export function printReport(report: Report, format: ReportFormat, io: Io, strict = false): ExitCode {
  io.out(writers[format](report, io.colour.out));
  io.err(`${summary(report)}\n`);
  return exitCodeFor(report.findings.some((finding) => strict || finding.severity === 'error'));
}
