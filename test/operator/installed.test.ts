/** The platform as users install it, with every graph of the examples: test/installed/examples.test.ts. */
import { describe, test } from 'vitest';
import { canRunInstalled, runInstalled } from './run-installed.ts';

describe.skipIf(!canRunInstalled())('the platform as users install it', () => {
  test('brings up the examples', () => runInstalled('examples.test.ts'));
});
