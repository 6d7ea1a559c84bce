import { printable, printableLines } from '../../json/index.ts';
import type { Finding, Report } from './finding.ts';

/** Annotations for pull requests: workflow commands of GitHub Actions. */
export function githubReport({ findings }: Report): string {
  return findings.map(annotation).join('');
}

function annotation({ file, line, column, severity, id, path, message }: Finding): string {
  const place = line > 0 ? `,line=${line},col=${column}` : '';
  const text = printableLines(path === '' ? message : `${printable(path)}: ${message}`);
  return `::${severity} file=${property(file)}${place},title=${property(id)}::${escape(text)}\n`;
}

function escape(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return escape(printable(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
