/** Scenarios of requests beyond the recordings: the whole operator ends each step where the specification says. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../lib/json/index.ts';
import { found, pattern, requestEvents, type ExpectedScenario, type Expectation } from '../live/expectations.ts';
import { act } from '../live/play-scenario.ts';
import { canRunOperator, writesUntilQuiet } from './operator-cluster.ts';
import { startScenario } from './operator-switch.ts';

const folder = join(import.meta.dirname, '../live/scenarios');
const all = readdirSync(folder).filter((file) => file.startsWith('request-'));
const isLong = process.env['LONG'] !== undefined;
const files = isLong ? all : all.filter((file) => file === 'request-taken.json');
const patienceMs = 180_000;

describe.skipIf(!canRunOperator({ nodes: 4 }))('requests end where the specification says', () => {
  test.each(files)('%s', async (file) => {
    const { steps } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as ExpectedScenario;
    const { cluster, operator } = await startScenario({ times: isLong ? 1 : 10 });
    for (const { step, do: actions, expect: wanted } of steps) {
      const known = new Set((await requestEvents(cluster.client)).map(({ metadata }) => metadata.uid ?? ''));
      const since = await cluster.audit.now();
      for (const action of actions) await act(action, cluster, operator);
      const look = (): Promise<Expectation> => found(cluster, wanted, known);
      const deadline = Date.now() + patienceMs;
      while (!holds(wanted, await look()) && Date.now() < deadline) await setTimeout(200);
      await writesUntilQuiet(cluster, since, 1500);
      compare(step, wanted, await look());
    }
    expect(steps.length).toBeGreaterThan(2);
  });
});

/** Fails where things are not as a step wants them. Of graphs only what it names counts. */
function compare(step: string, wanted: Expectation, now: Expectation): void {
  const { graphs, ...rest } = wanted;
  const { graphs: graphsNow, ...restNow } = now;
  expect(restNow, step).toEqual(pattern(rest as unknown as Json));
  if (graphs !== undefined) expect(graphsNow, step).toMatchObject(graphs);
}

function holds(wanted: Expectation, now: Expectation): boolean {
  try {
    compare('', wanted, now);
    return true;
  } catch {
    return false;
  }
}
