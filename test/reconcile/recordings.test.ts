import { expect, test } from 'vitest';
import { isListed, listedDifferences, playScenario } from './scenario.ts';

for (const scenario of ['life', 'restart', 'adapter', 'alone'])
  test(`ends every step of the scenario "${scenario}" as the original did, but for what is listed`, () => {
    const { differences, writes, recordedWrites } = playScenario(scenario);
    const listed = listedDifferences(scenario, 'component');
    expect(differences.filter((difference) => !listed.some((entry) => isListed(difference, entry)))).toEqual([]);
    const unused = listed.filter((entry) => !differences.some((difference) => isListed(difference, entry)));
    expect(unused.filter(({ mayOccur }) => mayOccur !== true)).toEqual([]);
    expect(writes).toBeLessThan(recordedWrites);
  });
