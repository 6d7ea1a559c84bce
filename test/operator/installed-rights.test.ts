/** What the roles of the installed platform let the operator do, by the audit log: test/installed/rights.test.ts. */
import { describe, test } from 'vitest';
import { canRunInstalled, runInstalled } from './run-installed.ts';

describe.skipIf(!canRunInstalled())('the platform as users install it', () => {
  test('gives the operator the rights that it needs', () => runInstalled('rights.test.ts'));
});
