import type { JsonObject } from '../../json/index.ts';

/** The Service of a component. */
export function service(name: string, ports: readonly JsonObject[]): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: { app: name }, ports, sessionAffinity: 'None', type: 'ClusterIP' },
  };
}

/** The port of metrics. */
export const metricsOf = (port: JsonObject[string]): JsonObject => ({
  name: 'http-metrics',
  protocol: 'TCP',
  port,
  targetPort: port,
});
