import { spreadConstraint } from '../spread-constraint.ts';
import { isObject, type Json, type JsonObject, listAt, objectAt } from '../../json/index.ts';
import type { PlatformContext } from '../platform-context.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import { yamlScalar } from '../yaml-scalar.ts';
import { pullSecretFields } from '../image-pull-secrets.ts';
import { restrictedContainer, restrictedPod, secretMode, volumeGroup } from '../pod-security.ts';

/** Input of the Deployment. */
interface DeploymentSource {
  readonly values: JsonObject;
  readonly context: PlatformContext;
  readonly labels: JsonObject;
  readonly configMap: string;
}

function image(values: JsonObject): string {
  const tag = templateString(atPath(values, 'image.tag'));
  return `${templateString(atPath(values, 'image.repository'))}${tag.startsWith('sha256:') ? '@' : ':'}${tag}`;
}

function probes({ values, context }: DeploymentSource): JsonObject {
  if (!truthy(atPath(values, 'config.server.healthProbes.enable')) && !context.switches['grove-probes']) return {};
  const get = (path: string): JsonObject => ({
    httpGet: { path, port: yamlScalar(atPath(values, 'config.server.healthProbes.port')), scheme: 'HTTP' },
  });
  return {
    livenessProbe: { ...get('/healthz'), initialDelaySeconds: 15, timeoutSeconds: 5 },
    readinessProbe: { ...get('/readyz'), initialDelaySeconds: 10, timeoutSeconds: 5 },
  };
}

/** The token of the account as an explicit volume, since the account does not mount it automatically. */
const apiAccess = {
  name: 'kube-api-access-grove',
  projected: {
    defaultMode: 420,
    sources: [
      { serviceAccountToken: { path: 'token', expirationSeconds: 43200 } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      { downwardAPI: { items: [{ path: 'namespace', fieldRef: { fieldPath: 'metadata.namespace', apiVersion: 'v1' } }] } },
    ],
  },
};

/** Rewrites the registry of the image in GROVE_INIT_CONTAINER_IMAGE, to which Grove appends its own tag; other variables stay unchanged. */
function rewriteInitImage(entry: Json, context: PlatformContext): Json {
  const given = atPath(entry, 'value');
  if (!isObject(entry) || entry['name'] !== 'GROVE_INIT_CONTAINER_IMAGE' || !truthy(given)) return entry;
  return { ...entry, value: context.image(templateString(given)) };
}

function container(source: DeploymentSource): JsonObject {
  const { values, context } = source;
  return {
    name: 'grove-operator',
    image: context.image(image(values)),
    imagePullPolicy: templateString(atPath(values, 'image.pullPolicy')),
    args: ['--config=/etc/grove-operator/config/config.yaml'],
    ...probes(source),
    resources: atPath(values, 'resources'),
    ...(context.switches['pod-security'] ? { securityContext: restrictedContainer({}, context) } : {}),
    volumeMounts: [
      { name: 'operator-config', mountPath: '/etc/grove-operator/config' },
      { name: 'kube-api-access-grove', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', readOnly: true },
      { name: 'grove-webhook-server-cert', mountPath: '/etc/grove-operator/webhook-certs', readOnly: true },
    ],
    env: [
      { name: 'GROVE_OPERATOR_SERVICE_ACCOUNT_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.serviceAccountName' } } },
      ...listAt(atPath(values, 'deployment.env')).map((entry) => rewriteInitImage(entry, context)),
    ],
  };
}

/** The Deployment of the operator. */
export function deployment(source: DeploymentSource): JsonObject {
  const { values, context, labels, configMap } = source;
  const selector = objectAt(atPath(values, 'deployment.labels'));
  const replicas = yamlScalar(atPath(values, 'replicaCount'));
  const spread = context.switches['spread-replicas'] && Number(templateString(replicas)) > 1;
  const constraint = spreadConstraint('node', selector);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'grove-operator', labels },
    spec: {
      replicas,
      selector: { matchLabels: selector },
      template: {
        metadata: { labels },
        spec: {
          ...(truthy(atPath(values, 'priorityClass.enabled'))
            ? { priorityClassName: templateString(atPath(values, 'priorityClass.name')) }
            : {}),
          serviceAccountName: templateString(atPath(values, 'serviceAccount.name')),
          automountServiceAccountToken: atPath(values, 'serviceAccount.automount'),
          securityContext: restrictedPod({ ...volumeGroup(context), seccompProfile: { type: 'RuntimeDefault' } }, context),
          ...pullSecretFields([], context),
          ...(truthy(atPath(values, 'tolerations')) ? { tolerations: atPath(values, 'tolerations') } : {}),
          ...(spread ? { topologySpreadConstraints: [constraint] } : {}),
          containers: [container(source)],
          volumes: [
            apiAccess,
            { name: 'operator-config', configMap: { name: configMap } },
            {
              name: 'grove-webhook-server-cert',
              secret: { secretName: 'grove-webhook-server-cert', defaultMode: 420, ...secretMode(context) },
            },
          ],
        },
      },
    },
  };
}
