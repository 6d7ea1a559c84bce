import { count, type Finding, type Report } from './finding.ts';

const codes = { error: 31, warning: 33, file: 1 } as const;

/** The line of one finding: `FILE:LINE:COL path: message`, with `warning:` before the path of a warning. */
export function textLine(finding: Finding, colour: boolean): string {
  const paint = (text: string, code: number): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const place = finding.line > 0 ? `${finding.file}:${finding.line}:${finding.column}` : `${finding.file}:`;
  const warning = finding.severity === 'warning' ? `${paint('warning:', codes.warning)} ` : '';
  const path = finding.path === '' ? '' : `${paint(finding.path, finding.severity === 'error' ? codes.error : codes.warning)}: `;
  return `${paint(place, codes.file)} ${warning}${path}${oneLine(finding.message)}\n`;
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
    .join('; ');
}
