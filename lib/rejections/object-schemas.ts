/** Schemas of the built-in kinds that the platform renders. Pod specs have the fields that a graph allows in `extraPodSpec`. */
import { labelSelector, podSpec, type Schema } from '../api/index.ts';

const string: Schema = { type: 'string' };
const bool: Schema = { type: 'boolean' };
const int32: Schema = { type: 'integer', format: 'int32' };
const int64: Schema = { type: 'integer', format: 'int64' };
const intOrString: Schema = { intOrString: true };
const anything: Schema = { type: 'object', preserveUnknown: true };
const strings: Schema = { type: 'array', items: string };
const stringMap: Schema = { type: 'object', additionalProperties: string };

function fields(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties };
}

function list(items: Schema): Schema {
  return { type: 'array', items };
}

const metadata = fields({
  name: string,
  generateName: string,
  namespace: string,
  labels: stringMap,
  annotations: stringMap,
  finalizers: strings,
  ownerReferences: list(anything),
  uid: string,
  resourceVersion: string,
  generation: int64,
  creationTimestamp: { type: 'string', format: 'date-time' },
});

const template = fields({ metadata, spec: podSpec });

const claimSpec = fields({
  accessModes: strings,
  selector: labelSelector,
  resources: anything,
  volumeName: string,
  storageClassName: string,
  volumeMode: string,
  volumeAttributesClassName: string,
  dataSource: anything,
  dataSourceRef: anything,
});

const jobSpec = fields({
  parallelism: int32,
  completions: int32,
  activeDeadlineSeconds: int64,
  backoffLimit: int32,
  backoffLimitPerIndex: int32,
  maxFailedIndexes: int32,
  completionMode: string,
  suspend: bool,
  ttlSecondsAfterFinished: int32,
  podFailurePolicy: anything,
  podReplacementPolicy: string,
  successPolicy: anything,
  managedBy: string,
  manualSelector: bool,
  selector: labelSelector,
  template,
});

const networkPort = fields({ protocol: string, port: intOrString, endPort: int32 });
const networkPeer = fields({
  podSelector: labelSelector,
  namespaceSelector: labelSelector,
  ipBlock: fields({ cidr: string, except: strings }),
});

const webhook = fields({
  name: string,
  clientConfig: fields({
    url: string,
    caBundle: { type: 'string', format: 'byte' },
    service: fields({ namespace: string, name: string, path: string, port: int32 }),
  }),
  rules: list(fields({ operations: strings, apiGroups: strings, apiVersions: strings, resources: strings, scope: string })),
  failurePolicy: string,
  matchPolicy: string,
  namespaceSelector: labelSelector,
  objectSelector: labelSelector,
  sideEffects: string,
  timeoutSeconds: int32,
  admissionReviewVersions: strings,
  matchConditions: list(fields({ name: string, expression: string })),
  reinvocationPolicy: string,
});

const rules = list(
  fields({ apiGroups: strings, resources: strings, verbs: strings, resourceNames: strings, nonResourceURLs: strings }),
);
const binding = {
  roleRef: fields({ apiGroup: string, kind: string, name: string }),
  subjects: list(fields({ apiGroup: string, kind: string, name: string, namespace: string })),
};

const backend = fields({
  resource: anything,
  service: fields({ name: string, port: fields({ name: string, number: int32 }) }),
});

/** The fields of each kind besides apiVersion, kind and metadata. */
const kindFields: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  Namespace: { spec: fields({ finalizers: strings }) },
  ServiceAccount: {
    automountServiceAccountToken: bool,
    imagePullSecrets: list(fields({ name: string })),
    secrets: list(anything),
  },
  ConfigMap: { data: stringMap, binaryData: stringMap, immutable: bool },
  Secret: {
    type: string,
    data: { type: 'object', additionalProperties: { type: 'string', format: 'byte' } },
    stringData: stringMap,
    immutable: bool,
  },
  Role: { rules },
  ClusterRole: { rules, aggregationRule: fields({ clusterRoleSelectors: list(labelSelector) }) },
  RoleBinding: binding,
  ClusterRoleBinding: binding,
  PriorityClass: { value: int32, globalDefault: bool, description: string, preemptionPolicy: string },
  Service: {
    spec: fields({
      type: string,
      selector: stringMap,
      ports: list(
        fields({ name: string, protocol: string, appProtocol: string, port: int32, targetPort: intOrString, nodePort: int32 }),
      ),
      clusterIP: string,
      clusterIPs: strings,
      externalIPs: strings,
      externalName: string,
      externalTrafficPolicy: string,
      internalTrafficPolicy: string,
      trafficDistribution: string,
      ipFamilies: strings,
      ipFamilyPolicy: string,
      loadBalancerIP: string,
      loadBalancerClass: string,
      loadBalancerSourceRanges: strings,
      allocateLoadBalancerNodePorts: bool,
      healthCheckNodePort: int32,
      publishNotReadyAddresses: bool,
      sessionAffinity: string,
      sessionAffinityConfig: fields({ clientIP: fields({ timeoutSeconds: int32 }) }),
    }),
  },
  NetworkPolicy: {
    spec: fields({
      podSelector: labelSelector,
      policyTypes: strings,
      ingress: list(fields({ ports: list(networkPort), from: list(networkPeer) })),
      egress: list(fields({ ports: list(networkPort), to: list(networkPeer) })),
    }),
  },
  PodDisruptionBudget: {
    spec: fields({
      minAvailable: intOrString,
      maxUnavailable: intOrString,
      selector: labelSelector,
      unhealthyPodEvictionPolicy: string,
    }),
  },
  Ingress: {
    spec: fields({
      ingressClassName: string,
      defaultBackend: backend,
      tls: list(fields({ hosts: strings, secretName: string })),
      rules: list(fields({ host: string, http: fields({ paths: list(fields({ path: string, pathType: string, backend })) }) })),
    }),
  },
  PersistentVolumeClaim: { spec: claimSpec },
  Deployment: {
    spec: fields({
      replicas: int32,
      selector: labelSelector,
      template,
      strategy: fields({ type: string, rollingUpdate: fields({ maxSurge: intOrString, maxUnavailable: intOrString }) }),
      minReadySeconds: int32,
      revisionHistoryLimit: int32,
      progressDeadlineSeconds: int32,
      paused: bool,
    }),
  },
  StatefulSet: {
    spec: fields({
      replicas: int32,
      selector: labelSelector,
      serviceName: string,
      template,
      volumeClaimTemplates: list(fields({ apiVersion: string, kind: string, metadata, spec: claimSpec })),
      podManagementPolicy: string,
      updateStrategy: fields({ type: string, rollingUpdate: fields({ partition: int32, maxUnavailable: intOrString }) }),
      persistentVolumeClaimRetentionPolicy: fields({ whenDeleted: string, whenScaled: string }),
      ordinals: fields({ start: int32 }),
      minReadySeconds: int32,
      revisionHistoryLimit: int32,
    }),
  },
  Job: { spec: jobSpec },
  CronJob: {
    spec: fields({
      schedule: string,
      timeZone: string,
      startingDeadlineSeconds: int64,
      concurrencyPolicy: string,
      suspend: bool,
      successfulJobsHistoryLimit: int32,
      failedJobsHistoryLimit: int32,
      jobTemplate: fields({ metadata, spec: jobSpec }),
    }),
  },
  ValidatingWebhookConfiguration: { webhooks: list(webhook) },
  MutatingWebhookConfiguration: { webhooks: list(webhook) },
};

/** The schema of every built-in kind, with apiVersion, kind and metadata. */
export const objectSchemas: ReadonlyMap<string, Schema> = new Map(
  Object.entries(kindFields).map(([kind, own]) => [kind, fields({ apiVersion: string, kind: string, metadata, ...own })]),
);
