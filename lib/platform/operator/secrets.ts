import type { KubernetesObject } from '../../api/index.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import type { OperatorRelease } from './release.ts';

/** Name of the Secret with the environment of the manager. */
export const environmentSecret = 'dynamo-deployment-env';

/** The environment variables of the manager. */
export function managerEnvironment({ values, context }: OperatorRelease): Readonly<Record<string, string>> {
  const suffix = atPath(values, 'dynamo.dynamoIngressSuffix');
  return {
    INTERNAL_IMAGES_DEBUGGER: context.image(templateString(atPath(values, 'dynamo.internalImages.debugger'))),
    ...(truthy(atPath(values, 'dynamo.enableRestrictedSecurityContext')) ? { ENABLE_RESTRICTED_SECURITY_CONTEXT: 'true' } : {}),
    ...(truthy(suffix) ? { DYNAMO_INGRESS_SUFFIX: templateString(suffix) } : {}),
  };
}

/** The registry's key in a Docker configuration; that of Docker Hub is its old index URL. */
function registryKey(server: string): string {
  return server === 'docker.io' || server.startsWith('docker.io/') ? 'https://index.docker.io/v1/' : server;
}

function registryCredentials(scope: OperatorRelease): KubernetesObject {
  const read = (key: string): string => templateString(atPath(scope.values, 'dynamo', 'dockerRegistry', key));
  const [username, password] = [read('username'), read('password')];
  const auth = Buffer.from(`${username}:${password}`).toString('base64');
  const config = JSON.stringify({ auths: { [registryKey(read('server'))]: { username, password, auth } } });
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `${scope.name}-regcred`, namespace: scope.context.namespace, labels: scope.labels },
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': Buffer.from(config).toString('base64') },
  };
}

/** The manager's environment, and the registry credentials if the values contain them instead of a reference. */
export function operatorSecrets(scope: OperatorRelease): readonly KubernetesObject[] {
  const { values, context } = scope;
  const byValue =
    truthy(atPath(values, 'dynamo.dockerRegistry.useKubernetesSecret')) &&
    !truthy(atPath(values, 'dynamo.dockerRegistry.existingSecretName'));
  return [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: environmentSecret, namespace: context.namespace, labels: scope.labels },
      type: 'Opaque',
      ...context.secretData(managerEnvironment(scope)),
    },
    ...(byValue && !context.switches['registry-by-reference'] ? [registryCredentials(scope)] : []),
  ];
}
