/** What an operator holds: after a thousand disturbances no more sockets, timers and memory than before. Ordinary runs have a sample in faults.test.ts. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { DisturbedCluster } from './disturbed-cluster.ts';
import { Launcher } from './fault-rig.ts';
import { expectNoLeak, perTurn } from './leak-rounds.ts';
import { canRunOperator } from './operator-cluster.ts';

/** A thousand disturbances. */
const turns = 92;
const isLong = process.env['LONG'] !== undefined;

describe.skipIf(!isLong || !canRunOperator())('a disturbed operator', () => {
  let disturbed: DisturbedCluster;
  let launcher: Launcher;
  beforeAll(async () => {
    [disturbed, launcher] = await Promise.all([DisturbedCluster.open(), Launcher.prepare()]);
  });
  afterAll(async () => {
    await disturbed?.close();
    await launcher?.close();
  });

  test(`holds no more after ${turns * perTurn} disturbances than before`, () =>
    expectNoLeak(disturbed, launcher, { warmUp: 8, turns }));
});
