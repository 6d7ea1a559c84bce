import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { objectsAt, stringAt } from '../../lib/json/index.ts';
import { runCommand } from '../command-line.ts';

test('platform -o name prints a line for each object, as kubectl does, and writes no folder', async () => {
  const [names, json] = await Promise.all(['name', 'json'].map((format) => runCommand('.', ['platform', '-o', format], '')));
  const lines = (names?.out ?? '').trimEnd().split('\n');
  const objects = objectsAt(JSON.parse(json?.out ?? ''), 'items');
  expect([names?.code, lines.length]).toEqual([0, objects.length]);
  expect(lines.map((line) => line.replace(/^[^/]*\//, ''))).toEqual(
    objects.map((object) => stringAt(object, 'metadata', 'name')),
  );
  expect(lines).toContain('serviceaccount/dynamo-platform-dynamo-operator-controller-manager');
  expect(lines).toContain('deployment.apps/dynamo-platform-dynamo-operator-controller-manager');
  expect(existsSync('name')).toBe(false);
});
