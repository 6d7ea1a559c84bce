/**
 * Compares predicted rejections with those of the API server, for objects with changed fields. `FUZZ_REFUSALS` sets the number of objects,
 * `FUZZ_SEED` the seed.
 */
import { array, assert, asyncProperty, constantFrom } from 'fast-check';
import { expect, test } from 'vitest';
import { formatPath, isObject, type JsonObject } from '../../lib/json/index.ts';
import { checkObject } from '../../lib/rejections/index.ts';
import type { ApiResponse } from '../control-plane/client.ts';
import { cluster, describeCluster, newNamespace } from '../control-plane/cluster-test.ts';
import { mutate, singleMutations, type Mutation } from '../rejections/mutations.ts';
import { fuzzSeed } from './fuzz-seed.ts';

const runs = Number(process.env['FUZZ_REFUSALS'] ?? 1000);
const batch = 20;

function inNamespace(object: JsonObject, namespace: string): JsonObject {
  return { ...object, metadata: { ...(isObject(object['metadata']) ? object['metadata'] : {}), namespace } };
}

async function ask(object: JsonObject): Promise<ApiResponse> {
  return await cluster().client.dryRunCreate(object as never);
}

function disagreement(object: JsonObject, { status, body }: ApiResponse): string | undefined {
  const ours = checkObject(object).map(({ field, message }) => `${formatPath(field)}: ${message}`);
  const refused = status === 422 || status === 400;
  if (refused === ours.length > 0) return undefined;
  return refused ? `refused, we predict nothing: ${body.message ?? ''}` : `accepted (${status}), we predict ${ours.join('; ')}`;
}

async function judge(kind: string, changes: readonly Mutation[], namespace: string): Promise<string | undefined> {
  const object = inNamespace(mutate(kind, changes), namespace);
  const text = disagreement(object, await ask(object));
  return (
    text &&
    `${kind} ${changes.map(({ path, value }) => `${formatPath(path)} = ${JSON.stringify(value).slice(0, 300)}`).join(', ')}: ${text.slice(0, 600)}`
  );
}

describeCluster('the API server refuses exactly what is predicted', () => {
  test('with one field changed', async () => {
    const namespace = await newNamespace();
    const all = singleMutations();
    const wrong: string[] = [];
    for (let i = 0; i < all.length; i += batch) {
      const found = await Promise.all(all.slice(i, i + batch).map((m) => judge(m.kind, [m], namespace)));
      wrong.push(...found.filter((text) => text !== undefined));
    }
    expect(wrong).toEqual([]);
  });

  test.each(['any', 'sound'] as const)('with several fields of a Deployment changed at random, %s changes', async (choice) => {
    const namespace = await newNamespace();
    process.stderr.write(`${runs} random Deployments, FUZZ_SEED=${fuzzSeed}\n`);
    const changes = singleMutations().filter(({ kind }) => kind === 'Deployment');
    const chosen = choice === 'any' ? changes : changes.filter((m) => checkObject(mutate(m.kind, [m])).length === 0);
    const some = array(constantFrom(...chosen), { minLength: 2, maxLength: choice === 'any' ? 2 : 6 });
    const property = asyncProperty(array(some, { minLength: batch, maxLength: batch }), async (samples) => {
      const found = await Promise.all(samples.map((sample) => judge('Deployment', sample, namespace)));
      const wrong = found.filter((text) => text !== undefined);
      if (wrong.length > 0) throw new Error(wrong.join('\n'));
    });
    await assert(property, { numRuns: Math.ceil(runs / batch), seed: fuzzSeed });
  });
});
