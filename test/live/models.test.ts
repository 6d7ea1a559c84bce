import { describe, expect, test } from 'vitest';
import { expectAsRecorded, modelDifferences, recordedModels, recordParts } from './compare-models.ts';
import { ModelReplay } from './model-replay.ts';
import { modelSteps } from './model-steps.ts';

describe('decisions about models against recorded workers', () => {
  const replay = new ModelReplay();
  const ours = modelSteps.map((step) => replay.play(step));

  test('plays every step that was recorded', () => {
    expect(modelSteps.map(({ step }) => step)).toEqual(recordedModels.map(({ step }) => step));
  });

  test.each(
    recordedModels.flatMap((theirs, index) => recordParts.map((part) => [theirs.step, part, theirs, ours[index]] as const)),
  )('%s: %s are equal but for what is listed', (_step, part, theirs, found) => {
    if (found === undefined) throw new Error('not played');
    expectAsRecorded(part, theirs, found);
  });

  test('lists no difference of a step or part that is not there', () => {
    const places = new Set(recordedModels.flatMap(({ step }) => recordParts.map((part) => `${step} ${part}`)));
    expect(modelDifferences.filter(({ step, part }) => !places.has(`${step} ${part}`))).toEqual([]);
  });
});
