/** Operators that are killed: whatever they were about to do, their successors finish it, and do not do again what is done. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fuzzSeed } from '../cluster/fuzz-seed.ts';
import { succeeded } from '../control-plane/client.ts';
import { DisturbedCluster } from './disturbed-cluster.ts';
import { Launcher } from './fault-rig.ts';
import { graphIn, leftIn, until } from './graph-life.ts';
import { canRunOperator } from './operator-cluster.ts';
import { depose, Rivals } from './rivals.ts';
import { dyingAtRandom, dyingAtWrites, Succession } from './succession.ts';

const isLong = process.env['LONG'] !== undefined;
/** Lives through which operators are killed at random. */
const randomLives = 5;
/** Each takes the API server away for some seconds. */
const mostRestarts = 4;

describe.skipIf(!isLong || !canRunOperator())('an operator that is killed', () => {
  let disturbed: DisturbedCluster;
  let launcher: Launcher;
  beforeAll(async () => {
    [disturbed, launcher] = await Promise.all([DisturbedCluster.open(), Launcher.prepare()]);
  });
  afterAll(async () => {
    await disturbed?.close();
    await launcher?.close();
  });

  test('after every single write brings a graph where it belongs', async () => {
    await disturbed.live('killed', async (life) => {
      const succession = dyingAtWrites(launcher, await disturbed.newWay());
      await life();
      await succession.end();
      process.stderr.write(`killed ${succession.deaths} times\n`);
      expect(succession.deaths).toBeGreaterThan(20);
    });
  });

  test('after every single write lets a graph go', async () => {
    const { client } = disturbed.cluster;
    await disturbed.live('let-go', async (life) => {
      const succession = new Succession(launcher, await disturbed.newWay());
      await life();
      await succession.end();
    });
    const succession = dyingAtWrites(launcher, await disturbed.newWay());
    succeeded(await client.delete(graphIn('let-go')));
    await until(async () => (await client.get(graphIn('let-go'))).status === 404, 'the graph is gone');
    await until(
      async () => Object.keys(await leftIn(client, 'let-go')).every((name) => !/\/g(-|$)/.test(name)),
      'its children are gone',
    );
    await succession.end();
    expect(succession.deaths).toBeGreaterThan(0);
  });

  test.each(Array.from({ length: randomLives }, (_, life) => fuzzSeed + life))(
    'at random moments brings a graph where it belongs, seed %i',
    async (seed) => {
      process.stderr.write(`moments of seed ${seed}: FUZZ_SEED=${seed} draws them first\n`);
      await disturbed.live(`random-${seed}`, async (life) => {
        const succession = dyingAtRandom(launcher, await disturbed.newWay(), seed);
        await life();
        await succession.end();
        process.stderr.write(`killed ${succession.deaths} times\n`);
        expect(succession.deaths).toBeGreaterThan(0);
      });
    },
  );

  test('or paused, as one of two that fight for the Lease, brings a graph where it belongs', async () => {
    await disturbed.live('replicas', async (life) => {
      let deposed = 0;
      const rivals = new Rivals(launcher, disturbed, (change, leader) => {
        if (change % 7 !== 0) return;
        deposed += 1;
        depose(leader, deposed);
      });
      await life();
      await rivals.end();
      process.stderr.write(`deposed ${deposed} times: ${JSON.stringify(rivals.led)}\n`);
      expect(deposed).toBeGreaterThan(1);
      expect(rivals.led.leaders).toBeGreaterThan(1);
    });
  });

  test('or paused together with the API server, as one of two that fight for the Lease, brings a graph where it belongs', async () => {
    const disturb = async (life: () => Promise<void>): Promise<void> => {
      let restarts = 0;
      let restarting: Promise<void> | undefined;
      const restart = async (): Promise<void> => {
        await disturbed.owned.plane.restartApiServer();
        restarting = undefined;
      };
      const rivals = new Rivals(launcher, disturbed, (change, leader) => {
        if (change % 11 !== 0 || restarting !== undefined || restarts === mostRestarts) return;
        restarts += 1;
        restarting = restart();
        depose(leader, restarts);
      });
      await life();
      await rivals.end();
      await restarting;
      process.stderr.write(`restarted ${restarts} times: ${JSON.stringify(rivals.led)}\n`);
      expect(restarts).toBeGreaterThan(1);
      expect(rivals.led.leaders).toBeGreaterThan(1);
    };
    await disturbed.live('replicas-and-server', disturb, { restarts: true });
  });

  test('leaves nothing for a successor to do', async () => {
    await disturbed.expectNothingToDo();
  });
});
