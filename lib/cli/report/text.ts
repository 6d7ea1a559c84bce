import { printable } from '../../json/index.ts';
import { count, type Finding, type Report } from './finding.ts';

const codes = { error: 31, warning: 33, file: 1 } as const;

/** A file name at the start of a line, with `./` before a name that GitHub Actions would parse as a workflow command. */
function fileName(file: string): string {
  return printable(/^(?:::|##\[)/.test(file) ? `./${file}` : file);
}

/** A position in a file: `FILE:LINE:COL`, or `FILE:` for the whole file. */
export function formatPosition({ file, line, column }: Pick<Finding, 'file' | 'line' | 'column'>): string {
  return line > 0 ? `${fileName(file)}:${line}:${column}` : `${fileName(file)}:`;
}

/** The line of one finding: `FILE:LINE:COL path: message`, with `warning:` before the path of a warning. */
export function textLine(finding: Finding, colour: boolean): string {
  const paint = (value: string, code: number): string => (colour ? `\u001b[${code}m${value}\u001b[0m` : value);
  const warning = finding.severity === 'warning' ? `${paint('warning:', codes.warning)} ` : '';
  const path =
    finding.path === '' ? '' : `${paint(printable(finding.path), finding.severity === 'error' ? codes.error : codes.warning)}: `;
  return `${paint(formatPosition(finding), codes.file)} ${warning}${path}${oneLine(finding.message)}\n`;
}

/** One line per finding, for people. */
export function textReport({ findings }: Report, colour: boolean): string {
  return findings.map((finding) => textLine(finding, colour)).join('');
}

/** The closing line: `2 errors, 1 warning in 3 objects`. */
export function summary({ findings, objects, files }: Report): string {
  const errors = findings.filter((finding) => finding.severity === 'error').length;
  const warnings = findings.length - errors;
  const parts = [...(errors > 0 ? [count(errors, 'error')] : []), ...(warnings > 0 ? [count(warnings, 'warning')] : [])];
  const scope = `${count(objects, 'object')} in ${count(files, 'file')}`;
  return parts.length > 0 ? `${parts.join(', ')}: ${scope}` : `no problems: ${scope}`;
}

function oneLine(message: string): string {
  return message
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(printable)
    .join('; ');
}
