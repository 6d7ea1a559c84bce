/** The objects that the controllers keep in the cache, by kind, and the parts of them that decisions read. */
import type { KubernetesObject, OwnerReference } from '../../api/index.ts';
import { findObject, isObject, objectAt, objectsAt, stringAt, type Json, type JsonObject } from '../../json/index.ts';
import {
  adapterIndex,
  adaptersOf,
  dockerConfigType,
  kinds,
  projectSecret,
  scaledServiceIndex,
  scaledServiceOf,
  type ObjectKind,
} from '../../reconcile/index.ts';
import { label, type OperatorConfig } from '../../render/index.ts';
import { keepFields, metadataOnly, wholeObject, type Projection } from '../cache/projection.ts';
import type { WatchedKind } from '../cache/watched-kind.ts';
import { stuckReason } from '../../status/index.ts';

const dynamo = 'nvidia.com/v1alpha1';

/** The kinds of this operator's own API. */
export const ownKinds = {
  graph: kinds.graph,
  component: kinds.component,
  adapter: kinds.adapter,
  request: { apiVersion: dynamo, kind: 'DynamoGraphDeploymentRequest' },
  model: { apiVersion: dynamo, kind: 'DynamoModel' },
} as const satisfies Readonly<Record<string, ObjectKind>>;

/** The label of accounts and roles that the operator creates. */
const managedByOperator = 'app.kubernetes.io/managed-by=dynamo-operator';

/** Every watch of the controllers; where a selector can exclude foreign objects, the API server does not send them. */
export function watchedKinds({
  restrictedNamespace,
  mpiSecretName,
  virtualServiceGateway,
}: OperatorConfig): readonly WatchedKind[] {
  const all: readonly WatchedKind[] = [
    { ...ownKinds.graph },
    { ...ownKinds.component },
    { ...ownKinds.adapter, indexes: { [scaledServiceIndex]: (adapter) => [scaledServiceOf(adapter)] } },
    { ...ownKinds.request },
    { ...ownKinds.model, indexes: { [adapterIndex]: adaptersOf } },
    { ...kinds.deployment, selection: { labelSelector: label.graph }, project: deployment, ...ours },
    {
      ...kinds.deployment,
      selection: { labelSelector: `!${label.graph}` },
      project: deployment,
      ...ours,
      neededBy: { ...ownKinds.component, needs: lacksGraphLabel },
    },
    // No label is on all Services of ours, and none at all on Ingresses.
    { ...kinds.service, project: keepFields('spec'), ...ours },
    { ...kinds.ingress, ...ours },
    { ...kinds.claim, selection: { metadataOnly: true } },
    { ...kinds.serviceAccount, selection: { labelSelector: managedByOperator, metadataOnly: true } },
    { ...kinds.serviceAccount, selection: { labelSelector: `${label.componentPod}=true`, metadataOnly: true } },
    { ...kinds.role, selection: { labelSelector: managedByOperator } },
    { ...kinds.roleBinding, selection: { labelSelector: managedByOperator } },
    { ...kinds.configMap, selection: { labelSelector: label.graph } },
    { ...kinds.secret, selection: { fieldSelector: `type=${dockerConfigType}` }, project: secret, indexes: { type: secretType } },
    { ...kinds.secret, selection: { fieldSelector: `metadata.name=${mpiSecretName}` }, project: secret },
    { ...kinds.job, selection: { labelSelector: `${label.managedBy}=dynamo-operator` } },
    {
      ...kinds.pod,
      selection: { labelSelector: 'job-name' },
      labels: ['job-name'],
      project: podStatus,
      keep: isProfilerPod,
      marker: `"job-name":"${profilerJobPrefix}`,
    },
    { ...kinds.pod, selection: { labelSelector: label.graph }, project: podStatus, keep: isStuck },
    { ...kinds.endpointSlice, selection: { labelSelector: label.baseModelHash }, labels: [label.baseModelHash] },
    { ...kinds.leaderWorkerSet, optional: true, project: wholeAndWhoWrote, ...ours },
    { ...kinds.podGroup, optional: true, ...ours },
    { ...kinds.podCliqueSet, optional: true, ...ours },
    { ...kinds.podClique, optional: true, project: replicaCounts },
    { ...kinds.podCliqueScalingGroup, optional: true, project: replicaCounts },
    { ...kinds.inferencePool, optional: true, ...ours },
    ...(virtualServiceGateway === '' ? [] : [{ ...kinds.virtualService, optional: true, ...ours }]),
  ];
  return restrictedNamespace === ''
    ? all
    : all.map((watched) => ({ ...watched, selection: { ...watched.selection, namespace: restrictedNamespace } }));
}

/** The part to keep of an object that is read individually; never the data of a Secret. */
export function projectionOf({ kind }: ObjectKind): Projection {
  return kind === kinds.secret.kind ? secret : wholeObject;
}

/** Keeps only objects that Dynamo resources own; objects without the marker in their JSON are not even parsed. */
const ours = { keep: isOurs, marker: dynamo } as const;

/** Whether a Dynamo resource owns an object. */
function isOurs({ metadata }: KubernetesObject): boolean {
  return metadata.ownerReferences?.some(({ apiVersion }: OwnerReference) => apiVersion === dynamo) === true;
}

/** Whether the Deployment of a component lacks the label of a graph: one that no graph made has only the labels its user gives it. */
function lacksGraphLabel(component: KubernetesObject): boolean {
  const own = [findObject(component, 'spec', 'labels'), component.metadata.labels];
  return own.every((labels) => labels?.[label.graph] === undefined);
}

const profilerJobPrefix = 'profile-';

/** Whether a pod belongs to a Job that profiles for a request. */
function isProfilerPod({ metadata }: KubernetesObject): boolean {
  return metadata.labels?.['job-name']?.startsWith(profilerJobPrefix) === true;
}

/** Whether a pod is stuck. The others are not kept. */
function isStuck(object: KubernetesObject): boolean {
  return stuckReason(object) !== undefined;
}

function secretType(object: KubernetesObject): readonly string[] {
  return [stringAt(object, 'type')];
}

/** With `managedFields`, which tell whether the status of a LeaderWorkerSet is older than its spec. */
const wholeAndWhoWrote: Projection = (object) => object;

/** A Secret without its data. */
const secret: Projection = (object) => asObject(projectSecret(object), object);

/** The part of a pod template whose order matters; the rest is covered by the hash annotation. */
const deployment: Projection = (object) => {
  const { apiVersion, kind, metadata } = metadataOnly(object);
  const { replicas, paused } = findObject(object, 'spec') ?? {};
  const pod = findObject(object, 'spec', 'template', 'spec') ?? {};
  const template = {
    spec: { containers: containerNames(pod, 'containers'), initContainers: containerNames(pod, 'initContainers') },
  };
  const spec = dropUndefined({ replicas, paused, template });
  return { apiVersion, kind, metadata, spec, ...(isObject(object['status']) && { status: object['status'] }) };
};

function containerNames(pod: JsonObject, key: 'containers' | 'initContainers'): Json {
  return objectsAt(pod, key).map((container) => ({
    name: stringAt(container, 'name'),
    env: objectsAt(container, 'env').map((variable) => ({ name: stringAt(variable, 'name') })),
  }));
}

const replicaCounts: Projection = keepFields('spec.replicas', 'status');
const podStatus: Projection = keepFields('status');

function asObject(projected: JsonObject, { apiVersion, kind, metadata }: KubernetesObject): KubernetesObject {
  return { ...projected, apiVersion, kind, metadata: { ...objectAt(projected, 'metadata'), name: metadata.name } };
}

function dropUndefined(object: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
