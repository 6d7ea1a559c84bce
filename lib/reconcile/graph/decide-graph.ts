import { type DynamoGraphDeployment, dynamoNamespace } from '../../api/index.ts';
import { sortedKeys } from '../../json/index.ts';
import {
  accountBindingName,
  accountRoleName,
  discoveryAccount,
  discoveryBackend,
  type RenderContext,
  runsOnGrove,
  serviceObjectName,
} from '../../render/index.ts';
import { adapterReplicas } from './adapters.ts';
import { askFor, decisionFor, pendingSeconds } from '../answer.ts';
import { clusterOf } from '../cluster.ts';
import { statusOf } from '../condition.ts';
import type { Answer, Event } from '../decision.ts';
import { etcdPrefix, finalizerStep, finishDeletion } from '../finalizer.ts';
import { componentsBefore, componentsPlan } from './components.ts';
import { dependenciesPlan } from './dependencies.ts';
import { graphGarbage, ownedByGraph } from './garbage.ts';
import { groveBefore, grovePlan } from './grove.ts';
import type { GraphPass } from './graph-pass.ts';
import { differsInCountsOnly, failedStatus, failureEvents, graphStatus, type GraphFailure } from './graph-status.ts';
import type { WorkloadsBefore, WorkloadsPlan } from './workloads.ts';
import { kinds } from '../kinds.ts';
import { mpiSecretRefresh } from './mpi-secret.ts';
import { isDeleting, keyOf, uidOf } from '../metadata.ts';
import { eventsOf, refusalOf, type Step } from '../plan.ts';
import { readerOf, type Reader } from '../reader.ts';
import { renderers, type Renderers } from '../renderers.ts';
import type { RefusedWrite, Snapshot } from '../snapshot.ts';
import { sharedName } from './shared-name.ts';
import { statusStep } from '../status.ts';
import { validationError } from '../validation.ts';

/** What to do about a DynamoGraphDeployment: what its services need, their workloads, its status. */
export function decideGraph(snapshot: Snapshot, render: Renderers = renderers): Answer {
  const { resource } = snapshot;
  const graph = resource as unknown as DynamoGraphDeployment;
  const reader = readerOf(snapshot);
  const context: RenderContext = { config: snapshot.config, cluster: clusterOf(reader, snapshot) };
  const onGrove = runsOnGrove(graph, context);
  if (isDeleting(resource)) return finishDeletion(snapshot, onGrove ? etcdPrefixes(graph, snapshot) : []);
  const finalizer = finalizerStep(resource);
  const invalid = validationError(resource) ?? sharedName(graph);
  if (invalid !== undefined) return reject(snapshot, finalizer, invalid);
  const owned = ownedByGraph(snapshot, reader);
  const replicas = adapterReplicas(graph, resource, reader);
  const before = onGrove ? groveBefore(graph, resource, reader) : componentsBefore(graph, resource, reader);
  readExpected(graph, snapshot, reader, onGrove);
  const early = askFor(reader);
  if (early !== undefined) return early;
  const pass = passOver(snapshot, reader, render, context, before, replicas);
  const dependencies = dependenciesPlan(pass);
  const controlledUids = new Set(owned.map(uidOf));
  const workloads = onGrove ? grovePlan(pass, controlledUids) : componentsPlan(pass);
  const late = askFor(reader);
  if (late !== undefined) return late;
  const prepared = [...finalizer, ...dependencies.steps];
  if (dependencies.failure !== undefined) return fail(snapshot, prepared, dependencies.failure);
  const written = [...prepared, ...workloads.steps];
  if (workloads.failure !== undefined) return fail(snapshot, written, workloads.failure);
  return conclude(pass, [...written, ...graphGarbage(pass, owned, onGrove, workloads.notReady.length === 0)], workloads, before);
}

function passOver(
  snapshot: Snapshot,
  reader: Reader,
  render: Renderers,
  context: RenderContext,
  { restart, tokens }: WorkloadsBefore,
  replicas: Readonly<Record<string, number>>,
): GraphPass {
  const { resource } = snapshot;
  const graph = resource as unknown as DynamoGraphDeployment;
  const { name, namespace } = keyOf(resource);
  const live = { ...(restart.status && { restart: restart.status }), restartTokens: tokens, adapterReplicas: replicas };
  const rendering = render.graph(graph, { ...context, live });
  return { snapshot, reader, resource, graph, namespace, name, rendering, adapterReplicas: replicas };
}

/** Reads what a graph usually has, so that one round of look-ups is enough. */
function readExpected({ metadata, spec }: DynamoGraphDeployment, snapshot: Snapshot, reader: Reader, onGrove: boolean): void {
  const { name = '', namespace = '' } = metadata;
  const { config, resource } = snapshot;
  reader.list(kinds.adapter, namespace, { controllerUid: uidOf(resource) });
  if (discoveryBackend(metadata.annotations, config.discoveryBackend) === 'kubernetes') {
    const account = discoveryAccount(name);
    reader.get(kinds.serviceAccount, namespace, account);
    reader.get(kinds.role, namespace, accountRoleName(account));
    reader.get(kinds.roleBinding, namespace, accountBindingName(account));
  }
  const cluster = clusterOf(reader, snapshot);
  if (config.restrictedNamespace === '' && config.plannerClusterRole !== '') {
    cluster.clusterRole(config.plannerClusterRole);
    cluster.find('ServiceAccount', namespace, 'planner-serviceaccount');
    cluster.find('RoleBinding', namespace, accountBindingName('planner-serviceaccount'));
  }
  if (config.mpiSecretName !== '')
    for (const place of [namespace, config.mpiSecretNamespace]) cluster.find('Secret', place, config.mpiSecretName);
  if (!onGrove) return;
  cluster.pullSecrets(namespace, '');
  for (const service of sortedKeys(spec?.services ?? {})) reader.get(kinds.service, namespace, serviceObjectName(name, service));
}

function conclude(pass: GraphPass, steps: readonly Step[], workloads: WorkloadsPlan, { restart }: WorkloadsBefore): Answer {
  const { snapshot, resource } = pass;
  const status = graphStatus(resource, workloads, restart.status, snapshot.now);
  const all = [...steps, ...statusStep(resource, status), ...mpiSecretRefresh(pass)];
  if (snapshot.refused !== undefined) return failRefused(snapshot, all, snapshot.refused);
  const waits = workloads.notReady.length > 0 || restart.status?.phase === 'Restarting';
  const [only, ...more] = all.flat();
  const isStatusAlone = only?.write.verb === 'status' && more.length === 0;
  return decisionFor(all, {
    ...(waits && { lookAgainSeconds: restart.silent ? 1 : pendingSeconds }),
    ...(isStatusAlone && differsInCountsOnly(statusOf(resource), status) && { canWait: true }),
  });
}

function reject({ resource, now }: Snapshot, finalizer: readonly Step[], error: string): Answer {
  const status = failedStatus(resource, { reason: 'ValidationFailed', message: `Validation failed: ${error}` }, now);
  const events: readonly Event[] = [{ type: 'Warning', reason: 'ValidationFailed', message: error }];
  return decisionFor([...finalizer, ...statusStep(resource, status)], { events: failureEvents(resource, status, events) });
}

/** A pass that fails: the writes before the failure are carried out, and the status has the error. */
function fail(snapshot: Snapshot, steps: readonly Step[], error: string): Answer {
  if (snapshot.refused !== undefined) return failRefused(snapshot, steps, snapshot.refused);
  return tellFailure(snapshot, steps, { reason: 'failed_to_reconcile_the_resources', message: error }, eventsOf(steps));
}

function failRefused(snapshot: Snapshot, steps: readonly Step[], refused: RefusedWrite): Answer {
  const refusal = refusalOf(steps, refused);
  const message = refusal?.error ?? refused.message;
  if (refused.verb === 'status') return decisionFor([], { events: [], error: message });
  // The old copy of the MPI Secret still works.
  if (refusal?.write.verb === 'copySecret' && refusal.write.resourceVersion !== undefined)
    return decisionFor([], { events: refusal.events.filter(({ type }) => type === 'Warning'), error: message });
  const isOwn = refused.target.kind === kinds.graph.kind;
  const reason = isOwn ? 'failed_to_handle_the_finalizer' : 'failed_to_reconcile_the_resources';
  return tellFailure(snapshot, [], { reason, message }, refusal?.events ?? []);
}

function tellFailure(
  { resource, now }: Snapshot,
  steps: readonly Step[],
  failure: GraphFailure,
  events: readonly Event[],
): Answer {
  const status = failedStatus(resource, failure, now);
  const told = failureEvents(resource, status, events);
  return decisionFor([...steps, ...statusStep(resource, status)], { events: told, error: failure.message });
}

/** On Grove there are no component resources that would remove their keys in etcd, so the graph does. */
function etcdPrefixes({ metadata, spec }: DynamoGraphDeployment, { config }: Snapshot): readonly string[] {
  const { name = '', namespace = '' } = metadata;
  if (discoveryBackend(metadata.annotations, config.discoveryBackend) !== 'etcd' || config.etcdAddress === '') return [];
  const services: Readonly<Record<string, { readonly globalDynamoNamespace?: boolean } | null>> = spec?.services ?? {};
  return sortedKeys(services).map((service) =>
    etcdPrefix(dynamoNamespace(namespace, name, services[service]?.globalDynamoNamespace), service),
  );
}
