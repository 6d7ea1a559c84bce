/** The operator ends each step of each recorded scenario where the original ended it, with no more writes and events. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compareSteps, unwanted, type WantedDifference } from '../live/compare-steps.ts';
import { playScenario, type PlayedStep, type Scenario } from '../live/play-scenario.ts';
import { canRunOperator } from './operator-cluster.ts';
import { startScenario } from './operator-switch.ts';

const folder = join(import.meta.dirname, '../live');
const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));
const mode = 'component';
const recorded = readdirSync(join(folder, 'recorded'))
  .filter((file) => file.endsWith(`.${mode}.json`))
  .map((file) => file.replace(`.${mode}.json`, ''));
const isLong = process.env['LONG'] !== undefined;
const quietMs = isLong ? 5000 : 2000;
const names = isLong ? recorded : recorded.filter((name) => name === 'alone');
const differences = read('differences.json') as readonly WantedDifference[];

describe.skipIf(!canRunOperator({ nodes: 4 }))('end states equal those of the original', () => {
  test.each(names)('%s', async (name) => {
    const { cluster, operator } = await startScenario();
    const scenario = read(`scenarios/${name}.json`) as Scenario;
    const { steps } = read(`recorded/${name}.${mode}.json`) as { readonly steps: readonly PlayedStep[] };
    const wanted = differences.filter((entry) => entry.scenario === name && (entry.mode ?? mode) === mode);
    const isRight = (step: PlayedStep): boolean => {
      const here = steps.filter((recorded) => recorded.step === step.step);
      const isUnwanted = (difference: string): boolean => unwanted([difference], wanted).includes(difference);
      return (
        here.length > 0 && !compareSteps(here, [step]).some((difference) => !difference.startsWith('*') && isUnwanted(difference))
      );
    };
    const played = await playScenario(scenario, { mode, quietMs, isRight }, cluster, operator);
    expect(unwanted(compareSteps(steps, played), wanted)).toEqual([]);
    expect(played.length).toBeGreaterThan(2);
  });
});
