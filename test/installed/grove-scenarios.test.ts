/** Beside the real Grove the operator ends each step of each scenario recorded there where the original ended it. */
import { expect, test } from 'vitest';
import { groveFolder } from '../../tools/grove.ts';
import { expectAsRecorded, recordedIn } from '../live/recorded-scenario.ts';
import { startScenario } from '../operator/operator-switch.ts';
import { startGrove } from './orchestrators.ts';

const mode = 'grove';
const names = recordedIn(mode);

test('scenarios were recorded', () => expect(names).toEqual(['life', 'wide']));

test.each(names)('%s ends as it did with the original', async (name) => {
  const beside = await startScenario({ prepare: (cluster) => startGrove(cluster, groveFolder ?? '') });
  await expectAsRecorded(name, { mode, quietMs: 5000 }, beside);
});
