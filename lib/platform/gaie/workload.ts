import { configKey } from './config.ts';
import { type GaieRelease, pickerDynamoNamespace } from './release.ts';
import { type JsonObject, listAt } from '../../json/index.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import { pullSecretFields } from '../image-pull-secrets.ts';
import { restrictedContainer, restrictedPod } from '../pod-security.ts';

function field(name: string, fieldPath: string): JsonObject {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}

function dynamoEnvironment(gaie: GaieRelease): readonly JsonObject[] {
  const { values } = gaie;
  const platform = templateString(atPath(values, 'platformReleaseName'));
  const namespace = templateString(atPath(values, 'platformNamespace'));
  return [
    field('POD_NAMESPACE', 'metadata.namespace'),
    field('POD_NAME', 'metadata.name'),
    field('POD_UID', 'metadata.uid'),
    truthy(atPath(values, 'epp.dynamo.useEtcd'))
      ? { name: 'ETCD_ENDPOINTS', value: `${platform}-etcd.${namespace}:2379` }
      : { name: 'DYN_DISCOVERY_BACKEND', value: 'kubernetes' },
    { name: 'NATS_SERVER', value: `nats://${platform}-nats.${namespace}:4222` },
    { name: 'DYN_NAMESPACE', value: pickerDynamoNamespace(gaie) },
    { name: 'DYN_KV_BLOCK_SIZE', value: templateString(atPath(values, 'epp.dynamo.kvBlockSize')) },
    { name: 'USE_STREAMING', value: 'true' },
    { name: 'HF_TOKEN', valueFrom: { secretKeyRef: { name: 'hf-token-secret', key: 'HF_TOKEN', optional: true } } },
  ];
}

function pickerArguments({ values, context, stem }: GaieRelease, dynamo: boolean): readonly string[] {
  const given = listAt(atPath(values, 'epp.argsOverride'));
  if (given.length > 0) return given.map(templateString);
  const flags: Readonly<Record<string, string>> = {
    '-pool-name': `${stem}-pool`,
    '-pool-namespace': context.namespace,
    '-pool-group': 'inference.networking.k8s.io',
    '-v': '4',
    '--zap-encoder': 'json',
    '-grpc-port': '9002',
    '-grpc-health-port': '9003',
    ...(dynamo ? { '-config-file': templateString(atPath(values, 'epp.configFile')) } : {}),
  };
  return Object.entries(flags).flat();
}

const probe = { grpc: { port: 9003, service: 'inference-extension' }, initialDelaySeconds: 5, periodSeconds: 10 };

function container(gaie: GaieRelease, dynamo: boolean): JsonObject {
  const { values, context } = gaie;
  const log = context.switches['gaie-repairs'] ? 'info' : 'debug,dynamo_llm::kv_router=trace';
  return {
    name: 'epp',
    image: context.image(templateString(atPath(values, 'extension.image'))),
    imagePullPolicy: templateString(atPath(values, 'epp.imagePullPolicy')),
    args: pickerArguments(gaie, dynamo),
    env: [
      ...(dynamo ? dynamoEnvironment(gaie) : []),
      ...listAt(atPath(values, 'epp.extraEnv')),
      { name: 'RUST_LOG', value: log },
    ],
    ports: [{ containerPort: 9002 }, { containerPort: 9003 }, { name: 'metrics', containerPort: 9090 }],
    livenessProbe: probe,
    readinessProbe: probe,
    ...(context.switches['pod-security'] ? { securityContext: restrictedContainer({}, context) } : {}),
    volumeMounts: [
      { name: 'hf-cache', mountPath: '/home/nonroot/.cache' },
      ...(dynamo ? [{ name: 'epp-config', mountPath: '/etc/epp', readOnly: true }] : []),
    ],
  };
}

/** The Deployment of the endpoint picker. */
export function pickerDeployment(gaie: GaieRelease): JsonObject {
  const { values, context, stem } = gaie;
  const app = `${stem}-epp`;
  const dynamo = truthy(atPath(values, 'epp.useDynamo'));
  const secrets = listAt(atPath(values, 'imagePullSecrets')).map((entry) => ({
    name: templateString(typeof entry === 'object' ? atPath(entry, 'name') : entry),
  }));
  const items = [{ key: configKey, path: configKey }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: app, labels: { app } },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app } },
      template: {
        metadata: { labels: { app } },
        spec: {
          ...pullSecretFields(secrets, context),
          ...(gaie.account === 'default' ? {} : { serviceAccountName: gaie.account }),
          terminationGracePeriodSeconds: 130,
          ...(context.switches['pod-security'] ? { securityContext: restrictedPod({}, context) } : {}),
          containers: [container(gaie, dynamo)],
          volumes: [
            { name: 'hf-cache', emptyDir: {} },
            ...(dynamo ? [{ name: 'epp-config', configMap: { name: gaie.configMap, items } }] : []),
          ],
        },
      },
    },
  };
}
