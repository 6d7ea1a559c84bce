import { printable, printableLines } from '../../json/index.ts';
import type { Finding, Report } from './finding.ts';

/** Annotations for pull requests: https://docs.github.com/en/actions/using-workflows/workflow-commands-for-github-actions */
export function githubReport({ findings }: Report): string {
  return findings.map(annotation).join('');
}

function annotation({ file, line, column, severity, id, path, message }: Finding): string {
  const position = line > 0 ? `,line=${line},col=${column}` : '';
  const body = printableLines(path === '' ? message : `${printable(path)}: ${message}`);
  return `::${severity} file=${property(file)}${position},title=${property(id)}::${escape(body)}\n`;
}

function escape(value: string): string {
  return value.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(value: string): string {
  return escape(printable(value)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
