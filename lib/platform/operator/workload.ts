import type { KubernetesObject } from '../../api/index.ts';
import { spreadConstraint } from '../spread-constraint.ts';
import { type Json, type JsonObject, listAt, objectAt } from '../../json/index.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import { yamlScalar } from '../yaml-scalar.ts';
import { pullSecretFields } from '../image-pull-secrets.ts';
import { managerArguments, metricsPort, proxyArguments, servesMetricsSecurely } from './arguments.ts';
import { chartVersion } from './defaults.ts';
import { restrictedContainer, restrictedPod, secretMode, volumeGroup } from '../pod-security.ts';
import type { ProbeTimes } from '../settings.ts';
import type { OperatorRelease } from './release.ts';
import { environmentSecret, managerEnvironment } from './secrets.ts';

/** Number of operator replicas. */
export function replicas({ values }: OperatorRelease): number {
  const count = yamlScalar(atPath(values, 'controllerManager.replicas'));
  return typeof count === 'number' ? count : 1;
}

/** Whether the webhook certificate is mounted from its Secret; an operator that manages its own keeps it in memory. */
function mountsCertificate(scope: OperatorRelease): boolean {
  return truthy(atPath(scope.values, 'webhook.enabled')) && scope.certificates !== 'self-managed';
}

const port = (containerPort: number, name: string): JsonObject => ({ containerPort, name, protocol: 'TCP' });

const probe = (path: string, times: ProbeTimes): JsonObject => ({ httpGet: { path, port: 8081 }, ...times });

function filled(key: string, value: Json | undefined): JsonObject {
  return truthy(value) ? { [key]: value } : {};
}

function proxyImage({ values, context }: OperatorRelease): string {
  const image = atPath(values, 'controllerManager.kubeRbacProxy.image');
  const repository = templateString(atPath(image, 'repository'));
  // The registry of the original is closed.
  const current =
    context.switches['proxy-image'] && repository === 'gcr.io/kubebuilder/kube-rbac-proxy'
      ? 'quay.io/brancz/kube-rbac-proxy'
      : repository;
  const tag = atPath(image, 'tag');
  return context.image(`${current}:${truthy(tag) ? templateString(tag) : chartVersion}`);
}

function container(scope: OperatorRelease, key: 'manager' | 'kubeRbacProxy', fields: JsonObject): JsonObject {
  const values = objectAt(atPath(scope.values, 'controllerManager', key));
  const env = [{ name: 'KUBERNETES_CLUSTER_DOMAIN', value: templateString(scope.values['kubernetesClusterDomain']) }];
  const securityContext = restrictedContainer(objectAt(values['containerSecurityContext']), scope.context);
  return { ...fields, env, ...filled('resources', values['resources']), ...filled('securityContext', securityContext) };
}

function proxyContainer(scope: OperatorRelease): JsonObject {
  return container(scope, 'kubeRbacProxy', {
    name: 'kube-rbac-proxy',
    image: proxyImage(scope),
    args: proxyArguments(scope),
    ports: [port(8443, 'https')],
  });
}

function managerPorts(scope: OperatorRelease): readonly JsonObject[] {
  return [
    ...(servesMetricsSecurely(scope) ? [port(metricsPort(scope), 'https')] : []),
    ...(truthy(atPath(scope.values, 'webhook.enabled')) ? [port(9443, 'webhook-server')] : []),
  ];
}

function managerContainer(scope: OperatorRelease): JsonObject {
  const { values, context } = scope;
  const pullPolicy = atPath(values, 'controllerManager.manager.image.pullPolicy');
  return container(scope, 'manager', {
    name: 'manager',
    image: context.image(scope.image),
    ...(context.switches['pull-policy'] ? filled('imagePullPolicy', pullPolicy) : {}),
    command: ['/manager'],
    args: managerArguments(scope),
    envFrom: [{ secretRef: { name: environmentSecret } }],
    ...filled('ports', managerPorts(scope)),
    livenessProbe: probe('/healthz', { initialDelaySeconds: 15, periodSeconds: 20, ...context.settings.operator.livenessProbe }),
    readinessProbe: probe('/readyz', { initialDelaySeconds: 5, periodSeconds: 10, ...context.settings.operator.readinessProbe }),
    ...(mountsCertificate(scope)
      ? { volumeMounts: [{ mountPath: '/tmp/k8s-webhook-server/serving-certs', name: 'cert', readOnly: true }] }
      : {}),
  });
}

/** Spreads replicas over nodes and over zones. */
function spread(scope: OperatorRelease): JsonObject {
  if (!scope.context.switches['high-availability'] || replicas(scope) < 2) return {};
  return { topologySpreadConstraints: [spreadConstraint('node', scope.selector), spreadConstraint('zone', scope.selector)] };
}

/** The strategy of the Deployment: that of the values, otherwise a rolling update without unavailable replicas; `Recreate` for one replica, as in the original. */
function strategy(scope: OperatorRelease): JsonObject {
  const given = scope.context.settings.operator.strategy;
  if (given !== undefined) return given;
  const rolling = scope.context.switches['high-availability'] && replicas(scope) > 1;
  return rolling ? { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } : { type: 'Recreate' };
}

function annotations(scope: OperatorRelease): Readonly<Record<string, string>> {
  const base = { 'kubectl.kubernetes.io/default-container': 'manager' };
  if (!scope.context.switches['environment-checksum']) return base;
  return {
    ...base,
    'checksum/dynamo-deployment-env': scope.context.checksum(JSON.stringify(managerEnvironment(scope))),
  };
}

/** The Deployment of the operator: the manager, and the metrics proxy unless the manager serves metrics securely itself. */
export function operatorDeployment(scope: OperatorRelease): KubernetesObject {
  const { values, name, context, selector } = scope;
  const secretName = templateString(atPath(values, 'webhook.certificateSecret.name'));
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: `${name}-controller-manager`,
      namespace: context.namespace,
      labels: { ...scope.componentLabels('manager'), 'control-plane': 'controller-manager' },
    },
    spec: {
      replicas: yamlScalar(atPath(values, 'controllerManager.replicas')),
      strategy: strategy(scope),
      selector: { matchLabels: selector },
      template: {
        metadata: { labels: selector, annotations: annotations(scope) },
        spec: {
          ...pullSecretFields(listAt(values['imagePullSecrets']), context),
          ...filled('priorityClassName', context.settings.operator.priorityClassName),
          ...filled('nodeSelector', context.settings.operator.nodeSelector),
          ...filled('tolerations', atPath(values, 'controllerManager.tolerations')),
          ...filled('affinity', atPath(values, 'controllerManager.affinity')),
          ...spread(scope),
          securityContext: restrictedPod(
            { ...(mountsCertificate(scope) ? volumeGroup(context) : {}), runAsNonRoot: true },
            context,
          ),
          serviceAccountName: scope.account,
          terminationGracePeriodSeconds: 30,
          containers: [...(servesMetricsSecurely(scope) ? [] : [proxyContainer(scope)]), managerContainer(scope)],
          ...(mountsCertificate(scope)
            ? { volumes: [{ name: 'cert', secret: { defaultMode: 420, ...secretMode(context), secretName } }] }
            : {}),
        },
      },
    },
  };
}
