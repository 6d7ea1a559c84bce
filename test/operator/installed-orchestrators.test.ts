/** The platform as users install it, beside the real Grove and the real LeaderWorkerSets: test/installed/orchestrators.test.ts. */
import { describe, test } from 'vitest';
import { canRunInstalled, runInstalled } from './run-installed.ts';

describe.skipIf(process.env['LONG'] === undefined || !canRunInstalled())('the platform as users install it', () => {
  test('brings up graphs beside real orchestrators', () => runInstalled('orchestrators.test.ts'));
});
