import type { KubernetesObject } from '../../lib/api/index.ts';
import type { Environment, GitopsInput } from '../../lib/gitops/layout.ts';

/** An operator Deployment of a small platform. */
export function deployment(image: string, replicas: number, args: readonly string[] = []): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'operator', namespace: 'dynamo-system', labels: { 'control-plane': 'controller-manager' } },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'operator' } },
      template: {
        metadata: { labels: { app: 'operator' } },
        spec: { containers: [{ name: 'manager', image, args: [...args] }] },
      },
    },
  };
}

/** A Service of a small platform. */
export function service(name: string): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'dynamo-system' },
    spec: { selector: { app: name }, ports: [{ port: 4222 }] },
  };
}

/** An environment with an operator and, in a part of its own, the given objects. */
export function environment(name: string, operator: KubernetesObject, nats: readonly KubernetesObject[]): Environment {
  return {
    name,
    namespace: 'dynamo-system',
    parts: [
      { name: 'namespace', objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'dynamo-system' } }] },
      { name: 'operator', objects: [operator] },
      { name: 'nats', objects: nats },
    ],
  };
}

const graph: KubernetesObject = {
  apiVersion: 'nvidia.com/v1alpha1',
  kind: 'DynamoGraphDeployment',
  metadata: { name: 'qwen', namespace: 'models' },
  spec: { services: { Frontend: {} } },
};
const cache: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'engine', namespace: 'models' },
  data: { a: 'b' },
};
const crd: KubernetesObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'dynamographdeployments.nvidia.com' },
  spec: { group: 'nvidia.com' },
};

/** A small platform with the given environments; without any, the base is the only one. */
export function toyInput(environments: readonly Environment[] = []): GitopsInput {
  const base = environment('default', deployment('example.com/operator:1.0', 1), [service('nats')]);
  return { base, environments: environments.length > 0 ? environments : [base], graphs: [graph, cache], crds: [crd] };
}
