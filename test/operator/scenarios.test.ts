/** The operator ends each step of each recorded scenario where the original ended it, with no more writes and events. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { controllers } from '../../lib/runtime/controllers/index.ts';
import { succeeded } from '../control-plane/client.ts';
import { startOperator, type RunningOperator } from '../control-plane/operator.ts';
import { compareSteps, unwanted, type WantedDifference } from '../live/compare-steps.ts';
import { playScenario, type PlayedStep, type Scenario } from '../live/play-scenario.ts';
import { canRunOperator, operatorFlags, startOperatorCluster } from './operator-cluster.ts';

const folder = join(import.meta.dirname, '../live');
const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));
const mode = 'component';
const recorded = readdirSync(join(folder, 'recorded'))
  .filter((file) => file.endsWith(`.${mode}.json`))
  .map((file) => file.replace(`.${mode}.json`, ''));
const names = process.env['LONG'] === undefined ? recorded.filter((name) => name === 'alone') : recorded;
const differences = read('differences.json') as readonly WantedDifference[];

describe.skipIf(!canRunOperator({ nodes: 4 }))('end states equal those of the original', () => {
  test.each(names)('%s', async (name) => {
    const cluster = await startOperatorCluster({ nodes: 4 });
    succeeded(await cluster.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'demo' } }));
    const { kubeconfig } = cluster.user('operator');
    let running: RunningOperator | undefined;
    const operator = {
      start: async () => {
        running = await startOperator({ args: operatorFlags, namespace: 'dynamo-system', kubeconfig, controllers });
      },
      stop: async () => {
        await running?.stop();
      },
    };
    await operator.start();
    const scenario = read(`scenarios/${name}.json`) as Scenario;
    const played = await playScenario(scenario, mode, cluster, operator);
    const { steps } = read(`recorded/${name}.${mode}.json`) as { readonly steps: readonly PlayedStep[] };
    const wanted = differences.filter((entry) => entry.scenario === name && (entry.mode ?? mode) === mode);
    expect(unwanted(compareSteps(steps, played), wanted)).toEqual([]);
    expect(played.length).toBeGreaterThan(2);
  });
});
