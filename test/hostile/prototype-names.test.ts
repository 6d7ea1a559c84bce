import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { Json } from '../../lib/json/index.ts';
import { run } from '../cli/run.ts';
import { graph, node, others, values } from './documents.ts';
import { changeStrings, countStrings } from './string-positions.ts';

const folder = mkdtempSync(join(tmpdir(), 'prototype-names-'));
afterAll(() => rmSync(folder, { recursive: true }));
const isLong = process.env['LONG'] !== undefined;
const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];

async function survives(argv: readonly string[]): Promise<void> {
  expect([0, 1], argv.join(' ')).toContain((await run(argv, { cwd: folder })).code);
  expect(Object.keys(Object.prototype)).toEqual([]);
}

function write(file: string, document: Json, positions: readonly number[], name: string): void {
  writeFileSync(join(folder, file), JSON.stringify(changeStrings(document, new Set(positions), () => name)));
}

const onManifests = [
  ['validate', '-f', 'in.json'],
  ['lint', '-f', 'in.json'],
  ['render', '-f', 'in.json', '-o', 'tree'],
  ['fit', '-f', 'in.json', '--nodes', 'nodes.json'],
  ['import', '-f', 'in.json'],
  ['normalize', '-f', 'in.json'],
];

test('a name of a property of every object may stand at every place of a manifest (every second one in ordinary runs)', async () => {
  write('nodes.json', node, [], '');
  const documents = [graph, ...others];
  for (const document of documents)
    for (let at = 0; at < countStrings(document); at += isLong ? 1 : 2)
      for (const name of isLong ? names : [names[at % names.length] ?? '']) {
        write('in.json', document, [at], name);
        for (const argv of onManifests) await survives(argv);
      }
});

test.each(names)('%s may be a component type without a command of its own, and a Python module', async (name) => {
  const image = 'nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.9.0';
  const graphWith = (mainContainer: Json): Json => ({
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeployment',
    metadata: { name: 'g' },
    spec: { services: { w: { componentType: name, subComponentType: name, extraPodSpec: { mainContainer } } } },
  });
  const modes = ['--disaggregation-mode', name];
  for (const mainContainer of [
    { image, args: ['x'] },
    { image, command: ['python3', '-m', name] },
    { image, command: ['python3', '-m', 'dynamo.sglang', ...modes] },
  ]) {
    write('in.json', graphWith(mainContainer), [], '');
    for (const argv of onManifests) await survives(argv);
  }
});

test('such names may stand at several places of manifests, nodes and values', async () => {
  writeFileSync(join(folder, 'good.json'), '{}');
  const places = fc.array(fc.nat(300), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), places, places, async (name, some, more) => {
      const at = (document: Json, list: readonly number[]): readonly number[] => list.map((n) => n % countStrings(document));
      write('in.json', graph, at(graph, some), name);
      write('nodes.json', node, at(node, more), name);
      write('values.json', values, at(values, more), name);
      for (const argv of onManifests) await survives(argv);
      for (const file of ['values.json', 'good.json'])
        await survives(['gitops', '-f', file, '--graph', 'in.json', '--layout', 'plain', '-o', 'out', '--force']);
      await survives(['images', '-f', 'values.json']);
      await survives(['platform', '-f', 'values.json']);
    }),
    { numRuns: isLong ? 2000 : 5 },
  );
});
