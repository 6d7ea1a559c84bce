/** The recorded scenarios beside the real Grove: test/installed/grove-scenarios.test.ts. */
import { beforeAll, describe, test } from 'vitest';
import { findGrove, groveFolder } from '../../tools/grove.ts';
import { canRunInstalled, runInstalled } from './run-installed.ts';

const canRun = process.env['LONG'] !== undefined && groveFolder !== undefined && canRunInstalled();

describe.skipIf(!canRun)('end states equal those of the original (skipped where DYNAMO_CORPUS has no live/grove)', () => {
  // A build downloads modules, which a network namespace of its own cannot.
  beforeAll(async () => void (await findGrove(groveFolder ?? '')));

  test('beside Grove', () => runInstalled('grove-scenarios.test.ts'));
});
