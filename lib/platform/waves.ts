import type { KubernetesObject } from '../api/index.ts';
import { isObject } from '../json/index.ts';

/** A step of the order in which objects are applied: its objects must exist before the next step starts. */
export interface Wave {
  /** Number of Argo CD's sync wave: https://argo-cd.readthedocs.io/en/stable/user-guide/sync-waves/ */
  readonly number: number;
  /** Name of the step, for files and Flux Kustomizations. */
  readonly name: string;
  readonly holds: string;
}

/** All steps, first to last. */
export const waves = [
  { number: -6, name: 'namespaces', holds: 'namespaces' },
  { number: -5, name: 'crds', holds: 'custom resource definitions' },
  { number: -4, name: 'access', holds: 'service accounts, RBAC, secrets, config maps, priority classes' },
  { number: -3, name: 'certificates', holds: 'issuers and certificates' },
  {
    number: -2,
    name: 'dependencies',
    holds: 'NATS, etcd, services, disruption budgets, network policies, Grove and KAI controllers',
  },
  { number: 0, name: 'operator', holds: 'the operator' },
  { number: 1, name: 'webhooks', holds: 'webhook configurations, once the operator answers; root queues' },
  { number: 2, name: 'extras', holds: 'queues, monitors, alert rules; what graphs refer to' },
  { number: 3, name: 'graphs', holds: 'Dynamo custom resources' },
] as const satisfies readonly Wave[];

/** Name of a step. */
export type WaveName = (typeof waves)[number]['name'];

const byKind: Readonly<Record<string, WaveName>> = {
  Namespace: 'namespaces',
  CustomResourceDefinition: 'crds',
  ServiceAccount: 'access',
  Role: 'access',
  RoleBinding: 'access',
  ClusterRole: 'access',
  ClusterRoleBinding: 'access',
  Secret: 'access',
  ConfigMap: 'access',
  PriorityClass: 'access',
  Issuer: 'certificates',
  ClusterIssuer: 'certificates',
  Certificate: 'certificates',
  ValidatingWebhookConfiguration: 'webhooks',
  MutatingWebhookConfiguration: 'webhooks',
  ServiceMonitor: 'extras',
  PodMonitor: 'extras',
  PrometheusRule: 'extras',
};

/** The step of an object. `graph`: whether it belongs to a graph; what a graph refers to is applied just before it. */
export function waveOf(object: KubernetesObject, graph = false): Wave {
  return find(waveNameOf(object, graph));
}

function waveNameOf(object: KubernetesObject, graph: boolean): WaveName {
  if (object.apiVersion.startsWith('nvidia.com/')) return 'graphs';
  if (graph) return object.kind === 'Namespace' ? 'namespaces' : 'extras';
  // Argo CD sorts by name within a wave, which would put the queue `dynamo` before its parent `dynamo-default`.
  if (object.kind === 'Queue')
    return isObject(object['spec']) && object['spec']['parentQueue'] === undefined ? 'webhooks' : 'extras';
  if (object.kind === 'Deployment' && object.metadata.labels?.['control-plane'] === 'controller-manager') return 'operator';
  return byKind[object.kind] ?? 'dependencies';
}

function find(name: WaveName): Wave {
  return waves.find((w) => w.name === name) ?? waves[0];
}

/** Sorts objects by step; within a step they keep their order. */
export function sortByWave(objects: readonly KubernetesObject[], graph = false): readonly KubernetesObject[] {
  return objects.toSorted((a, b) => waveOf(a, graph).number - waveOf(b, graph).number);
}
