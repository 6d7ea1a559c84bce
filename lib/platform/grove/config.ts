import { type JsonObject, listAt } from '../../json/index.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import { templateYaml } from '../template-yaml.ts';
import type { GroveRelease } from './release.ts';

/** Content of the operator's configuration file. */
function configFile(values: JsonObject, namespace: string): string {
  const config = atPath(values, 'config');
  const value = (path: string): string => templateString(atPath(config, path));
  const account = templateString(atPath(values, 'serviceAccount.name'));
  const exempt = listAt(atPath(config, 'authorizer.exemptServiceAccountUserNames'));
  const authorizer = `authorizer:
  enabled: true
  reconcilerServiceAccountUserName: system:serviceaccount:${namespace}:${account}
${exempt.length === 0 ? '' : `  exemptServiceAccountUserNames:\n${exempt.map((name) => `    - ${templateString(name)}\n`).join('')}`}`;
  return `apiVersion: operator.config.grove.io/v1alpha1
kind: OperatorConfiguration
runtimeClientConnection:
  qps: ${value('runtimeClientConnection.qps')}
  burst: ${value('runtimeClientConnection.burst')}
leaderElection:
  enabled: ${value('leaderElection.enabled')}
  leaseDuration: ${value('leaderElection.leaseDuration')}
  renewDeadline: ${value('leaderElection.renewDeadline')}
  retryPeriod: ${value('leaderElection.retryPeriod')}
  resourceLock: ${value('leaderElection.resourceLock')}
  resourceName: ${value('leaderElection.resourceName')}
  resourceNamespace: ${namespace}
server:
  webhooks:
    port: ${value('server.webhooks.port')}
  healthProbes:
    port: ${value('server.healthProbes.port')}
  metrics:
    port: ${value('server.metrics.port')}
controllers:
  podCliqueSet:
    concurrentSyncs: ${value('controllers.podCliqueSet.concurrentSyncs')}
  podClique:
    concurrentSyncs: ${value('controllers.podClique.concurrentSyncs')}
debugging:
  enableProfiling: ${value('debugging.enableProfiling')}
logLevel: ${value('logLevel')}
logFormat: ${value('logFormat')}
${truthy(atPath(config, 'authorizer.enabled')) ? authorizer : ''}`;
}

/**
 * The ConfigMap with the operator's configuration file. Its name has the checksum of the file, as in Helm's chart: a changed file changes the name,
 * which restarts the operator.
 */
export function configMap({
  values,
  context,
  labels,
}: GroveRelease): JsonObject & { readonly metadata: { readonly name: string; readonly labels: JsonObject } } {
  const data = { 'config.yaml': configFile(values, context.namespace) };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `grove-operator-cm-${context.checksum(templateYaml(data), 8)}`, labels: labels('configMap') },
    immutable: true,
    data,
  };
}
