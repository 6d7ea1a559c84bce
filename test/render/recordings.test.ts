import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compareWithRecording, ownRecordings, readRecordings, renderRecording } from './recordings.ts';

const corpus = process.env['DYNAMO_CORPUS'];
const examples = corpus === undefined ? undefined : join(corpus, 'conformance/examples');

describe('what the original did', () => {
  for (const [name, recording] of readRecordings(ownRecordings)) {
    const { error } = recording;
    if (error === undefined)
      test(`${name}: renders the same objects with the same hashes`, () => {
        const result = renderRecording(recording);
        expect(result.issues).toEqual([]);
        expect(compareWithRecording(recording, result)).toEqual([]);
      });
    else
      test(`${name}: fails with the same words`, () => {
        expect(renderRecording(recording).issues.map((issue) => issue.message)).toContainEqual(expect.stringContaining(error));
      });
  }
});

test.skipIf(examples === undefined || !existsSync(examples))('renders the example manifests as the original did', () => {
  const wrong = readRecordings(examples ?? '').flatMap(([name, recording]) => {
    const result = renderRecording(recording);
    return recording.error === undefined ? compareWithRecording(recording, result).map((line) => `${name} ${line}`) : [];
  });
  expect(wrong).toEqual([]);
});

test('the recordings tell one wrong byte', () => {
  const [, recording] = readRecordings(ownRecordings)[0] ?? [];
  if (recording === undefined) throw new Error('no recordings');
  const result = renderRecording(recording);
  const changed = result.objects.map(({ object, ...rest }) => ({
    ...rest,
    object: JSON.parse(JSON.stringify(object).replaceAll('8000', '8001')) as typeof object,
  }));
  expect(compareWithRecording(recording, { ...result, objects: changed })).not.toEqual([]);
  expect(compareWithRecording(recording, { ...result, objects: result.objects.slice(1) })).toHaveLength(1);
});
