/** A recorded scenario: what was done, what the original did then, and where this operator should differ. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Cluster } from '../control-plane/connect.ts';
import { compareSteps, unwanted, type WantedDifference } from './compare-steps.ts';
import { playScenario, type OperatorSwitch, type PlayedStep, type Scenario } from './play-scenario.ts';

/** What a recorded cluster had besides Kubernetes: nothing, or the Grove operator. */
export type Mode = 'component' | 'grove';

const read = (file: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8'));
const differences = read('differences.json') as readonly WantedDifference[];

/** Names of the scenarios that were recorded in a mode. */
export function recordedIn(mode: Mode): readonly string[] {
  return readdirSync(join(import.meta.dirname, 'recorded'))
    .filter((file) => file.endsWith(`.${mode}.json`))
    .map((file) => file.replace(`.${mode}.json`, ''));
}

/** Plays a scenario; fails where a step ends otherwise than recorded, but for the listed differences. */
export async function expectAsRecorded(
  name: string,
  { mode, quietMs }: { readonly mode: Mode; readonly quietMs: number },
  { cluster, operator }: { readonly cluster: Cluster; readonly operator: OperatorSwitch },
): Promise<void> {
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
}
