import { service, metricsOf } from './network.ts';
import { imageNamed, type KaiRelease, repository } from './release.ts';
import { schedulerConfigMap } from './config.ts';
import type { JsonObject } from '../../json/index.ts';
import { atPath, templateString } from '../go-values.ts';
import { yamlScalar } from '../yaml-scalar.ts';
import { chartVersion } from './defaults.ts';
import { spreading } from './policies.ts';
import { additionalArguments, containerSettings, podSettings, portOf } from './pods.ts';

function deployment(
  name: string,
  spec: JsonObject,
  pod: JsonObject,
  labels: JsonObject = {},
  annotations: JsonObject = {},
): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, ...labels },
    spec: {
      ...spec,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name }, ...annotations }, spec: pod },
    },
  };
}

function account(name: string, labels: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, ...labels } };
}

/** The operator, which deploys the components that the chart does not render. */
export function operatorObjects(kai: KaiRelease): readonly JsonObject[] {
  const { values, context } = kai;
  const value = (path: string): string => templateString(atPath(values, path));
  const [metrics, probe] = [portOf(value('operator.metricsBindAddress')), portOf(value('operator.probeBindAddress'))];
  const labels = { labels: { app: 'kai-operator' } };
  const container: JsonObject = {
    name: 'operator',
    ...containerSettings(kai, 'operator'),
    args: [
      `--metrics-bind-address=${value('operator.metricsBindAddress')}`,
      `--health-probe-bind-address=${value('operator.probeBindAddress')}`,
      `--leader-elect=${value('global.leaderElection')}`,
      `--qps=${value('operator.qps')}`,
      `--burst=${value('operator.burst')}`,
      `--namespace=${context.namespace}`,
    ],
    env: [
      { name: 'WATCH_NAMESPACE', value: context.namespace },
      { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'OPERATOR_NAME', value: 'kai-operator' },
      { name: 'MS_REPOSITORY', value: repository(kai) },
      { name: 'MS_TAG', value: chartVersion },
    ],
    ports: [
      { containerPort: metrics, name: 'metrics' },
      { containerPort: probe, name: 'probe' },
    ],
    livenessProbe: { httpGet: { path: '/healthz', port: probe }, initialDelaySeconds: 15, periodSeconds: 20 },
    readinessProbe: { httpGet: { path: '/readyz', port: probe }, initialDelaySeconds: 5, periodSeconds: 10 },
  };
  const pod = { serviceAccountName: 'kai-operator', ...podSettings(kai), ...spreading(kai), containers: [container] };
  return [
    account('kai-operator', labels),
    deployment('kai-operator', { replicas: yamlScalar(atPath(values, 'operator.replicaCount')) }, pod, labels),
  ];
}

const recreated = { replicas: 1, strategy: { type: 'Recreate' } };

/** The binder. In the original its probe address has no port, so that it listens on a random one. */
export function binderObjects(kai: KaiRelease): readonly JsonObject[] {
  const { values, context } = kai;
  const value = (path: string): string => templateString(atPath(values, path));
  const repaired = context.switches['kai-repairs'];
  const metrics = yamlScalar(atPath(values, 'binder.ports.metricsPort'));
  const container: JsonObject = {
    name: 'binder',
    ...containerSettings(kai, 'binder'),
    args: [
      `--leader-elect=${value('global.leaderElection')}`,
      `--health-probe-bind-address=:${repaired ? '8081' : ''}`,
      `--resource-reservation-pod-image=${imageNamed(kai, value('binder.resourceReservationImage.name'))}`,
      `--metrics-bind-address=:${templateString(metrics)}`,
      `--cdi-enabled=${value('binder.cdi')}`,
      `--resource-reservation-namespace=${value('global.resourceReservation.namespace')}`,
      `--resource-reservation-service-account=${value('global.resourceReservation.serviceAccount')}`,
      `--resource-reservation-app-label=${value('global.resourceReservation.appLabel')}`,
      ...additionalArguments(kai, 'binder'),
    ],
  };
  const webhook: readonly JsonObject[] = repaired ? [] : [{ name: 'webhook', protocol: 'TCP', port: 443 }];
  return [
    account('binder'),
    service('binder', [...webhook, metricsOf(metrics)]),
    deployment('binder', recreated, { serviceAccountName: 'binder', ...podSettings(kai), containers: [container] }),
  ];
}

/** The scheduler with its configuration. */
export function schedulerObjects(kai: KaiRelease): readonly JsonObject[] {
  const { values, context } = kai;
  const value = (path: string): string => templateString(atPath(values, path));
  const metrics = yamlScalar(atPath(values, 'scheduler.ports.metricsPort'));
  const config = schedulerConfigMap(kai);
  // A subPath mount gets no updates of the ConfigMap: https://kubernetes.io/docs/concepts/storage/volumes/#configmap
  const checksum = { annotations: { 'checksum/scheduler-config': context.checksum(config.data['config.yaml']) } };
  const container: JsonObject = {
    name: 'scheduler',
    ...containerSettings(kai, 'scheduler'),
    args: [
      `--leader-elect=${value('global.leaderElection')}`,
      '--scheduler-conf=/etc/config/config.yaml',
      `--namespace=${context.namespace}`,
      `--resource-reservation-app-label=${value('global.resourceReservation.appLabel')}`,
      ...additionalArguments(kai, 'scheduler'),
    ],
    ports: [{ name: 'metrics', containerPort: metrics }],
    volumeMounts: [{ name: 'config', subPath: 'config.yaml', mountPath: '/etc/config/config.yaml' }],
  };
  const pod = {
    serviceAccountName: 'scheduler',
    ...podSettings(kai),
    containers: [container],
    volumes: [{ name: 'config', configMap: { name: 'scheduler-config' } }],
  };
  return [
    account('scheduler'),
    config,
    service('scheduler', [metricsOf(metrics)]),
    deployment('scheduler', recreated, pod, {}, context.switches['kai-repairs'] ? checksum : {}),
  ];
}
