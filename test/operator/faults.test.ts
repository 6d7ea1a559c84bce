/** The operator under disturbance: whatever breaks between it and the API server, a graph ends as it would have ended undisturbed, and nothing happens twice. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fuzzSeed } from '../cluster/fuzz-seed.ts';
import { DisturbedCluster } from './disturbed-cluster.ts';
import { disturbances, mixture } from './disturbances.ts';
import { Launcher } from './fault-rig.ts';
import { expectNoLeak, perTurn } from './leak-rounds.ts';
import { canRunOperator } from './operator-cluster.ts';
import { depose, Rivals } from './rivals.ts';
import { dyingAtRandom, dyingAtWrites } from './succession.ts';

const isLong = process.env['LONG'] !== undefined;
/** The first of them loses no event. */
const sampled = ['the server fails for events', 'etcd is compacted, and the API server restarted on it'];
const sample = [mixture, ...disturbances.filter(({ name }) => sampled.includes(name))];

describe.skipIf(!canRunOperator())('a disturbed operator', () => {
  let disturbed: DisturbedCluster;
  let launcher: Launcher;
  beforeAll(async () => {
    [disturbed, launcher] = await Promise.all([DisturbedCluster.open(), Launcher.prepare()]);
  });
  afterAll(async () => {
    await disturbed?.close();
    await launcher?.close();
  });

  test.each(isLong ? disturbances : sample)('brings a graph where it belongs, once, while $name', async (disturbance) => {
    const namespace = `d-${disturbance.name.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase()}`.slice(0, 60);
    const unanswered = await disturbed.liveBehindProxy(namespace, disturbance);
    if (disturbance.losesEvents !== true && unanswered === 0) expect(await disturbed.untold(namespace)).toEqual([]);
    else process.stderr.write(`${disturbance.name}: ${unanswered} calls without an answer, events may be missing\n`);
  });

  // Long runs kill at every write: killed.test.ts.
  test.skipIf(isLong)('brings a graph where it belongs although it is killed at its first writes', async () => {
    await disturbed.live('killed', async (life) => {
      const succession = dyingAtWrites(launcher, await disturbed.newWay(), 3);
      await life();
      await succession.end();
      expect(succession.deaths).toBe(3);
    });
  });

  test.skipIf(isLong)('brings a graph where it belongs although it is killed at random moments', async () => {
    await disturbed.live('random', async (life) => {
      const succession = dyingAtRandom(launcher, await disturbed.newWay(), fuzzSeed);
      await life();
      await succession.end();
      expect(succession.deaths).toBeGreaterThan(0);
    });
  });

  test.skipIf(isLong)('brings a graph where it belongs as one of two replicas that fight for the Lease', async () => {
    await disturbed.live('replicas', async (life) => {
      let deposed = 0;
      const rivals = new Rivals(launcher, disturbed, (change, leader) => {
        if (change % 12 !== 0 || deposed === 2) return;
        deposed += 1;
        depose(leader, deposed);
      });
      await life();
      await rivals.end();
      expect(deposed).toBe(2);
      expect(rivals.led.leaders).toBeGreaterThan(1);
    });
  });

  test('leaves nothing for a successor to do', async () => {
    await disturbed.expectNothingToDo();
  });

  // Long runs disturb a thousand times: leaks.test.ts.
  test.skipIf(isLong)(`holds no more after ${8 * perTurn} disturbances than before`, () =>
    expectNoLeak(disturbed, launcher, { warmUp: 4, turns: 8 }),
  );
});
