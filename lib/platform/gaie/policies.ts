import type { GaieRelease } from './release.ts';
import type { JsonObject } from '../../json/index.ts';

/** Who may call the endpoint picker: everybody in the cluster, on its own ports only. */
export function networkPolicy({ stem }: GaieRelease): JsonObject {
  const app = `${stem}-epp`;
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: app, labels: { app } },
    spec: {
      podSelector: { matchLabels: { app } },
      policyTypes: ['Ingress'],
      ingress: [{ ports: [9002, 9003, 9090].map((port) => ({ port, protocol: 'TCP' })), from: [{ namespaceSelector: {} }] }],
    },
  };
}
