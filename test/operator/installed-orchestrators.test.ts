/** The platform as users install it, beside the real Grove and the real LeaderWorkerSets: test/installed/orchestrators.test.ts. */
import { beforeAll, describe, test } from 'vitest';
import { findTool } from '../../tools/find.ts';
import { findGrove, groveFolder } from '../../tools/grove.ts';
import { canRunInstalled, runInstalled } from './run-installed.ts';

describe.skipIf(!canRunInstalled())('the platform as users install it', () => {
  // A build downloads modules, which a network namespace of its own cannot.
  beforeAll(async () => {
    await findTool('lws');
    if (groveFolder !== undefined) await findGrove(groveFolder);
  });

  test('brings up graphs beside real orchestrators', () => runInstalled('orchestrators.test.ts'));
});
