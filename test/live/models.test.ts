import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ModelReplay, type StepRecord } from './model-replay.ts';
import { modelSteps } from './model-steps.ts';

/** A wanted difference from the recording: what is ours in one part of a step, and why. */
interface Difference {
  readonly step: string;
  readonly part: 'http' | 'writes' | 'events' | 'statuses';
  readonly ours: unknown;
  readonly why: string;
}

const corpus = process.env['DYNAMO_CORPUS'];
const differences = JSON.parse(
  readFileSync(join(import.meta.dirname, 'model-differences.json'), 'utf8'),
) as readonly Difference[];
const parts = ['http', 'writes', 'events', 'statuses'] as const;

/** The order between objects and workers is by chance; that of what happens to one of them is not. */
function inOrder(part: Difference['part'], entries: readonly unknown[]): readonly unknown[] {
  const whose = (entry: unknown): string => {
    if (typeof entry === 'string') return part === 'writes' ? (entry.split(' ')[2] ?? '') : '';
    const { to, object } = entry as { readonly to?: string; readonly object?: string };
    return to ?? object ?? '';
  };
  return entries.toSorted((a, b) => whose(a).localeCompare(whose(b)));
}

describe.skipIf(corpus === undefined)('models against recorded workers', () => {
  const recorded =
    corpus === undefined
      ? []
      : (JSON.parse(readFileSync(join(corpus, 'live/models.json'), 'utf8')) as { readonly steps: readonly StepRecord[] }).steps;
  const replay = new ModelReplay();
  const ours = modelSteps.map((step) => replay.play(step));

  test('plays every step that was recorded', () => {
    expect(modelSteps.map(({ step }) => step)).toEqual(recorded.map(({ step }) => step));
  });

  test.each(
    recorded.flatMap((step, index) =>
      parts.map((part) => [step.step, part, inOrder(part, step[part]), inOrder(part, ours[index]?.[part] ?? [])] as const),
    ),
  )('%s: %s are equal but for what is listed', (step, part, theirs, found) => {
    const listed = differences.find((difference) => difference.step === step && difference.part === part);
    if (listed === undefined) expect(found).toEqual(theirs);
    else {
      expect(found).not.toEqual(theirs);
      expect(found).toEqual(listed.ours);
      expect(listed.why).toMatch(/request-and-model\.md \d/);
    }
  });

  test('lists no difference of a step or part that is not there', () => {
    const places = new Set(recorded.flatMap(({ step }) => parts.map((part) => `${step} ${part}`)));
    expect(differences.filter(({ step, part }) => !places.has(`${step} ${part}`))).toEqual([]);
  });
});
