import { byteOrder, findNumber, findObject, objectAt, sortedKeys, stringAt, type JsonObject } from '../../json/index.ts';
import type { DynamoGraphDeployment } from '../../api/index.ts';
import { annotation, replicaName, serviceObjectName } from '../../render/index.ts';
import { inParallel, syncChild, type ChildSync } from '../child.ts';
import { conditionOf, statusOf } from '../condition.ts';
import { failureOf, liveOf, renderedOf, type GraphPass } from './graph-pass.ts';
import type { WorkloadsBefore, WorkloadsPlan } from './workloads.ts';
import { isServed, kinds } from '../kinds.ts';
import { finalizer, generationOf, isDeleting, keyOf } from '../metadata.ts';
import { unlessLeftOver } from '../ownership.ts';
import type { Reader } from '../reader.ts';
import { advanceRestart } from './restart.ts';

/** Prefix of the original's errors about workloads. */
export const workloadsChain = 'failed to reconcile Dynamo components deployments: ';

/** The state of a graph's components before this pass writes anything. */
export function componentsBefore(graph: DynamoGraphDeployment, resource: JsonObject, reader: Reader): WorkloadsBefore {
  const { name = '', namespace = '' } = graph.metadata;
  const services = sortedKeys(graph.spec?.services ?? {});
  const components = new Map(
    services.map((service) => [
      service,
      unlessLeftOver(reader.get(kinds.component, namespace, serviceObjectName(name, service)), resource),
    ]),
  );
  const tokens: Record<string, string> = {};
  for (const [service, component] of components) {
    const token = stringAt(findObject(component, 'spec', 'annotations'), annotation.restartAt);
    if (token !== '') tokens[service] = token;
  }
  const restart = advanceRestart({
    restart: graph.spec?.restart,
    services,
    before: graph.status?.restart,
    isDone: (service) => {
      const component = components.get(service);
      return component !== undefined && !isDeleting(component) && isComponentReady(component);
    },
    tokenOf: (service) => tokens[service],
  });
  return { restart, tokens };
}

/** Whether a component is available, and has seen its newest spec. */
function isComponentReady(component: JsonObject): boolean {
  const status = statusOf(component);
  return (
    (findNumber(status, 'observedGeneration') ?? 0) >= generationOf(component) &&
    stringAt(conditionOf(status, 'Available'), 'status') === 'True'
  );
}

/** Reconciles one component resource for each service. */
export function componentsPlan(pass: GraphPass): WorkloadsPlan {
  const failure = failureOf(pass, workloadsChain);
  if (failure !== undefined) return { steps: [], notReady: [], services: {}, failure };
  const chain = `${workloadsChain}failed to sync the DynamoComponentDeployment: `;
  const keeper = { parent: pass.resource, chain, finalizers: [finalizer] };
  const serviceOf = new Map(pass.rendering.components.map(({ service, resource }) => [resource.metadata.name, service]));
  const found = renderedOf(pass, kinds.component.kind).map((desired) => ({
    service: serviceOf.get(desired.metadata.name) ?? '',
    sync: syncChild(desired, liveOf(pass, desired), keeper),
  }));
  const problem = found.find(({ sync }) => sync.problem !== undefined)?.sync.problem;
  return {
    steps: inParallel(found.map(({ sync }) => sync)),
    ...(problem !== undefined && { failure: problem }),
    notReady: found
      .filter(({ sync }) => sync.state !== 'same' || sync.live === undefined || !isComponentReady(sync.live))
      .map(({ sync }) => ({
        name: keyOf(sync.desired).name,
        reason: 'Component deployment not ready - Available condition not true',
      }))
      .toSorted((a, b) => byteOrder(a.name, b.name)),
    services: Object.fromEntries(found.flatMap(({ service, sync }) => replicasEntry(service, sync, pass))),
  };
}

/** Replica counts from a component's status; zeros for one that has not been reconciled yet. */
function replicasEntry(service: string, { desired, live }: ChildSync, { snapshot }: GraphPass): readonly [string, JsonObject][] {
  const status = statusOf(live ?? {});
  const told = findObject(status, 'service');
  if (told !== undefined) return [[service, told]];
  return Object.keys(status).length > 0 ? [] : firstReplicas(service, desired, snapshot.apiGroups);
}

function firstReplicas(service: string, desired: JsonObject, apiGroups: readonly string[]): readonly [string, JsonObject][] {
  const { name } = keyOf(desired);
  const spec = objectAt(desired, 'spec');
  const spansNodes = (findNumber(spec, 'multinode', 'nodeCount') ?? 1) > 1;
  const none = { replicas: 0, updatedReplicas: 0, readyReplicas: 0 };
  if (!spansNodes || ![kinds.leaderWorkerSet, kinds.podGroup].every((kind) => isServed(kind, apiGroups)))
    return [[service, { componentKind: 'Deployment', componentName: name, ...none, availableReplicas: 0 }]];
  if (findNumber(spec, 'replicas') === 0) return [];
  return [[service, { componentKind: 'LeaderWorkerSet', componentName: replicaName(name, 0), ...none }]];
}
