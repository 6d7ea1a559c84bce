/** Compares what was done about models in each recorded step with what the original did. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { byteOrder, type JsonObject } from '../../lib/json/index.ts';

/** What happened in one step, in the recording's own form. */
export interface StepRecord {
  readonly step: string;
  readonly http: readonly JsonObject[];
  readonly writes: readonly string[];
  readonly events: readonly string[];
  readonly statuses: readonly JsonObject[];
}

/** The parts of a step's record. */
export const recordParts = ['http', 'writes', 'events', 'statuses'] as const;
/** One of them. */
export type RecordPart = (typeof recordParts)[number];

/** A wanted difference from the recording: what is ours in one part of a step, and why. */
export interface ModelDifference {
  readonly step: string;
  readonly part: RecordPart;
  readonly ours: readonly unknown[];
  readonly why: string;
}

const read = (file: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8'));

/** What the original did. */
export const recordedModels = (read('recorded/models.json') as { readonly steps: readonly StepRecord[] }).steps;
/** Where ours differs on purpose. */
export const modelDifferences = read('model-differences.json') as readonly ModelDifference[];

/** Fails where a part of a step is neither the original's nor the one listed. */
export function expectAsRecorded(part: RecordPart, theirs: StepRecord, ours: StepRecord): void {
  const [wanted, found] = [inOrder(part, theirs[part]), inOrder(part, ours[part])];
  const listed = modelDifferences.find((difference) => difference.step === theirs.step && difference.part === part);
  if (listed === undefined) {
    expect(found).toEqual(wanted);
    return;
  }
  expect(found).not.toEqual(wanted);
  expect(found).toEqual(inOrder(part, listed.ours));
  expect(listed.why).toMatch(/request-and-model\.md \d/);
}

/** The order between objects and workers is by chance; that of what happens to one of them is not. */
function inOrder(part: RecordPart, entries: readonly unknown[]): readonly unknown[] {
  const whose = (entry: unknown): string => {
    if (typeof entry === 'string') return part === 'writes' ? (entry.split(' ')[2] ?? '') : entry;
    const { to, object } = entry as { readonly to?: string; readonly object?: string };
    return to ?? object ?? '';
  };
  return entries.toSorted((a, b) => byteOrder(whose(a), whose(b)));
}
