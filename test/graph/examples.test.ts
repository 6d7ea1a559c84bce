import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Yaml } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { deviations, omitted } from '../../examples/deviations.ts';
import { loadExamples, synthExample, type Example } from '../../examples/synth.ts';
import { differences, normalGraph } from './normal-form.ts';

interface Manifest extends Record<string, unknown> {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { services?: Record<string, unknown> };
}

const corpus = process.env['DYNAMO_CORPUS'];
const upstream = join(corpus ?? '', 'upstream', 'examples');
const examples = await loadExamples();
const fileOf = (example: Example): string => join(upstream, `${example.path.replaceAll('/', '-')}.yaml`);
const readAll = (file: string): Manifest[] =>
  parseAllDocuments(readFileSync(file, 'utf8'))
    .map((d) => d.toJS() as Manifest | null)
    .filter((d) => d !== null);

const rendered = new Map(examples.map((e) => [e, synthExample(e)]));

/** Where an example means something else than the manifest it stands for. */
function deviationsOf(example: Example): string[] {
  const theirs = readAll(fileOf(example));
  const ours = rendered.get(example) as Manifest[];
  return theirs.flatMap((object) => {
    const same = ours.find((o) => o.kind === object.kind && o.metadata.name === object.metadata.name);
    const services = object.spec?.services;
    // An engine's configuration is compared through the component that reads it; its ConfigMap may have any name.
    if (same === undefined) return object.kind === 'ConfigMap' ? [] : [`no ${object.kind} ${object.metadata.name}`];
    if (object.kind !== 'DynamoGraphDeployment') return differences(object, same);
    const renamed: string[] = [];
    if (services?.['VllmPrefillWorker'] !== undefined && same.spec?.services?.['VllmPrefillWorker'] === undefined) {
      services['VllmDecodeWorker'] = services['VllmPrefillWorker'];
      delete services['VllmPrefillWorker'];
      renamed.push('VllmPrefillWorker is VllmDecodeWorker');
    }
    return [...renamed, ...differences(normalGraph(object, theirs), normalGraph(same, ours))];
  });
}

const explains = (example: Example, where: string) =>
  deviations.filter((d) => d.where.test(where) && (d.examples.includes(example.path) || d.examples.includes('*')));

describe('examples', () => {
  test.each(examples)('$path is rendered beside its source', (example) => {
    const file = new URL(`../../examples/${example.path}.yaml`, import.meta.url);
    expect(Yaml.stringify(...(rendered.get(example) ?? []))).toBe(readFileSync(file, 'utf8'));
  });

  test('rendering twice gives the same', () => {
    for (const example of examples.slice(0, 10)) expect(synthExample(example)).toEqual(rendered.get(example));
  });

  test('no rendered file lacks its source', () => {
    const root = new URL('../../examples/', import.meta.url);
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (f) => f.endsWith('.yaml') && !f.startsWith('platform/'),
    );
    expect(files.map((f) => f.slice(0, -5)).sort()).toEqual(examples.map((e) => e.path).sort());
  });
});

describe.skipIf(corpus === undefined)("NVIDIA's manifests", () => {
  test('each has an example or a reason why not', () => {
    const names = readdirSync(upstream).map((f) => f.slice(0, -5));
    const covered = new Set([
      ...examples.filter((e) => existsSync(fileOf(e))).map((e) => e.path.replaceAll('/', '-')),
      ...Object.keys(omitted),
    ]);
    expect(names.filter((n) => !covered.has(n))).toEqual([]);
    expect([...covered].filter((n) => !names.includes(n))).toEqual([]);
  });

  test.each(examples)('$path means the same but for listed deviations', (example) => {
    expect(deviationsOf(example).filter((where) => explains(example, where).length === 0)).toEqual([]);
  });

  test('no listed deviation is stale', () => {
    const seen = new Set(
      examples.flatMap((e) =>
        deviationsOf(e).flatMap((where) => explains(e, where).map((d) => `${deviations.indexOf(d)} ${e.path}`)),
      ),
    );
    const listed = deviations.flatMap((d, index) => d.examples.filter((e) => e !== '*').map((e) => `${index} ${e}`));
    expect(listed.filter((key) => !seen.has(key))).toEqual([]);
  });
});
