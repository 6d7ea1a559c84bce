/** The operator ends each step of each recorded scenario where the original ended it, with no more writes and events. */
import { describe, test } from 'vitest';
import { expectAsRecorded, recordedIn } from '../live/recorded-scenario.ts';
import { canRunOperator } from './operator-cluster.ts';
import { startScenario } from './operator-switch.ts';

/** Scenarios recorded beside Grove are played by test/installed/grove-scenarios.test.ts. */
const mode = 'component';
const isLong = process.env['LONG'] !== undefined;
const quietMs = isLong ? 5000 : 2000;
const names = isLong ? recordedIn(mode) : recordedIn(mode).filter((name) => name === 'alone');

describe.skipIf(!canRunOperator({ nodes: 4 }))('end states equal those of the original', () => {
  test.each(names)('%s', async (name) => expectAsRecorded(name, { mode, quietMs }, await startScenario()));
});
