/** The page with the last result of `npm run test:long` for each test file. */
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import type { TestReport } from './test-lanes.ts';

const columns = ['file', 'passed', 'failed', 'skipped', 'seconds', 'day', 'commit', 'cores', 'Node'] as const;

/** A row of the page: the cells of a test file, starting with its name. */
type Row = readonly string[];

/**
 * The page, a table with a row for each test file: the number of tests by result, the duration, the day, the tested commit and the machine. Rows of the
 * earlier page `before` are kept for files without a report.
 */
export function longTestsPage(reports: readonly TestReport[], commit: string, before = ''): string {
  const rows = new Map(rowsOf(before).map((row) => [row[0], row]));
  for (const row of reports.flatMap((report) => reportRows(report, commit))) rows.set(row[0], row);
  const body = [...rows.values()].toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1));
  const widths = columns.map((column, index) => Math.max(column.length, ...body.map((row) => row[index]?.length ?? 0)));
  const line = (row: Row): string => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  return [
    '# The long tests',
    '',
    '`npm run test:long` runs every case of every test and writes this page; `npm test` runs a sample of each kind. With arguments, such as',
    '`npm run test:long -- test/reconcile`, it runs only the files they name and updates their rows, so rows may be of different commits. A `+` after a',
    'commit means that files had changed since. Files without a row have the same cases in both.',
    '',
    line(columns),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...body.map(line),
    '',
  ].join('\n');
}

function reportRows({ testResults }: TestReport, commit: string): readonly Row[] {
  return testResults.map(({ name, startTime, endTime, assertionResults }) => {
    const count = (...wanted: readonly string[]): string =>
      String(assertionResults.filter(({ status }) => wanted.includes(status)).length);
    const seconds = String(Math.round((endTime - startTime) / 1000));
    const day = new Date(endTime).toISOString().slice(0, 10);
    const counts = [count('passed'), count('failed'), count('pending', 'skipped', 'todo')];
    return [
      `\`${relative(process.cwd(), name)}\``,
      ...counts,
      seconds,
      day,
      commit,
      String(availableParallelism()),
      process.versions.node,
    ];
  });
}

/** The rows of an earlier page. */
function rowsOf(page: string): readonly Row[] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}
