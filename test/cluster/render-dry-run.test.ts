/** Compares predicted rejections of rendered objects with the answers of the API server, for every recording and for random graphs. */
import { setTimeout } from 'node:timers/promises';
import { assert, asyncProperty } from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { predictRejections } from '../../lib/lint/rejections/index.ts';
import { renderLevels, type RenderedObject } from '../../lib/render/index.ts';
import type { ApiResponse } from '../control-plane/client.ts';
import { cluster, describeCluster, holdApiGroups, newNamespace } from '../control-plane/cluster-test.ts';
import { contexts, graphs } from '../render/graph-arbitrary.ts';
import { ownRecordings, readRecordings, renderRecording } from '../render/recordings.ts';
import { fuzzSeed } from './fuzz-seed.ts';

const groups = [
  'grove.io',
  'leaderworkerset.x-k8s.io',
  'scheduling.volcano.sh',
  'scheduling.run.ai',
  'networking.istio.io',
  'inference.networking.k8s.io',
] as const;
const uid = '7f1c0a52-3b8f-4d8e-9d9c-2f8f8f0c1d11';
const runs = Number(process.env['FUZZ_GRAPHS'] ?? 60);

/** Kinds of other projects: their stand-in CRDs have no schema that could refuse what the real one does. */
const standIns: ReadonlySet<string> = new Set(['PodCliqueSet', 'LeaderWorkerSet']);

/** The object as a cluster would get it: in the test's namespace, with a uid of its owner. */
function inCluster({ object }: RenderedObject, namespace: string): RenderedObject['object'] {
  const { ownerReferences, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: {
      ...metadata,
      namespace,
      ...(ownerReferences && { ownerReferences: ownerReferences.map((owner) => ({ ...owner, uid })) }),
    },
  };
}

async function ask(rendered: RenderedObject, namespace: string): Promise<ApiResponse> {
  for (;;) {
    const answer = await cluster().client.dryRunCreate(inCluster(rendered, namespace));
    // The API server sheds load now and then.
    if (answer.status !== 429 && answer.status < 500) return answer;
    await setTimeout(200);
  }
}

/** Where the API server and we disagree about one object. */
async function disagreement(rendered: RenderedObject, namespace: string): Promise<string | undefined> {
  const { kind, metadata } = rendered.object;
  const predicted = predictRejections([rendered]).map(({ message }) => message);
  const { status, body } = await ask(rendered, namespace);
  const refused = status !== 201 && status !== 409;
  if (refused === predicted.length > 0 || (!refused && standIns.has(kind))) return undefined;
  return refused
    ? `${kind} ${metadata.name} refused (${status}), we predict nothing: ${body.message ?? ''}`
    : `${kind} ${metadata.name} accepted, we predict ${predicted.join('; ')}`;
}

async function disagreements(objects: readonly RenderedObject[], namespace: string): Promise<readonly string[]> {
  const found = await Promise.all(objects.map((rendered) => disagreement(rendered, namespace)));
  return found.filter((text) => text !== undefined);
}

describeCluster('the API server refuses exactly the rendered objects we predict', () => {
  let release: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    release = await holdApiGroups(groups);
  });
  afterAll(() => release?.());

  test('of every recording', async () => {
    const namespace = await newNamespace();
    const wrong: string[] = [];
    let asked = 0;
    for (const [name, recording] of readRecordings(ownRecordings)) {
      const { objects } = renderRecording(recording);
      asked += objects.length;
      for (const text of await disagreements(objects, namespace)) wrong.push(`${name}: ${text}`);
    }
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(2000);
  });

  test('of random graphs', async () => {
    const namespace = await newNamespace();
    process.stderr.write(`${runs} random graphs, FUZZ_SEED=${fuzzSeed}\n`);
    const property = asyncProperty(graphs, contexts, async (graph, context) => {
      expect(await disagreements(renderLevels(graph, context).objects, namespace)).toEqual([]);
    });
    await assert(property, { numRuns: runs, seed: fuzzSeed });
  });
});
