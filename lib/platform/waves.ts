import type { KubernetesObject } from './part.ts';

/** Order of application: an object may need every object of the waves before it. */
export const waves = {
  namespaces: -6,
  definitions: -5,
  identities: -4,
  certificates: -3,
  services: -2,
  operator: 0,
  webhooks: 1,
  monitors: 2,
  resources: 3,
} as const;

const byKind: Readonly<Record<string, number>> = {
  Namespace: waves.namespaces,
  CustomResourceDefinition: waves.definitions,
  ServiceAccount: waves.identities,
  Role: waves.identities,
  ClusterRole: waves.identities,
  RoleBinding: waves.identities,
  ClusterRoleBinding: waves.identities,
  Secret: waves.identities,
  ConfigMap: waves.identities,
  PriorityClass: waves.identities,
  Issuer: waves.certificates,
  ClusterIssuer: waves.certificates,
  Certificate: waves.certificates,
  ValidatingWebhookConfiguration: waves.webhooks,
  MutatingWebhookConfiguration: waves.webhooks,
  Queue: waves.monitors,
  ServiceMonitor: waves.monitors,
  PodMonitor: waves.monitors,
  PrometheusRule: waves.monitors,
};

/** Wave of an object of the platform. The webhooks of Grove and KAI go with their controllers, so only the operator's wait for it. */
export function waveOf(object: KubernetesObject): number {
  if (object.apiVersion.startsWith('nvidia.com/')) return waves.resources;
  const known = byKind[object.kind];
  if (known !== undefined) return known;
  return object.kind === 'Deployment' && object.metadata.labels?.['control-plane'] === 'controller-manager'
    ? waves.operator
    : waves.services;
}

/** Objects in the order of their waves; within a wave the order stays. */
export function inWaves(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  return objects
    .map((object, index) => ({ object, index, wave: waveOf(object) }))
    .sort((a, b) => a.wave - b.wave || a.index - b.index)
    .map(({ object }) => object);
}
