import { findNumber, objectAt, type JsonObject } from '../../json/index.ts';
import type { DynamoComponentDeployment } from '../../api/index.ts';
import { discoveryBackend, discoveryServiceNames, replicaName } from '../../render/index.ts';
import { askFor, decisionFor, pendingSeconds } from '../answer.ts';
import { clusterOf } from '../cluster.ts';
import { componentChildren } from './children.ts';
import { componentGarbage, ownedByComponent } from './garbage.ts';
import type { ChildSync } from '../child.ts';
import { sameCondition, statusOf, withCondition, type Condition } from '../condition.ts';
import type { Answer, Event } from '../decision.ts';
import { deploymentReplicas, isSyncedDeploymentReady } from './deployment-readiness.ts';
import { etcdPrefix, finalizerStep, finishDeletion } from '../finalizer.ts';
import { isServed, kinds } from '../kinds.ts';
import { isSyncedLeaderWorkerSetReady, leaderWorkerSetReplicas, settleSeconds } from './leader-worker-set-readiness.ts';
import { generationOf, isDeleting, keyOf } from '../metadata.ts';
import { eventsOf, refusalOf, type Step } from '../plan.ts';
import { readerOf, type Reader } from '../reader.ts';
import { renderers, type Renderers } from '../renderers.ts';
import type { RefusedWrite, Snapshot } from '../snapshot.ts';
import { cutMessage, statusStep } from '../status.ts';
import { validationError } from '../validation.ts';

/** What to do about a DynamoComponentDeployment: its workload, Services, Ingress and status. */
export function decideComponent(snapshot: Snapshot, render: Renderers = renderers): Answer {
  const { resource } = snapshot;
  if (isDeleting(resource)) return finishDeletion(snapshot, etcdPrefixes(snapshot));
  const reader = readerOf(snapshot);
  const owned = ownedByComponent(snapshot, reader);
  readExpected(snapshot, reader);
  const early = askFor(reader);
  if (early !== undefined) return early;
  const finalizer = finalizerStep(resource);
  const invalid = validationError(resource);
  if (invalid !== undefined) return reject(snapshot, finalizer, invalid);
  const children = componentChildren(snapshot, reader, render);
  const late = askFor(reader);
  if (late !== undefined) return late;
  const steps = [...finalizer, ...children.steps];
  if (children.failure !== undefined) return fail(snapshot, steps, children.failure, eventsOf(steps));
  const { ready, service } = workloadStatus(children.syncs, snapshot.now);
  const status = componentStatus(snapshot, workloadCondition(children.syncs, ready), service);
  const chain = 'failed to set status condition and service replica status: failed to update DynamoComponentDeployment status: ';
  const all = [...steps, ...componentGarbage(snapshot, owned, children.syncs, ready), ...statusStep(resource, status, chain)];
  if (snapshot.refused !== undefined) return failRefused(snapshot, all, snapshot.refused);
  const wait = children.syncs.some(({ desired }) => desired.kind === kinds.leaderWorkerSet.kind) ? settleSeconds : pendingSeconds;
  return decisionFor(all, ready ? {} : { lookAgainSeconds: wait });
}

/** Reads what a component usually has, so that one round of look-ups is enough. */
function readExpected(snapshot: Snapshot, reader: Reader): void {
  const { resource, apiGroups } = snapshot;
  const { name, namespace } = keyOf(resource);
  const cluster = clusterOf(reader, snapshot);
  cluster.pullSecrets(namespace, '');
  cluster.podServiceAccount(namespace);
  const spec = objectAt(resource, 'spec');
  const { production, debug } = discoveryServiceNames(name);
  for (const service of [name, production, debug]) reader.get(kinds.service, namespace, service);
  const nodes = findNumber(spec, 'multinode', 'nodeCount') ?? 1;
  if (nodes <= 1 || ![kinds.leaderWorkerSet, kinds.podGroup].every((kind) => isServed(kind, apiGroups)))
    reader.get(kinds.deployment, namespace, name);
  else
    for (let index = 0; index < (findNumber(spec, 'replicas') ?? 1); index++)
      for (const kind of [kinds.podGroup, kinds.leaderWorkerSet]) reader.get(kind, namespace, replicaName(name, index));
}

interface WorkloadStatus {
  readonly ready: boolean;
  readonly service: JsonObject | undefined;
}

function mainDeployment(syncs: readonly ChildSync[]): ChildSync | undefined {
  return syncs.find(({ desired }) => desired.kind === kinds.deployment.kind);
}

function workloadStatus(syncs: readonly ChildSync[], now: string): WorkloadStatus {
  const main = mainDeployment(syncs);
  if (main !== undefined) return { ready: isSyncedDeploymentReady(main), service: deploymentReplicas(main) };
  const sets = syncs.filter(({ desired }) => desired.kind === kinds.leaderWorkerSet.kind);
  return { ready: sets.every((set) => isSyncedLeaderWorkerSetReady(set, now)), service: leaderWorkerSetReplicas(sets) };
}

const availability = {
  deployment: {
    ready: { reason: 'DeploymentReady', message: 'Deployment is ready' },
    not: { reason: 'DeploymentNotReady', message: 'Deployment is not ready' },
  },
  leaderWorkerSets: {
    ready: { reason: 'AllLeaderWorkerSetsReady', message: 'All LeaderWorkerSets are ready' },
    not: { reason: 'SomeLeaderWorkerSetsNotReady', message: 'Some LeaderWorkerSets are not ready' },
  },
} as const;

function workloadCondition(syncs: readonly ChildSync[], ready: boolean): Condition {
  const words = availability[mainDeployment(syncs) === undefined ? 'leaderWorkerSets' : 'deployment'];
  return { type: 'Available', status: ready ? 'True' : 'False', ...(ready ? words.ready : words.not) };
}

function validCondition(resource: JsonObject): Condition {
  const message = 'DynamoComponentDeployment spec is valid';
  return { type: 'Valid', status: 'True', reason: 'ValidationPassed', message, observedGeneration: generationOf(resource) };
}

function componentStatus({ resource, now }: Snapshot, available: Condition, service: JsonObject | undefined): JsonObject {
  const { service: _before, ...kept } = statusOf(resource);
  const conditions = withCondition(withCondition(kept, validCondition(resource), now), available, now);
  return { ...conditions, observedGeneration: generationOf(resource), ...(service && { service }) };
}

function reject({ resource, now }: Snapshot, finalizer: readonly Step[], error: string): Answer {
  const condition: Condition = {
    type: 'Valid',
    status: 'False',
    reason: 'ValidationFailed',
    message: cutMessage(`Validation failed: ${error}`),
    observedGeneration: generationOf(resource),
  };
  const before = statusOf(resource);
  const status = withCondition(before, condition, now);
  const events: readonly Event[] = sameCondition(before, status, 'Valid')
    ? []
    : [{ type: 'Warning', reason: 'ValidationFailed', message: error }];
  return decisionFor([...finalizer, ...statusStep(resource, status)], { events });
}

/** A pass that fails: the writes before the failure are carried out, and the status has the error. */
function fail(snapshot: Snapshot, steps: readonly Step[], error: string, events: readonly Event[]): Answer {
  const { resource, now } = snapshot;
  if (snapshot.refused !== undefined && steps.length > 0) return failRefused(snapshot, steps, snapshot.refused);
  const message = `Failed to reconcile DynamoComponentDeployment: ${error}`;
  const condition: Condition = { type: 'Available', status: 'False', reason: 'Reconciling', message: cutMessage(message) };
  const before = statusOf(resource);
  const status = withCondition(withCondition(before, validCondition(resource), now), condition, now);
  const told: readonly Event[] = [...events, { type: 'Warning', reason: 'ReconcileError', message }];
  const isNew = !sameCondition(before, status, 'Available');
  const said = told.filter(({ type }) => isNew || type === 'Normal');
  return decisionFor([...steps, ...statusStep(resource, status)], { events: said, error });
}

function failRefused(snapshot: Snapshot, steps: readonly Step[], refused: RefusedWrite): Answer {
  const refusal = refusalOf(steps, refused);
  const error = refusal?.error ?? refused.message;
  if (refused.verb === 'status') return decisionFor([], { events: [], error });
  return fail(snapshot, [], error, refusal?.events ?? []);
}

function etcdPrefixes({ resource, config }: Snapshot): readonly string[] {
  const { spec } = resource as unknown as DynamoComponentDeployment;
  const usesEtcd = discoveryBackend(spec?.annotations, config.discoveryBackend) === 'etcd' && config.etcdAddress !== '';
  const { dynamoNamespace = '', serviceName = '' } = spec ?? {};
  return usesEtcd && dynamoNamespace !== '' && serviceName !== '' ? [etcdPrefix(dynamoNamespace, serviceName)] : [];
}
