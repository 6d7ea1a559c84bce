import type { JsonObject } from '../json/index.ts';

/** A NetworkPolicy that lets every pod of the cluster reach the pods of an app, on the given ports only. */
export function portPolicy(app: string, ports: readonly JsonObject[string][]): JsonObject {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: app, labels: { app } },
    spec: {
      podSelector: { matchLabels: { app } },
      policyTypes: ['Ingress'],
      ingress: [{ ports: ports.map((port) => ({ port, protocol: 'TCP' })), from: [{ namespaceSelector: {} }] }],
    },
  };
}
