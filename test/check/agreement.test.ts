/**
 * Every command, the synth plugin and the constructs are projections of one pipeline: what one of them refuses, all refuse. `FUZZ_DOCUMENTS`
 * says how many changed documents are tried, `FUZZ_SEED` which.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ApiObject, App, Chart } from 'cdk8s';
import { array, assert, asyncProperty, constantFrom } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readGraphs } from '../../lib/cli/gitops-graphs.ts';
import { findingsOf } from '../../lib/graph/validation.ts';
import { Platform } from '../../lib/graph/index.ts';
import { isList, isObject, objectAt, type Json, type JsonObject } from '../../lib/json/index.ts';
import { DynamoLint } from '../../lib/lint-plugin/dynamo-lint.ts';
import { lintRules } from '../../lib/lint/index.ts';
import { readManifests } from '../../lib/manifest/index.ts';
import { folderWith, run, type Ran } from '../cli/run.ts';
import { readRecordings } from '../render/recordings.ts';
import { mutate, mutation } from './mutate.ts';

const runs = Number(process.env['FUZZ_DOCUMENTS'] ?? (process.env['LONG'] === undefined ? 60 : 2000));
const corpus = process.env['DYNAMO_CORPUS'];
const orchestrator = ['--orchestrator', 'lws'];

interface JsonReport {
  readonly findings: readonly { readonly severity: string; readonly id: string; readonly message: string }[];
}

/** Errors that are no advice of lint: what the API server refuses, now or later. */
function isRefusal({ severity, id, message }: JsonReport['findings'][number]): boolean {
  return severity === 'error' && (!/^DYN-(?!API-)/.test(id) || message.includes('the API server refuses'));
}

function refusals({ out }: Ran): readonly string[] {
  const { findings } = JSON.parse(out) as JsonReport;
  return findings.filter(isRefusal).map(({ id }) => id);
}

async function pluginFails(text: string, folder: string): Promise<boolean> {
  const manifest = join(folder, 'manifest.json');
  writeFileSync(manifest, text);
  let failed = false;
  await new DynamoLint({ orchestrator: 'lws' }).validate({
    manifests: [manifest],
    logger: { log: () => undefined },
    report: { addViolation: () => undefined, submit: (status) => void (failed = status === 'failure') },
  });
  return failed;
}

/** Whether synth of an app with this object fails; undefined where cdk8s itself cannot hold the object. */
function synthFails(document: JsonObject): boolean | undefined {
  const { apiVersion, kind, ...rest } = document;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || apiVersion === '' || kind === '') return undefined;
  const { ownerReferences, finalizers } = objectAt(document, 'metadata');
  if (!isList(ownerReferences ?? []) || !isList(finalizers ?? [])) return undefined;
  const chart = new Chart(new App(), 'c', { disableResourceNameHashes: true });
  const object = new ApiObject(chart, 'o', { ...rest, apiVersion, kind });
  const same = JSON.stringify(sorted(object.toJson() as Json)) === JSON.stringify(sorted(document));
  if (!same) return undefined;
  return findingsOf({ object, platform: new Platform(), suppressed: new Map() }).some(isRefusal);
}

/** Whether gitops rejects a document for a cluster without further APIs; undefined for one without a name, which it cannot write. */
async function gitopsFails(document: JsonObject, folder: string): Promise<boolean | undefined> {
  const { name } = objectAt(document, 'metadata');
  const isTyped = typeof document['apiVersion'] === 'string' && typeof document['kind'] === 'string';
  if (typeof name !== 'string' || !isTyped) return undefined;
  const io = {
    out: () => undefined,
    err: () => undefined,
    stdin: async () => new TextEncoder().encode(JSON.stringify(document)),
    cwd: folder,
    env: {},
    colour: { out: false, err: false },
  };
  const environment = { name: 'default', namespace: 'dynamo-system', parts: [] };
  return (await readGraphs(['-'], 'default', [{ environment, groups: new Set() }], io)).errors.length > 0;
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => sorted(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key] ?? null)]),
  );
}

/** Who disagrees with `validate` on a document, in words. */
async function disagreements(document: JsonObject, folder: string): Promise<readonly string[]> {
  const stdin = JSON.stringify(document);
  const command = async (...argv: readonly string[]) => await run([...argv, '-f', '-'], { stdin, cwd: folder });
  const validate = await command('validate', ...orchestrator, '-o', 'json');
  const refused = validate.code === 1;
  const onlyRejections = refused && refusals(validate).every((id) => id.startsWith('DYN-API-'));
  const found: string[] = [];
  const expectSame = (who: string, says: boolean, wanted = refused): void => {
    if (says !== wanted)
      found.push(`${who} ${says ? 'refuses' : 'accepts'}, validate ${refused ? `refuses: ${validate.out}` : 'accepts'}`);
  };
  expectSame('validate as told', refusals(validate).length > 0);
  const lint = await command('lint', ...orchestrator, '-o', 'json');
  expectSame('lint', refusals(lint).length > 0);
  if (refused) expectSame('the exit of lint', lint.code === 1);
  // The objects of a graph are printed as the operator would send them, also where the API server will reject one: a warning.
  const render = await command('render', ...orchestrator, '-o', 'name');
  const nothing = render.err.includes('nothing to render');
  expectSame('render', render.code === 1 && !nothing, refused && !onlyRejections);
  if (onlyRejections)
    expectSame('render --strict', (await command('render', ...orchestrator, '--strict', '-o', 'name')).code === 1);
  const fit = await command('fit', ...orchestrator, '--nodes', '100', '--gpus-per-node', '1000');
  expectSame('fit', fit.code === 1 && fit.out === '' && !fit.err.includes('nothing to place'));
  // These know no orchestrator: what only one of them refuses is a doubt to them, as it is to validate when nobody says which there is.
  const unsaid = (await command('validate', '-o', 'json')).code === 1;
  const imported = await command('import');
  expectSame('import', imported.code === 1 && !imported.err.includes('nothing to import'), unsaid);
  expectSame('normalize', (await command('normalize')).code === 1, unsaid);
  if (unsaid || (lint.code === 0 && !refused)) expectSame('the synth plugin', await pluginFails(stdin, folder), unsaid);
  const gitops = await gitopsFails(document, folder);
  if (gitops !== undefined) expectSame('gitops', gitops, (await command('validate', '--api-groups', '')).code === 1);
  const synth = synthFails(document);
  if (synth !== undefined) expectSame('synth', synth, unsaid);
  return found;
}

/** Documents of our own test cases: recorded inputs of every kind, and the examples of lint's rules. */
function ownDocuments(): readonly JsonObject[] {
  const recorded = readRecordings(resolve(import.meta.dirname, '../render/cases')).flatMap(([, { input }]) => input);
  const admission = JSON.parse(
    readFileSync(resolve(import.meta.dirname, '../admission/cases/admission.json'), 'utf8'),
  ) as readonly {
    readonly object?: JsonObject;
  }[];
  const examples = lintRules.flatMap(({ example }) => [...(example?.().bad ?? []), ...(example?.().good ?? [])]);
  const all = [...recorded, ...admission.map(({ object }) => object).filter((object) => object !== undefined), ...examples];
  return [...new Map(all.map((document) => [JSON.stringify(document), document])).values()];
}

describe('validate, lint, render, fit, import, normalize, gitops, the synth plugin and synth agree', () => {
  test('on documents of our own cases, changed at random', async () => {
    const folder = folderWith({});
    const property = asyncProperty(
      constantFrom(...ownDocuments()),
      array(mutation, { maxLength: 2 }),
      async (document, changes) => {
        expect(await disagreements(mutate(document, changes), folder)).toEqual([]);
      },
    );
    await assert(property, { numRuns: runs });
  }, 600_000);

  test.each<JsonObject>([
    { annotations: '' },
    { annotations: [] },
    { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': 3 } },
    { labels: [] },
    { labels: ['a'] },
    { uid: 3 },
    { generation: 'x' },
    { creationTimestamp: 'x' },
    { uid: 'u', finalizers: 'x' },
    { uid: 'u', ownerReferences: [{}] },
    { name: '', generateName: 'g-' },
    { name: 'g', namespace: 0 },
  ])('on metadata such as %j', async (metadata) => {
    const spec = { services: { Frontend: { componentType: 'frontend', extraPodSpec: { mainContainer: { image: 'a:1' } } } } };
    const document = {
      apiVersion: 'nvidia.com/v1alpha1',
      kind: 'DynamoGraphDeployment',
      metadata: { name: 'g', ...metadata },
      spec,
    };
    expect(await disagreements(document, folderWith({}))).toEqual([]);
  });

  test.skipIf(corpus === undefined)(
    'on the example files, as they are and changed',
    async () => {
      const folder = folderWith({});
      const examples = join(corpus ?? '', 'upstream/examples');
      const documents = readdirSync(examples)
        .flatMap((name) => readManifests(readFileSync(join(examples, name), 'utf8'), name).documents)
        .map(({ value }) => value)
        .filter(isObject);
      for (const document of documents) expect(await disagreements(document, folder)).toEqual([]);
      const property = asyncProperty(
        constantFrom(...documents),
        array(mutation, { minLength: 1, maxLength: 2 }),
        async (document, changes) => {
          expect(await disagreements(mutate(document, changes), folder)).toEqual([]);
        },
      );
      await assert(property, { numRuns: runs });
    },
    600_000,
  );
});
