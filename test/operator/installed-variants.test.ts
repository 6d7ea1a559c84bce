/** Other ways in which users install the platform: test/installed/variants.test.ts. */
import { describe, test } from 'vitest';
import { canRunInstalled, runInstalled } from './run-installed.ts';

describe.skipIf(process.env['LONG'] === undefined || !canRunInstalled())('the platform as users install it', () => {
  test('brings up a graph in each of its variants', () => runInstalled('variants.test.ts'));
});
