/** The page that keeps the last result of `npm run test:long`. */
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import type { TestReport } from './test-lanes.ts';

/** A table with a row for each test file: how many tests, how they ended, how long they took. */
export function longTestsPage(reports: readonly TestReport[], seconds: number): string {
  const files = reports
    .flatMap(({ testResults }) => testResults)
    .map(({ name, startTime, endTime, assertionResults }) => {
      const count = (status: string): number => assertionResults.filter((result) => result.status === status).length;
      const cells = [count('passed'), count('failed'), count('pending') + count('skipped') + count('todo')];
      return { file: relative(process.cwd(), name), cells: [...cells, Math.round((endTime - startTime) / 1000)] };
    })
    .toSorted((a, b) => (a.file < b.file ? -1 : 1));
  const rows = [
    ['file', 'passed', 'failed', 'skipped', 'seconds'],
    ...files.map(({ file, cells }) => [`\`${file}\``, ...cells.map(String)]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]): string => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [
    '# The long tests',
    '',
    '`npm run test:long` runs every case of every proof and writes this page; `npm test` runs a sample of each kind.',
    '',
    `Last run: ${Math.round(seconds / 60)} minutes on ${availableParallelism()} cores, Node ${process.versions.node}.`,
    '',
    line(head),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...body.map(line),
    '',
  ].join('\n');
}
