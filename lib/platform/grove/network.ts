import { objectAt, type JsonObject } from '../../json/index.ts';
import { atPath, templateString } from '../go-values.ts';
import { yamlScalar } from '../yaml-scalar.ts';
import type { GroveRelease } from './release.ts';

/** The Service for metrics and webhooks. */
export function service({ values, labels }: GroveRelease): JsonObject {
  const port = (name: string, path: string): JsonObject => {
    const number = yamlScalar(atPath(values, `config.server.${path}.port`));
    return { name, protocol: 'TCP', port: number, targetPort: number };
  };
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: templateString(atPath(values, 'service.name')), labels: labels('serviceAccount') },
    spec: {
      type: templateString(atPath(values, 'service.type')),
      selector: objectAt(atPath(values, 'deployment.labels')),
      ports: [port('metrics', 'metrics'), port('webhooks', 'webhooks')],
    },
  };
}
