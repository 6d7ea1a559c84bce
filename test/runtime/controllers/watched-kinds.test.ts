import { expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/json/index.ts';
import {
  decideAdapter,
  decideComponent,
  decideGraph,
  decideModel,
  decideRequest,
  lookupKey,
  type Answer,
  type Lookup,
  type Snapshot,
} from '../../../lib/reconcile/index.ts';
import { clusterOfDocuments, flagDefaults, label, renderComponent } from '../../../lib/render/index.ts';
import { answers, isSelected } from '../../../lib/runtime/cache/coverage.ts';
import { isForeignEvent } from '../../../lib/runtime/cache/foreign-event.ts';
import { watchedKinds } from '../../../lib/runtime/controllers/watched-kinds.ts';

const everyGroup = [
  'grove.io',
  'leaderworkerset.x-k8s.io',
  'scheduling.volcano.sh',
  'scheduling.run.ai',
  'networking.istio.io',
  'inference.networking.k8s.io',
];
const worker = { componentType: 'worker', replicas: 1, extraPodSpec: { mainContainer: { image: 'i' } } };
const resources: readonly (readonly [string, (snapshot: Snapshot) => Answer, JsonObject])[] = [
  ['DynamoGraphDeployment', decideGraph, { services: { decode: worker } }],
  ['DynamoComponentDeployment', decideComponent, { ...worker, serviceName: 'decode', dynamoNamespace: 'd' }],
  ['DynamoGraphDeploymentScalingAdapter', decideAdapter, { replicas: 1, dgdRef: { name: 'g', serviceName: 's' } }],
  [
    'DynamoGraphDeploymentRequest',
    decideRequest,
    { model: 'm', backend: 'vllm', profilingConfig: { profilerImage: 'i', config: {} } },
  ],
  ['DynamoModel', decideModel, { modelName: 'm', baseModelName: 'b' }],
];

/** Everything a decision lists in a cluster that has nothing. */
function listsOf(decide: (snapshot: Snapshot) => Answer, start: Snapshot): readonly (Lookup & { readonly question: 'list' })[] {
  const objects: Record<string, null> = {};
  const lists: Record<string, readonly JsonObject[]> = {};
  const asked: (Lookup & { readonly question: 'list' })[] = [];
  for (let round = 0; round < 10; round++) {
    const answer = decide({ ...start, objects, lists });
    if (answer.answer !== 'lookups') return asked;
    for (const lookup of answer.lookups)
      if (lookup.question === 'get') objects[lookupKey(lookup)] = null;
      else {
        asked.push(lookup);
        lists[lookupKey(lookup)] = [];
      }
  }
  throw new Error('a decision asks for ever');
}

test.each(resources)('a watch answers every list that a decision about a %s asks for', (kind, decide, spec) => {
  for (const virtualServiceGateway of ['', 'istio-system/gateway'])
    for (const restrictedNamespace of ['', 'demo'])
      for (const apiGroups of [[], everyGroup]) {
        const config = {
          ...flagDefaults,
          plannerClusterRole: 'p',
          mpiSecretName: 'm',
          virtualServiceGateway,
          restrictedNamespace,
        };
        const metadata = { name: 'g', namespace: 'demo', uid: 'u' };
        const resource = { apiVersion: 'nvidia.com/v1alpha1', kind, metadata, spec };
        const now = '2026-01-01T00:00:00.000Z';
        const watched = watchedKinds(config);
        for (const lookup of listsOf(decide, { now, config, apiGroups, resource, objects: {}, lists: {} })) {
          const known = watched.some(
            (watch) =>
              watch.kind === lookup.kind &&
              watch.apiVersion === lookup.apiVersion &&
              ['yes', 'together'].includes(answers(watch, lookup)),
          );
          expect([lookupKey(lookup), known]).toEqual([lookupKey(lookup), true]);
        }
      }
});

test.each([
  ['has no labels', {}, {}],
  ['has other labels', { labels: { app: 'x' } }, { labels: { app: 'y' } }],
  ['has the label', { labels: { [label.graph]: 'g' } }, {}],
  ['has the label without a value', { labels: { [label.graph]: '' } }, {}],
  ['gives the label to its objects', {}, { labels: { [label.graph]: 'g' } }],
])('a component that %s has its Deployment in a watch that runs', (_, metadata, spec) => {
  const config = { ...flagDefaults, plannerClusterRole: 'p', mpiSecretName: 'm' };
  const component = {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoComponentDeployment',
    metadata: { name: 'solo', namespace: 'demo', uid: 'u', ...metadata },
    spec: { serviceName: 'solo', dynamoNamespace: 'd', componentType: 'main', ...spec },
  } as const;
  const { objects } = renderComponent(component, { config, cluster: clusterOfDocuments([], new Set(), 'demo') });
  const [deployment] = objects.flatMap(({ object }) => (object.kind === 'Deployment' ? [object] : []));
  if (deployment === undefined) throw new Error('a component without a Deployment');
  const watches = watchedKinds(config).filter(({ kind }) => kind === 'Deployment');
  const isRunning = watches.map(({ neededBy }) => neededBy === undefined || neededBy.needs(component));
  const having = watches.map((watched) => isSelected(watched, deployment));
  expect(having.filter(Boolean)).toHaveLength(1);
  expect(isRunning).toEqual([true, having[1]]);
});

test.each([
  ['profile-ask', false],
  ['train-profile-ask', true],
])('a pod of the Job %s is dropped unparsed: %s', (job, isDropped) => {
  const labels = { 'batch.kubernetes.io/job-name': job, 'controller-uid': 'c', 'job-name': job };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: `${job}-x`, namespace: 'demo', uid: 'u', labels } };
  const [watched] = watchedKinds(flagDefaults).filter(({ selection }) => selection?.labelSelector === 'job-name');
  const event = Buffer.from(JSON.stringify({ type: 'ADDED', object: pod }));
  expect(isForeignEvent(event, Buffer.from(watched?.marker ?? ''), () => false)).toBe(isDropped);
  expect(watched?.keep?.(pod)).toBe(!isDropped);
});
