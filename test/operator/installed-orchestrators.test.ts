/** The platform as users install it, beside a real orchestrator: test/installed/grove.test.ts and leader-worker-sets.test.ts. */
import { beforeAll, describe, test } from 'vitest';
import { findTool } from '../../tools/find.ts';
import { findGrove, groveFolder } from '../../tools/grove.ts';
import { canRunInstalled, runInstalled } from './run-installed.ts';

describe.skipIf(!canRunInstalled())('the platform as users install it', () => {
  // A build downloads modules, which a namespace of its own cannot.
  beforeAll(async () => {
    await findTool('lws');
    if (groveFolder !== undefined) await findGrove(groveFolder);
  });

  test.skipIf(groveFolder === undefined)('brings up graphs on Grove (skipped where DYNAMO_CORPUS has no live/grove)', () =>
    runInstalled('grove.test.ts'),
  );

  test('brings up graphs on LeaderWorkerSets', () => runInstalled('leader-worker-sets.test.ts'));
});
