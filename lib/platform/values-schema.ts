import { isObject, type Json, type JsonObject } from '../json/index.ts';
import {
  block,
  choice,
  flag,
  passThrough,
  listOf,
  mapOf,
  objects,
  probeTimes,
  strings,
  integer,
  string,
  type ValuesOf,
} from './schema-fields.ts';
import { fillIn } from './merge.ts';
import type { Part, ValuesSchema } from './part.ts';
import { parts } from './parts.ts';
import { switches } from './switches.ts';

/** Schema of the block `platform`: settings that the original does not have. */
const settingsSchema = block('settings of this package; Helm ignores them, so the same file works for both', {
  monitoring: block('monitors for a Prometheus operator', {
    enabled: flag('render ServiceMonitors, PodMonitors and rules; empty: when the API monitoring.coreos.com/v1 is known'),
    labels: mapOf('labels of every monitor and rule, which your Prometheus selects', string('value of the label')),
    namespaceLabels: mapOf('labels of the namespaces that may scrape; empty: all namespaces', string('value of the label')),
    rules: flag('render alert rules for what is installed; needs the API monitoring.coreos.com/v1'),
    dashboards: string('namespace whose Grafana sidecar loads dashboards; empty: none are rendered'),
    prometheus: string('address of Prometheus for a Grafana datasource beside the dashboards; empty: none is rendered'),
    scrapeConfig: flag('render a ConfigMap with scrape configuration, for a Prometheus without the Prometheus operator'),
    runbook: string('address of the runbook that alerts link to; empty: that of this project'),
  }),
  queues: block('queues of the KAI scheduler', {
    enabled: flag('render the queues; empty: when the API scheduling.run.ai/v2 is known'),
  }),
  certificates: block('certificate of the webhooks', {
    mode: choice(
      'source of the certificate; empty: as dynamo-operator.webhook says, otherwise cert-manager, or the operator itself with kind dynamo-cdk8s',
      'cert-manager',
      'external',
      'self-managed',
      'jobs',
    ),
    issuerRef: block('an existing issuer of cert-manager, instead of a self-signed root', {
      name: string('its name'),
      kind: string('Issuer or ClusterIssuer'),
      group: string('its API group; empty: cert-manager.io'),
    }),
  }),
  namespace: block('the release namespace', { create: flag('render it too, labelled for Pod Security restricted') }),
  networkPolicy: block('NetworkPolicies', {
    apiServerPorts: listOf('ports the API server listens on; empty: 443, 6443, 8443 and 16443', integer('one port', 1)),
    clientNamespaceLabels: mapOf(
      'labels of the namespaces whose pods may reach NATS and etcd; empty: every namespace, with a warning',
      string('value of the label'),
    ),
    allowAllNamespaces: flag('leave NATS and etcd open to every namespace without a warning'),
  }),
  operator: block('settings of the operator that the original does not have', {
    kind: choice(
      'which operator runs: the published image of the original, rendered for the release its tag names, or the operator of this package',
      'original',
      'dynamo-cdk8s',
    ),
    image: string('image of the kind dynamo-cdk8s with registry and tag; none is published, npm run image builds it'),
    nodeSelector: mapOf('labels that the node of the operator pod must have', string('value of the label')),
    logLevel: string('log level of the operator: debug, info, error, or a number'),
    priorityClassName: string('priority class of the operator pod'),
    strategy: passThrough(
      'how the Deployment replaces its pods; empty: Recreate for one replica, a rolling update of one pod at a time for more',
    ),
    livenessProbe: probeTimes('times of the probe that restarts the operator'),
    readinessProbe: probeTimes('times of the probe that lets the API server call the webhooks'),
  }),
  imageDigests: mapOf('digests to pin, by image reference as dynamo-cdk8s images prints it', string('digest such as sha256:...')),
  managedBy: string('value of the label app.kubernetes.io/managed-by'),
  profile: choice('set of switches to start from; the command line overrides it', 'secure', 'parity'),
  switches: block(
    'single differences between the profiles; the command line overrides them',
    Object.fromEntries(Object.entries(switches).map(([name, s]) => [name, flag(`on: ${s.on}. Off: ${s.off}.`)])),
  ),
});

/** Values of the block `platform`. */
export type SettingsValues = NonNullable<ValuesOf<typeof settingsSchema>>;

/** Schema of the top-level block `global`, which reaches every part. */
const globalSchema = block('values for every part', {
  imageRegistry: string('registry, with an optional path, of every image of every part (etcd only in the profile parity)'),
  imagePullSecrets: listOf('pull secrets of every pod; in the profile parity of etcd and KAI only', {
    type: ['string', 'object', 'null'],
    description: 'a name, or {name}',
    additionalProperties: true,
  }),
  storageClass: string('storage class of etcd; overrides etcd.persistence.storageClass'),
  defaultStorageClass: string('storage class of etcd if it sets none'),
  image: block('images of NATS', {
    registry: string('registry'),
    pullPolicy: string('when to pull'),
    pullSecretNames: strings('pull secrets of NATS pods'),
  }),
  labels: mapOf('labels of every NATS object and pod', string('value of the label')),
  security: block('checks of the etcd chart', {
    allowInsecureImages: flag('accept images that the etcd chart does not support'),
  }),
  compatibility: block('differences between clusters', {
    openshift: block('OpenShift', {
      adaptSecurityContext: choice(
        'let the cluster assign user ids: if its API is known, always, never',
        'auto',
        'force',
        'disabled',
      ),
    }),
  }),
  registry: string('image prefix of KAI'),
  tag: string('not read'),
  imagePullPolicy: string('when KAI pulls'),
  securityContext: passThrough('security context of KAI containers'),
  tolerations: objects('tolerations of KAI pods'),
  affinity: passThrough('affinity of KAI pods'),
  nodeSelector: passThrough('node selector of KAI pods'),
  leaderElection: flag('leader election of KAI'),
  gpuSharing: flag('GPU sharing of KAI'),
  clusterAutoscaling: flag('cluster autoscaling of KAI'),
  namespaceLabelSelector: passThrough('namespaces KAI looks at'),
  podLabelSelector: passThrough('pods KAI looks at'),
  resourceReservation: block('reservation pods of KAI', {
    namespace: string('namespace'),
    serviceAccount: string('account'),
    appLabel: string('label'),
  }),
});

/** Values of the block `global`. */
export type GlobalValues = NonNullable<ValuesOf<typeof globalSchema>>;

/** Schema of the whole tree of values. */
export function valuesSchema(): ValuesSchema {
  const blocks = Object.fromEntries(parts.map((part) => [part.key, part.schema]));
  return {
    type: 'object',
    description: 'values of the Dynamo platform',
    properties: { global: globalSchema, ...blocks, platform: settingsSchema },
  };
}

function withDefaults(schema: ValuesSchema, value: Json | undefined): JsonObject {
  const { properties, items, additionalProperties, ...rest } = schema;
  const leaf = properties === undefined && value !== undefined && value !== null;
  return {
    ...(rest as JsonObject),
    ...(leaf ? { default: value } : {}),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([key, child]) => [
              key,
              withDefaults(child, isObject(value) ? value[key] : undefined),
            ]),
          ),
          additionalProperties: false,
        }),
    ...(items === undefined ? {} : { items: withDefaults(items, undefined) }),
    ...(additionalProperties === undefined || properties !== undefined
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === 'boolean' ? additionalProperties : withDefaults(additionalProperties, undefined),
        }),
  };
}

/** Defaults of one part in the platform chart. */
function effectiveDefaults(part: Part): JsonObject {
  return fillIn(part.platformDefaults, part.defaults);
}

/** The JSON Schema for editors, with descriptions and defaults; unknown keys are errors. */
export function editorSchema(): JsonObject {
  const defaults = Object.fromEntries(parts.map((part) => [part.key, effectiveDefaults(part)]));
  return withTitle('Values of the Dynamo platform', valuesSchema(), defaults);
}

/** A JSON Schema for editors with a title and defaults. */
export function withTitle(title: string, schema: ValuesSchema, defaults: JsonObject): JsonObject {
  return { $schema: 'http://json-schema.org/draft-07/schema#', title, ...withDefaults(schema, defaults) };
}
