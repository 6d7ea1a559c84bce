/** Compares our validation with that of the API server on random resources. `FUZZ_OBJECTS` sets their number, `FUZZ_SEED` the seed. */
import { array, assert, asyncProperty, type Arbitrary } from 'fast-check';
import { test } from 'vitest';
import { isObject, type JsonObject } from '../../lib/json/index.ts';
import { normalizeResource } from '../../lib/api/normalize.ts';
import { apiVersion, kinds } from '../../lib/api/schema/kinds.ts';
import { stringifyJson } from '../../lib/manifest/index.ts';
import { resources, statuses } from '../api/resource-arbitrary.ts';
import { succeeded } from '../control-plane/client.ts';
import { cluster, describeCluster, newNamespace } from '../control-plane/cluster-test.ts';
import { disagreement } from './api-server-verdict.ts';
import { fuzzSeed } from './fuzz-seed.ts';

const objects = Number(process.env['FUZZ_OBJECTS'] ?? 2000);
/** Resources asked about at a time. */
const batch = 20;
/** Generous: the machine may be busy with other tests. */
const timeout = 60_000 + 100 * objects;
const query = { dryRun: 'All', fieldValidation: 'Warn' };

const pluralOf = (kind: unknown): string => kinds.find((definition) => definition.kind === kind)?.plural ?? '';
const collection = (namespace: string, kind: unknown): string => `/apis/${apiVersion}/namespaces/${namespace}/${pluralOf(kind)}`;

async function agreeOnAll(
  arbitrary: Arbitrary<JsonObject>,
  count: number,
  check: (resource: JsonObject) => Promise<string | undefined>,
) {
  process.stderr.write(`${count} random resources, FUZZ_SEED=${fuzzSeed}\n`);
  const property = asyncProperty(array(arbitrary, { minLength: batch, maxLength: batch }), async (samples) => {
    const found = await Promise.all(samples.map(async (sample) => [sample, await check(sample)] as const));
    const wrong = found.flatMap(([sample, text]) => (text === undefined ? [] : [`${text}\n  in ${stringifyJson(sample)}`]));
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
  });
  await assert(property, { numRuns: Math.ceil(count / batch), seed: fuzzSeed });
}

const specs: Readonly<Record<string, JsonObject>> = {
  DynamoGraphDeploymentRequest: { model: 'm', backend: 'vllm', profilingConfig: { profilerImage: 'p' } },
  DynamoGraphDeploymentScalingAdapter: { replicas: 1, dgdRef: { name: 'g', serviceName: 's' } },
  DynamoModel: { modelName: 'a', baseModelName: 'b' },
};

describeCluster('the API server and we agree', () => {
  test('on what can be created, why not, and what is stored', { timeout }, async () => {
    const namespace = await newNamespace();
    await agreeOnAll(resources, Math.ceil(objects * 0.8), async (resource) => {
      const path = collection(namespace, resource['kind']);
      const answer = await cluster().client.request('POST', path, { body: stringifyJson(resource), query });
      return disagreement(normalizeResource(resource), answer, 'spec');
    });
  });

  test('on what can be written as a status', { timeout }, async () => {
    const namespace = await newNamespace();
    const { client } = cluster();
    const existing = new Map<unknown, JsonObject>();
    for (const { kind } of kinds) {
      const created = await client.request('POST', collection(namespace, kind), {
        body: { apiVersion, kind, metadata: { name: 'sample' }, spec: specs[kind] ?? {} },
      });
      if (kind !== 'DynamoWorkerMetadata') existing.set(kind, succeeded(created) as unknown as JsonObject);
    }
    await agreeOnAll(statuses, Math.ceil(objects * 0.2), async ({ kind, status }) => {
      const base = existing.get(kind);
      if (!isObject(base)) throw new Error(`no object of kind ${JSON.stringify(kind)}`);
      const resource = { ...base, status };
      const path = `${collection(namespace, kind)}/sample/status`;
      const answer = await client.request('PUT', path, { body: stringifyJson(resource), query });
      return disagreement(normalizeResource(resource, { status: 'keep' }), answer, 'status');
    });
  });
});
