/**
 * The controllers of the operator: for each kind a reconciler that gathers a snapshot from the cache, calls the pure decision of lib/reconcile and
 * carries it out.
 */
import {
  appliedAdapterKey,
  decideAdapter,
  decideComponent,
  decideGraph,
  decideModel,
  decideRequest,
  kinds,
} from '../../reconcile/index.ts';
import type { Controller } from '../controller.ts';
import { runReconciler, type ReconcilerDefinition } from './reconciler.ts';
import { tellStuckPods } from './stuck-pods.ts';
import { warnOfUnusablePullSecrets } from './unusable-pull-secrets.ts';
import { ownKinds, watchedKinds } from './watched-kinds.ts';

/** Milliseconds; later than most first status changes of a new Deployment, which lead to a pass anyway. */
const echoMs = 10_000;

// In the order the original registers them. Fewer workers for graphs than for components: the components of one graph are finished before many other
// graphs begin. The API server creates Services one after the other, so their creation should start early.
const definitions: readonly ReconcilerDefinition[] = [
  { kind: ownKinds.component, recorder: 'dynamocomponentdeployment', decide: decideComponent, workers: 32, echoMs },
  { kind: ownKinds.graph, recorder: 'dynamographdeployment', decide: decideGraph, workers: 8, echoMs },
  { kind: ownKinds.adapter, recorder: 'dgdscalingadapter', decide: decideAdapter, workers: 4 },
  {
    kind: ownKinds.request,
    recorder: 'dynamographdeploymentrequest',
    decide: decideRequest,
    workers: 4,
    readLive: [kinds.configMap],
  },
  { kind: ownKinds.model, recorder: 'dynamomodel', decide: decideModel, workers: 8, note: appliedAdapterKey },
];

/** All controllers, for the manager. The first names what all of them watch. */
export const controllers: readonly Controller[] = definitions.map((definition, index) => ({
  name: definition.kind.kind,
  ...(index === 0 && { watches: ({ config }) => watchedKinds(config) }),
  start: (context, signal) => {
    if (definition.kind === ownKinds.component) {
      tellStuckPods(context, context.recorder(definition.recorder), signal);
      warnOfUnusablePullSecrets(context, signal);
    }
    return runReconciler(definition, context, signal);
  },
}));
