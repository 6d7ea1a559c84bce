/** Fields of the built-in kinds that the platform renders, with their types; a pod is what a graph may say of one. */
import { labelSelector, podSpec, type Schema } from '../api/index.ts';

const text: Schema = { type: 'string' };
const bool: Schema = { type: 'boolean' };
const int32: Schema = { type: 'integer', format: 'int32' };
const int64: Schema = { type: 'integer', format: 'int64' };
const intOrText: Schema = { intOrString: true };
const anything: Schema = { type: 'object', preserveUnknown: true };
const strings: Schema = { type: 'array', items: text };
const textMap: Schema = { type: 'object', additionalProperties: text };

function fields(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties };
}

function list(items: Schema): Schema {
  return { type: 'array', items };
}

const metadata = fields({
  name: text,
  generateName: text,
  namespace: text,
  labels: textMap,
  annotations: textMap,
  finalizers: strings,
  ownerReferences: list(anything),
  uid: text,
  resourceVersion: text,
  generation: int64,
  creationTimestamp: { type: 'string', format: 'date-time' },
});

const template = fields({ metadata, spec: podSpec });

const claimSpec = fields({
  accessModes: strings,
  selector: labelSelector,
  resources: anything,
  volumeName: text,
  storageClassName: text,
  volumeMode: text,
  volumeAttributesClassName: text,
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
  completionMode: text,
  suspend: bool,
  ttlSecondsAfterFinished: int32,
  podFailurePolicy: anything,
  podReplacementPolicy: text,
  successPolicy: anything,
  managedBy: text,
  manualSelector: bool,
  selector: labelSelector,
  template,
});

const networkPort = fields({ protocol: text, port: intOrText, endPort: int32 });
const networkPeer = fields({
  podSelector: labelSelector,
  namespaceSelector: labelSelector,
  ipBlock: fields({ cidr: text, except: strings }),
});

const webhook = fields({
  name: text,
  clientConfig: fields({
    url: text,
    caBundle: { type: 'string', format: 'byte' },
    service: fields({ namespace: text, name: text, path: text, port: int32 }),
  }),
  rules: list(fields({ operations: strings, apiGroups: strings, apiVersions: strings, resources: strings, scope: text })),
  failurePolicy: text,
  matchPolicy: text,
  namespaceSelector: labelSelector,
  objectSelector: labelSelector,
  sideEffects: text,
  timeoutSeconds: int32,
  admissionReviewVersions: strings,
  matchConditions: list(fields({ name: text, expression: text })),
  reinvocationPolicy: text,
});

const rules = list(
  fields({ apiGroups: strings, resources: strings, verbs: strings, resourceNames: strings, nonResourceURLs: strings }),
);
const binding = {
  roleRef: fields({ apiGroup: text, kind: text, name: text }),
  subjects: list(fields({ apiGroup: text, kind: text, name: text, namespace: text })),
};

const backend = fields({
  resource: anything,
  service: fields({ name: text, port: fields({ name: text, number: int32 }) }),
});

/** What stands beside apiVersion, kind and metadata, by kind. */
const contents: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  Namespace: { spec: fields({ finalizers: strings }) },
  ServiceAccount: {
    automountServiceAccountToken: bool,
    imagePullSecrets: list(fields({ name: text })),
    secrets: list(anything),
  },
  ConfigMap: { data: textMap, binaryData: textMap, immutable: bool },
  Secret: {
    type: text,
    data: { type: 'object', additionalProperties: { type: 'string', format: 'byte' } },
    stringData: textMap,
    immutable: bool,
  },
  Role: { rules },
  ClusterRole: { rules, aggregationRule: fields({ clusterRoleSelectors: list(labelSelector) }) },
  RoleBinding: binding,
  ClusterRoleBinding: binding,
  PriorityClass: { value: int32, globalDefault: bool, description: text, preemptionPolicy: text },
  Service: {
    spec: fields({
      type: text,
      selector: textMap,
      ports: list(fields({ name: text, protocol: text, appProtocol: text, port: int32, targetPort: intOrText, nodePort: int32 })),
      clusterIP: text,
      clusterIPs: strings,
      externalIPs: strings,
      externalName: text,
      externalTrafficPolicy: text,
      internalTrafficPolicy: text,
      trafficDistribution: text,
      ipFamilies: strings,
      ipFamilyPolicy: text,
      loadBalancerIP: text,
      loadBalancerClass: text,
      loadBalancerSourceRanges: strings,
      allocateLoadBalancerNodePorts: bool,
      healthCheckNodePort: int32,
      publishNotReadyAddresses: bool,
      sessionAffinity: text,
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
      minAvailable: intOrText,
      maxUnavailable: intOrText,
      selector: labelSelector,
      unhealthyPodEvictionPolicy: text,
    }),
  },
  Ingress: {
    spec: fields({
      ingressClassName: text,
      defaultBackend: backend,
      tls: list(fields({ hosts: strings, secretName: text })),
      rules: list(fields({ host: text, http: fields({ paths: list(fields({ path: text, pathType: text, backend })) }) })),
    }),
  },
  PersistentVolumeClaim: { spec: claimSpec },
  Deployment: {
    spec: fields({
      replicas: int32,
      selector: labelSelector,
      template,
      strategy: fields({ type: text, rollingUpdate: fields({ maxSurge: intOrText, maxUnavailable: intOrText }) }),
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
      serviceName: text,
      template,
      volumeClaimTemplates: list(fields({ apiVersion: text, kind: text, metadata, spec: claimSpec })),
      podManagementPolicy: text,
      updateStrategy: fields({ type: text, rollingUpdate: fields({ partition: int32, maxUnavailable: intOrText }) }),
      persistentVolumeClaimRetentionPolicy: fields({ whenDeleted: text, whenScaled: text }),
      ordinals: fields({ start: int32 }),
      minReadySeconds: int32,
      revisionHistoryLimit: int32,
    }),
  },
  Job: { spec: jobSpec },
  CronJob: {
    spec: fields({
      schedule: text,
      timeZone: text,
      startingDeadlineSeconds: int64,
      concurrencyPolicy: text,
      suspend: bool,
      successfulJobsHistoryLimit: int32,
      failedJobsHistoryLimit: int32,
      jobTemplate: fields({ metadata, spec: jobSpec }),
    }),
  },
  ValidatingWebhookConfiguration: { webhooks: list(webhook) },
  MutatingWebhookConfiguration: { webhooks: list(webhook) },
};

/** The schema of every built-in kind, whole. */
export const objectSchemas: ReadonlyMap<string, Schema> = new Map(
  Object.entries(contents).map(([kind, content]) => [kind, fields({ apiVersion: text, kind: text, metadata, ...content })]),
);
