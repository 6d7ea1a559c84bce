import { expect, test } from 'vitest';
import { longTestsPage } from '../../scripts/long-tests-page.ts';
import type { TestReport } from '../../scripts/test-lanes.ts';

function reportOf(file: string, ...statuses: readonly string[]): TestReport {
  const assertionResults = statuses.map((status) => ({ status }));
  const [startTime, endTime] = [Date.parse('2026-05-01T10:00:00Z'), Date.parse('2026-05-01T10:00:42Z')];
  const counts = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, numFailedTestSuites: 0 };
  return { ...counts, success: true, testResults: [{ name: `${process.cwd()}/${file}`, startTime, endTime, assertionResults }] };
}

const rows = (page: string): readonly (readonly string[])[] =>
  page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, 8),
    );

test('has a row for each file, in order', () => {
  const reports = [reportOf('test/b.test.ts', 'passed', 'failed', 'skipped'), reportOf('test/a.test.ts', 'passed', 'todo')];
  const page = longTestsPage(reports, '1a2b3c4');
  expect(rows(page)).toEqual([
    ['`test/a.test.ts`', '1', '0', '1', '42', '2026-05-01', '1a2b3c4'],
    ['`test/b.test.ts`', '1', '1', '1', '42', '2026-05-01', '1a2b3c4'],
  ]);
});

test('keeps what an earlier page says of other files', () => {
  const before = longTestsPage([reportOf('test/a.test.ts', 'failed'), reportOf('test/b.test.ts', 'passed')], '1a2b3c4');
  const page = longTestsPage([reportOf('test/a.test.ts', 'passed', 'passed')], '5d6e7f8', before);
  expect(rows(page).map(([file, passed, failed, , , , commit]) => [file, passed, failed, commit])).toEqual([
    ['`test/a.test.ts`', '2', '0', '5d6e7f8'],
    ['`test/b.test.ts`', '1', '0', '1a2b3c4'],
  ]);
  expect(longTestsPage([], '9a9b9c9', page)).toBe(page);
});
