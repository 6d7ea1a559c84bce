import type { Json, JsonObject, Path } from '../../lib/json/index.ts';
import { editValue } from '../../lib/lint/fix/edit-value.ts';

/** One field of one kind of object, and values that are right or wrong for it. */
export interface Mutations {
  readonly kind: string;
  readonly path: Path;
  readonly values: readonly Json[];
}

/** An object with one field changed. */
export interface Mutation {
  readonly kind: string;
  readonly path: Path;
  readonly value: Json;
}

const pod: Path = ['spec', 'template', 'spec'];
const main: Path = [...pod, 'containers', 0];

/** Sound objects to start from, one of each kind. */
export const bases: Readonly<Record<string, JsonObject>> = {
  Deployment: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'demo-worker', labels: { app: 'demo' }, annotations: { note: 'x' } },
    spec: {
      replicas: 1,
      selector: { matchLabels: { 'nvidia.com/selector': 'demo-worker' } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      template: {
        metadata: { labels: { 'nvidia.com/selector': 'demo-worker' }, annotations: {} },
        spec: {
          terminationGracePeriodSeconds: 60,
          restartPolicy: 'Always',
          securityContext: { fsGroup: 1000 },
          containers: [
            {
              name: 'main',
              image: 'image:1',
              command: ['sh'],
              ports: [{ name: 'system', containerPort: 9090, protocol: 'TCP' }],
              env: [{ name: 'A', value: '1' }],
              resources: { limits: { cpu: '2', 'nvidia.com/gpu': '1' }, requests: { cpu: '1' } },
              livenessProbe: {
                httpGet: { path: '/live', port: 'system' },
                periodSeconds: 5,
                timeoutSeconds: 4,
                failureThreshold: 1,
              },
              volumeMounts: [
                { name: 'models', mountPath: '/models' },
                { name: 'shared-memory', mountPath: '/dev/shm' },
              ],
            },
          ],
          volumes: [
            { name: 'models', persistentVolumeClaim: { claimName: 'models' } },
            { name: 'shared-memory', emptyDir: { medium: 'Memory', sizeLimit: '8Gi' } },
          ],
        },
      },
    },
  },
  Service: {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'demo' },
    spec: { selector: { app: 'demo' }, ports: [{ name: 'http', port: 8000, protocol: 'TCP', targetPort: 'http' }] },
  },
  Ingress: {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'demo' },
    spec: {
      ingressClassName: 'nginx',
      tls: [{ hosts: ['demo.local'], secretName: 'tls' }],
      rules: [
        {
          host: 'demo.local',
          http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'demo', port: { number: 8000 } } } }] },
        },
      ],
    },
  },
  PersistentVolumeClaim: {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'models' },
    spec: { accessModes: ['ReadWriteMany'], storageClassName: 'nfs', resources: { requests: { storage: '100Gi' } } },
  },
  Job: {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'profile-demo' },
    spec: {
      backoffLimit: 3,
      template: {
        spec: {
          restartPolicy: 'Never',
          containers: [{ name: 'profiler', image: 'image:1', resources: { limits: { cpu: '1' } } }],
        },
      },
    },
  },
  ConfigMap: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'demo-epp-config' }, data: { 'epp.yaml': 'a: 1' } },
  Secret: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'mpi' }, data: { 'private.key': 'eA==' } },
  ServiceAccount: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'demo' } },
  Role: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'demo' },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
  },
  RoleBinding: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'demo' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'ServiceAccount', name: 'demo', namespace: 'default' }],
  },
};

const long = (count: number): string => 'x'.repeat(count);
const names = [
  'a',
  'A',
  'a_b',
  '-a',
  'a-',
  'a.b',
  '1a',
  '',
  'a b',
  'ä',
  long(63),
  long(64),
  long(253),
  long(254),
  '.',
  '..',
  'a/b',
  'a%b',
];
const keys = [
  'a',
  'A.b_c-d',
  'example.com/a',
  'example.com/',
  '/a',
  'a/b/c',
  'Ex.com/a',
  long(63),
  long(64),
  `example.com/${long(64)}`,
  '-a',
  'a b',
  `${long(253)}/a`,
  `${long(254)}/a`,
];
const labels: readonly Json[] = [
  ...keys.map((key) => ({ [key]: 'v' })),
  ...['', 'v', 'v.1_2-3', '-v', 'v-', 'v v', long(63), long(64), 'v/w', 'ä'].map((value) => ({ key: value })),
];
const quantities = ['0', '1', '-1', '0.5', '100m', '1.5', '1e3', '1Gi', '0.1m', '500n'];
const ports: readonly Json[] = [0, 1, 65535, 65536, -1, 'http', 'HTTP', 'a-b', 'a--b', '-a', '8080', '', long(15), long(16)];

const handlers: readonly JsonObject[] = [
  {},
  { exec: { command: ['true'] } },
  { exec: {} },
  { exec: { command: [] } },
  ...ports.map((port) => ({ httpGet: { port } })),
  { httpGet: { port: 80, scheme: 'HTTPS', path: '/x', host: 'h', httpHeaders: [{ name: 'X-A', value: 'b' }] } },
  { httpGet: { port: 80, scheme: 'ftp' } },
  { httpGet: { port: 80, httpHeaders: [{ name: 'X A', value: 'b' }] } },
  { httpGet: { port: 80, path: '' } },
  ...ports.map((port) => ({ tcpSocket: { port } })),
  { exec: { command: ['true'] }, httpGet: { port: 80 } },
  { exec: { command: ['true'] }, tcpSocket: { port: 80 } },
  { httpGet: { port: 80 }, tcpSocket: { port: 80 }, exec: { command: ['a'] } },
];
const probeOnly: readonly JsonObject[] = [
  { grpc: { port: 9003, service: 'x' } },
  { grpc: { port: 0, service: '' } },
  { grpc: { port: 70000 } },
  { grpc: { port: 1 }, httpGet: { port: 1 } },
];
const numbers: readonly JsonObject[] = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
  'terminationGracePeriodSeconds',
].flatMap((key) => [-1, 0, 1, 2, 100].map((value) => ({ tcpSocket: { port: 80 }, [key]: value })));
const probes: readonly Json[] = [...handlers, ...probeOnly, ...numbers];

const expressions: readonly JsonObject[] = [
  { key: 'a', operator: 'In', values: ['x'] },
  { key: 'a', operator: 'In' },
  { key: 'a', operator: 'In', values: [] },
  { key: 'a', operator: 'NotIn', values: ['x', long(64)] },
  { key: 'a', operator: 'Exists' },
  { key: 'a', operator: 'Exists', values: ['x'] },
  { key: 'a', operator: 'DoesNotExist', values: ['x'] },
  { key: 'a', operator: 'Is', values: ['x'] },
  { key: 'a', operator: '', values: ['x'] },
  { key: 'a b', operator: 'Exists' },
  { key: '', operator: 'Exists' },
  { key: 'a', operator: 'In', values: ['x y'] },
];
const nodeExpressions: readonly JsonObject[] = [
  ...expressions,
  { key: 'a', operator: 'Gt', values: ['1'] },
  { key: 'a', operator: 'Gt', values: ['x'] },
  { key: 'a', operator: 'Lt', values: ['1', '2'] },
  { key: 'a', operator: 'Lt' },
];
const selectors: readonly Json[] = [
  {},
  { matchLabels: { a: 'b' } },
  { matchLabels: { 'a b': 'b' } },
  { matchLabels: { a: 'b c' } },
  ...expressions.map((e) => ({ matchExpressions: [e] })),
];
const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
const podTerms: readonly JsonObject[] = [
  { topologyKey: 'zone' },
  { topologyKey: '' },
  { topologyKey: 'a b' },
  { topologyKey: 'zone', namespaces: ['a', 'B'] },
  { topologyKey: 'zone', namespaces: ['a.b'] },
  { topologyKey: 'zone', matchLabelKeys: ['a'] },
  { topologyKey: 'zone', matchLabelKeys: ['a'], labelSelector: {} },
  { topologyKey: 'zone', matchLabelKeys: ['a b'], labelSelector: {} },
  { topologyKey: 'zone', mismatchLabelKeys: ['a'], labelSelector: {} },
  { topologyKey: 'zone', matchLabelKeys: ['a'], mismatchLabelKeys: ['a'], labelSelector: {} },
  { topologyKey: 'zone', matchLabelKeys: ['a'], labelSelector: { matchLabels: { a: 'b' } } },
  ...selectors.map((labelSelector) => ({ topologyKey: 'zone', labelSelector })),
  ...selectors.map((namespaceSelector) => ({ topologyKey: 'zone', namespaceSelector })),
];
const weights = [-1, 0, 1, 100, 101];
const affinities: readonly Json[] = [
  {},
  { nodeAffinity: {} },
  { nodeAffinity: { [required]: { nodeSelectorTerms: [] } } },
  { nodeAffinity: { [required]: { nodeSelectorTerms: [{}] } } },
  ...nodeExpressions.map((e) => ({ nodeAffinity: { [required]: { nodeSelectorTerms: [{ matchExpressions: [e] }] } } })),
  ...nodeExpressions.map((e) => ({ nodeAffinity: { [preferred]: [{ weight: 1, preference: { matchExpressions: [e] } }] } })),
  ...[
    ...expressions,
    { key: 'metadata.name', operator: 'In', values: ['n'] },
    { key: 'metadata.name', operator: 'In', values: ['N'] },
    { key: 'metadata.name', operator: 'In', values: ['n', 'm'] },
  ].map((e) => ({
    nodeAffinity: { [required]: { nodeSelectorTerms: [{ matchFields: [e] }] } },
  })),
  ...weights.map((weight) => ({ nodeAffinity: { [preferred]: [{ weight, preference: {} }] } })),
  ...podTerms.map((term) => ({ podAffinity: { [required]: [term] } })),
  ...podTerms.map((term) => ({ podAntiAffinity: { [required]: [term] } })),
  ...podTerms.slice(0, 4).map((podAffinityTerm) => ({ podAntiAffinity: { [preferred]: [{ weight: 5, podAffinityTerm }] } })),
  ...weights.map((weight) => ({ podAffinity: { [preferred]: [{ weight, podAffinityTerm: { topologyKey: 'zone' } }] } })),
];
const tolerations: readonly Json[] = [
  [{}],
  [{ operator: 'Exists' }],
  [{ operator: 'Exists', value: 'x' }],
  [{ operator: 'Equal' }],
  [{ key: 'a' }],
  [{ key: 'a', value: 'x' }],
  [{ key: 'a', value: 'x y' }],
  [{ key: 'a', value: long(64) }],
  [{ key: 'a b', operator: 'Exists' }],
  [{ key: 'a', operator: 'Exists', value: 'x' }],
  [{ key: 'a', operator: 'Is' }],
  [{ key: 'a', operator: 'Gt', value: '1' }],
  [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }],
  [{ key: 'a', operator: 'Exists', effect: 'Never' }],
  [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
  [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: -5 }],
  [{ key: 'a', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 5 }],
  [{ key: 'a', operator: 'Exists', tolerationSeconds: 5 }],
  [{ key: 'a' }, { key: 'a' }],
];
const spread = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };
const spreads: readonly Json[] = [
  [spread],
  [{ ...spread, maxSkew: 0 }],
  [{ ...spread, maxSkew: -1 }],
  [{ ...spread, topologyKey: '' }],
  [{ ...spread, topologyKey: 'a b' }],
  [{ ...spread, whenUnsatisfiable: 'Never' }],
  [{ ...spread, whenUnsatisfiable: '' }],
  [spread, spread],
  [spread, { ...spread, whenUnsatisfiable: 'ScheduleAnyway' }],
  [{ ...spread, minDomains: 0 }],
  [{ ...spread, minDomains: 2 }],
  [{ ...spread, minDomains: 2, whenUnsatisfiable: 'ScheduleAnyway' }],
  [{ ...spread, nodeAffinityPolicy: 'Honor', nodeTaintsPolicy: 'Ignore' }],
  [{ ...spread, nodeAffinityPolicy: 'x' }],
  [{ ...spread, nodeTaintsPolicy: '' }],
  [{ ...spread, matchLabelKeys: ['a'] }],
  [{ ...spread, matchLabelKeys: ['a'], labelSelector: {} }],
  [{ ...spread, matchLabelKeys: ['a b'], labelSelector: {} }],
  [{ ...spread, matchLabelKeys: ['a'], labelSelector: { matchLabels: { a: 'b' } } }],
  ...selectors.map((labelSelector) => [{ ...spread, labelSelector }]),
];
const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const claimSpecs: readonly JsonObject[] = [
  claimSpec,
  { ...claimSpec, accessModes: [] },
  { ...claimSpec, accessModes: ['Sometimes'] },
  { ...claimSpec, accessModes: ['ReadWriteOncePod'] },
  { ...claimSpec, accessModes: ['ReadWriteOncePod', 'ReadWriteMany'] },
  { ...claimSpec, accessModes: ['ReadWriteOnce', 'ReadWriteOnce'] },
  { ...claimSpec, resources: {} },
  ...['0', '-1', '1m', '0.5', '1Gi'].map((storage) => ({ ...claimSpec, resources: { requests: { storage } } })),
  { ...claimSpec, resources: { requests: { storage: '2Gi' }, limits: { storage: '1Gi' } } },
  { ...claimSpec, resources: { requests: { storage: '1Gi', cpu: '1' } } },
  ...['', 'nfs', 'NFS', 'a_b', long(254)].map((storageClassName) => ({ ...claimSpec, storageClassName })),
  ...['Block', 'Filesystem', 'x', ''].map((volumeMode) => ({ ...claimSpec, volumeMode })),
  { ...claimSpec, volumeName: 'x' },
  ...selectors.slice(0, 6).map((selector) => ({ ...claimSpec, selector })),
  { ...claimSpec, dataSource: { kind: 'PersistentVolumeClaim', name: 'other' } },
  { ...claimSpec, dataSource: { kind: 'PersistentVolumeClaim', name: '' } },
  { ...claimSpec, dataSource: { kind: 'Pod', name: 'x' } },
  { ...claimSpec, dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'other' } },
  { ...claimSpec, volumeAttributesClassName: 'A_b' },
];
const item = { key: 'k', path: 'p' };
const itemLists: readonly JsonObject[] = [
  { items: [] },
  { items: [item] },
  { items: [{ key: '', path: 'p' }] },
  { items: [{ key: 'k', path: '' }] },
  { items: [{ key: 'k/', path: 'p' }] },
  { items: [{ key: 'k', path: '/p' }] },
  { items: [{ key: 'k', path: '../p' }] },
  { items: [{ key: 'k', path: 'a/../p' }] },
  { items: [{ key: 'k', path: '..p' }] },
  { items: [{ ...item, mode: 0 }] },
  { items: [{ ...item, mode: 511 }] },
  { items: [{ ...item, mode: 512 }] },
  { items: [{ ...item, mode: -1 }] },
  { defaultMode: 511 },
  { defaultMode: 512 },
  { defaultMode: -1 },
];
const fieldPaths = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'metadata.labels',
  'metadata.annotations',
  "metadata.labels['a']",
  "metadata.labels['a b']",
  "metadata.annotations['a']",
  'spec.nodeName',
  'spec.serviceAccountName',
  'spec.host',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
  'status.phase',
  'spec.x',
  '',
];
const resourceNames = [
  'limits.cpu',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'limits.hugepages-2Mi',
  'limits.gpu',
  'cpu',
  '',
];
const downwardItems: readonly JsonObject[] = [
  ...fieldPaths.map((fieldPath) => ({ path: 'p', fieldRef: { fieldPath } })),
  { path: 'p', fieldRef: { fieldPath: 'metadata.name', apiVersion: 'v2' } },
  ...resourceNames.map((resource) => ({ path: 'p', resourceFieldRef: { resource, containerName: 'main' } })),
  { path: 'p', resourceFieldRef: { resource: 'limits.cpu' } },
  ...['1', '1m', '2', '0', '1Mi'].map((divisor) => ({
    path: 'p',
    resourceFieldRef: { resource: 'limits.cpu', containerName: 'main', divisor },
  })),
  { path: 'p' },
  { path: '', fieldRef: { fieldPath: 'metadata.name' } },
  { path: '/p', fieldRef: { fieldPath: 'metadata.name' } },
  { path: 'a/../p', fieldRef: { fieldPath: 'metadata.name' } },
  { path: 'p', mode: 512, fieldRef: { fieldPath: 'metadata.name' } },
  { path: 'p', fieldRef: { fieldPath: 'metadata.name' }, resourceFieldRef: { resource: 'limits.cpu', containerName: 'main' } },
];
const sources: readonly JsonObject[] = [
  {},
  { emptyDir: {} },
  { emptyDir: { medium: 'Disk' } },
  { emptyDir: { medium: 'HugePages-2Mi' } },
  { emptyDir: { medium: 'HugePages' } },
  { emptyDir: { medium: 'HugePages-x' } },
  ...['-1', '0', '1Gi', '1m'].map((sizeLimit) => ({ emptyDir: { sizeLimit } })),
  { emptyDir: {}, hostPath: { path: '/x' } },
  { emptyDir: {}, configMap: { name: 'x' }, secret: { secretName: 's' } },
  ...['', '/x', 'x', '/x/../y', '..', '/x/..y'].map((path) => ({ hostPath: { path } })),
  ...['', 'Directory', 'Folder', 'FileOrCreate'].map((type) => ({ hostPath: { path: '/x', type } })),
  ...['', 'c', 'C_d', 'a b'].map((name) => ({ configMap: { name } })),
  ...['', 's', 'S_d'].map((secretName) => ({ secret: { secretName } })),
  { secret: {} },
  ...itemLists.map((list) => ({ configMap: { name: 'c', ...list } })),
  ...itemLists.map((list) => ({ secret: { secretName: 's', ...list } })),
  ...['', 'c', 'C_d', 'a b', long(254)].map((claimName) => ({ persistentVolumeClaim: { claimName } })),
  ...downwardItems.map((entry) => ({ downwardAPI: { items: [entry] } })),
  { downwardAPI: {} },
  { projected: {} },
  { projected: { sources: [] } },
  { projected: { sources: [{}] } },
  { projected: { sources: [{ configMap: { name: 'c' }, secret: { name: 's' } }] } },
  { projected: { sources: [{ configMap: { name: '' } }] } },
  { projected: { sources: [{ secret: { name: '' } }] } },
  ...itemLists.slice(0, 13).map((list) => ({ projected: { sources: [{ configMap: { name: 'c', ...list } }] } })),
  ...[0, 599, 600, 3600, 4294967296, 4294967297].map((expirationSeconds) => ({
    projected: { sources: [{ serviceAccountToken: { path: 't', expirationSeconds } }] },
  })),
  { projected: { sources: [{ serviceAccountToken: { path: '' } }] } },
  { projected: { sources: [{ serviceAccountToken: { path: '/t' } }] } },
  { projected: { sources: [{ configMap: { name: 'c', items: [item] } }, { secret: { name: 's', items: [item] } }] } },
  { projected: { sources: [{ downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath: 'metadata.name' } }] } }] } },
  { projected: { defaultMode: 512, sources: [{ configMap: { name: 'c' } }] } },
  { projected: { sources: [{ clusterTrustBundle: { name: 'x', path: 'p' } }] } },
  { nfs: { server: 's', path: '/p' } },
  { nfs: { server: '', path: '/p' } },
  { nfs: { server: 's', path: '' } },
  { nfs: { server: 's', path: 'p' } },
  ...['d', '', 'D.example.com', 'a_b', long(64), 'a..b'].map((driver) => ({ csi: { driver } })),
  { csi: { driver: 'd', nodePublishSecretRef: { name: '' } } },
  { csi: { driver: 'd', nodePublishSecretRef: { name: 'a' } } },
  ...claimSpecs.map((spec) => ({ ephemeral: { volumeClaimTemplate: { metadata: {}, spec } } })),
  { ephemeral: {} },
  { ephemeral: { volumeClaimTemplate: { metadata: { labels: { 'a b': 'c' } }, spec: claimSpec } } },
  { ephemeral: { volumeClaimTemplate: { metadata: { name: 'x' }, spec: claimSpec } } },
  { ephemeral: { volumeClaimTemplate: { metadata: { finalizers: ['a/b'] }, spec: claimSpec } } },
  { image: { reference: 'x' } },
  { image: { reference: '' } },
  { image: { reference: 'x', pullPolicy: 'Sometimes' } },
  { image: {} },
];
const envs: readonly Json[] = [
  ...['A', 'a.b', 'a-b', '1a', 'a b', 'a=b', '', 'ä', 'A\n', '$(A)'].map((name) => [{ name }]),
  [{ name: 'A' }, { name: 'A' }],
  ...fieldPaths.map((fieldPath) => [{ name: 'A', valueFrom: { fieldRef: { fieldPath } } }]),
  [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name', apiVersion: 'v2' } } }],
  ...resourceNames.map((resource) => [{ name: 'A', valueFrom: { resourceFieldRef: { resource } } }]),
  ...['1', '1m', '2', '0', '1Mi', '1k'].map((divisor) => [
    { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor } } },
  ]),
  ...['1', '1m', '2', '0', '1Mi', '1k', '1Ki'].map((divisor) => [
    { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor } } },
  ]),
  ...['secretKeyRef', 'configMapKeyRef'].flatMap((kind) => [
    [{ name: 'A', valueFrom: { [kind]: { name: 'n', key: 'k' } } }],
    [{ name: 'A', valueFrom: { [kind]: { name: '', key: 'k' } } }],
    [{ name: 'A', valueFrom: { [kind]: { name: 'N_x', key: 'k' } } }],
    [{ name: 'A', valueFrom: { [kind]: { name: 'n', key: '' } } }],
    [{ name: 'A', valueFrom: { [kind]: { name: 'n', key: 'a/b' } } }],
    [{ name: 'A', valueFrom: { [kind]: { name: 'n', key: '..' } } }],
  ]),
  [{ name: 'A', valueFrom: {} }],
  [{ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
  [{ name: 'A', value: '', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
  [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' }, secretKeyRef: { name: 'n', key: 'k' } } }],
];
const envFroms: readonly Json[] = [
  [{}],
  [{ secretRef: {} }],
  [{ secretRef: { name: 's' } }],
  [{ secretRef: { name: 'S_x' } }],
  [{ configMapRef: { name: '' } }],
  [{ configMapRef: { name: 'c' }, secretRef: { name: 's' } }],
  [{ prefix: 'a b', secretRef: { name: 's' } }],
  [{ prefix: 'a=b', secretRef: { name: 's' } }],
  [{ secretRef: { name: 's' } }, { secretRef: { name: 's' } }],
];
const resourceLists = (key: 'limits' | 'requests'): readonly JsonObject[] => [
  ...quantities.map((q) => ({ [key]: { cpu: q } })),
  ...quantities.map((q) => ({ [key]: { memory: q } })),
  ...quantities.map((q) => ({ [key]: { 'nvidia.com/gpu': q } })),
  ...quantities.map((q) => ({ [key]: { 'hugepages-2Mi': q } })),
  ...quantities.map((q) => ({ [key]: { 'hugepages-2Mi': q, memory: '1Gi' } })),
  ...[
    'gpu',
    'pods',
    'ephemeral-storage',
    'rdma/ib',
    'kubernetes.io/x',
    'example.com/a b',
    'requests.nvidia.com/gpu',
    'storage',
    'a.kubernetes.io/x',
    'x/',
    'hugepages-x',
    'attachable-volumes-aws',
    'requests.cpu',
  ].map((name) => ({ [key]: { [name]: '1' } })),
];
const resources: readonly Json[] = [
  ...resourceLists('limits'),
  ...resourceLists('requests'),
  { limits: { cpu: '1' }, requests: { cpu: '2' } },
  { limits: { cpu: '1' }, requests: { cpu: '1000m' } },
  { limits: { 'nvidia.com/gpu': '2' }, requests: { 'nvidia.com/gpu': '1' } },
  { limits: { 'nvidia.com/gpu': '2' }, requests: { 'nvidia.com/gpu': '2' } },
  { limits: { 'nvidia.com/gpu': '1' }, requests: { 'nvidia.com/gpu': '2' } },
  { claims: [{ name: 'x' }] },
  { claims: [{ name: '' }] },
];
const ids = [-1, 0, 1000, 2147483647, 2147483648];
const profiles: readonly JsonObject[] = [
  { type: 'RuntimeDefault' },
  { type: 'Unconfined' },
  { type: 'Localhost' },
  { type: 'Localhost', localhostProfile: 'p' },
  { type: 'Localhost', localhostProfile: '' },
  { type: 'RuntimeDefault', localhostProfile: 'p' },
  { type: 'x' },
  { type: '' },
  { type: 'Localhost', localhostProfile: '/p' },
  { type: 'Localhost', localhostProfile: '../p' },
  { type: 'Localhost', localhostProfile: ' p' },
  { type: 'Localhost', localhostProfile: long(4096) },
];
const podSecurity: readonly Json[] = [
  {},
  ...['fsGroup', 'runAsUser', 'runAsGroup'].flatMap((key) => ids.map((id) => ({ [key]: id }))),
  ...ids.map((id) => ({ supplementalGroups: [id] })),
  ...['Always', 'OnRootMismatch', 'x', ''].map((fsGroupChangePolicy) => ({ fsGroupChangePolicy })),
  ...['Merge', 'Strict', 'x'].map((supplementalGroupsPolicy) => ({ supplementalGroupsPolicy })),
  ...['Recursive', 'MountOption', 'x'].map((seLinuxChangePolicy) => ({ seLinuxChangePolicy })),
  ...profiles.map((seccompProfile) => ({ seccompProfile })),
  ...profiles.map((appArmorProfile) => ({ appArmorProfile })),
  { sysctls: [{ name: 'kernel.shm_rmid_forced', value: '0' }] },
  { sysctls: [{ name: '', value: '0' }] },
  { sysctls: [{ name: 'a b', value: '0' }] },
  {
    sysctls: [
      { name: 'kernel/shm', value: '0' },
      { name: 'kernel.shm', value: '0' },
    ],
  },
  { sysctls: [{ name: 'A.b', value: '0' }] },
  { runAsNonRoot: true, runAsUser: 0 },
];
const containerSecurity: readonly Json[] = [
  {},
  ...['runAsUser', 'runAsGroup'].flatMap((key) => ids.map((id) => ({ [key]: id }))),
  { privileged: true },
  { privileged: true, allowPrivilegeEscalation: false },
  { privileged: true, allowPrivilegeEscalation: true },
  { allowPrivilegeEscalation: false, capabilities: { add: ['CAP_SYS_ADMIN'] } },
  { allowPrivilegeEscalation: false, capabilities: { add: ['SYS_ADMIN'] } },
  ...['Default', 'Unmasked', 'x', ''].map((procMount) => ({ procMount })),
  ...profiles.map((seccompProfile) => ({ seccompProfile })),
  ...profiles.map((appArmorProfile) => ({ appArmorProfile })),
];
const mount = { name: 'models', mountPath: '/models' };
const mounts: readonly Json[] = [
  [mount],
  [mount, mount],
  [mount, { ...mount, mountPath: '/other' }],
  [{ ...mount, name: 'absent' }],
  [{ ...mount, name: '' }],
  [{ ...mount, mountPath: '' }],
  [{ ...mount, mountPath: 'relative' }],
  [{ ...mount, mountPath: '/a:b' }],
  [{ ...mount, mountPath: '/' }],
  ...['sub', '/sub', '../sub', 'a/../b', '..a'].map((subPath) => [{ ...mount, subPath }]),
  ...['$(A)', '/$(A)', '../x'].map((subPathExpr) => [{ ...mount, subPathExpr }]),
  [{ ...mount, subPath: 'a', subPathExpr: 'b' }],
  ...['None', 'HostToContainer', 'Bidirectional', 'x', ''].map((mountPropagation) => [{ ...mount, mountPropagation }]),
  ...['Disabled', 'Enabled', 'IfPossible', 'x', ''].map((recursiveReadOnly) => [{ ...mount, recursiveReadOnly }]),
  [{ ...mount, readOnly: true, recursiveReadOnly: 'Enabled' }],
  [{ ...mount, readOnly: true, recursiveReadOnly: 'Enabled', mountPropagation: 'HostToContainer' }],
  [{ ...mount, readOnly: true, recursiveReadOnly: 'Enabled', mountPropagation: 'None' }],
];
const port = { containerPort: 80 };
const portLists: readonly Json[] = [
  [port],
  ...[0, -1, 65536].map((containerPort) => [{ containerPort }]),
  ...['http', 'HTTP', 'a--b', '-a', '123', '', long(16), 'a_b'].map((name) => [{ ...port, name }]),
  [
    { ...port, name: 'a' },
    { containerPort: 81, name: 'a' },
  ],
  [port, port],
  [port, { ...port, protocol: 'UDP' }],
  ...['TCP', 'UDP', 'SCTP', 'tcp', ''].map((protocol) => [{ ...port, protocol }]),
  ...[0, -1, 8080, 65536].map((hostPort) => [{ ...port, hostPort }]),
  [
    { ...port, hostPort: 8080 },
    { containerPort: 81, hostPort: 8080 },
  ],
  [
    { ...port, hostPort: 8080, hostIP: '1.2.3.4' },
    { containerPort: 81, hostPort: 8080, hostIP: '1.2.3.5' },
  ],
  [{ ...port, hostPort: 8080, hostIP: 'x' }],
];
const lifecycles: readonly Json[] = [
  {},
  ...handlers.slice(0, 8).map((preStop) => ({ preStop })),
  ...handlers.slice(0, 4).map((postStart) => ({ postStart })),
  ...[-1, 0, 1, 60, 61, 600].map((seconds) => ({ preStop: { sleep: { seconds } } })),
  { stopSignal: 'SIGTERM' },
];
const side = { name: 'side', image: 's' };

function field(kind: string, path: Path, values: readonly Json[]): Mutations {
  return { kind, path, values };
}
const inPod = (key: string, values: readonly Json[]): Mutations => field('Deployment', [...pod, key], values);
const inMain = (key: string, values: readonly Json[]): Mutations => field('Deployment', [...main, key], values);

/** Every field we touch or pass through, with values on both sides of what is allowed. */
export const mutations: readonly Mutations[] = [
  ...Object.keys(bases).flatMap((kind) => [
    field(kind, ['metadata', 'name'], names),
    field(kind, ['metadata', 'labels'], labels),
    field(kind, ['metadata', 'annotations'], [...labels, { big: long(262144) }, { big: long(262000) }]),
  ]),
  field('Deployment', ['spec', 'replicas'], [0, 1, -1]),
  field('Deployment', ['spec', 'selector'], selectors),
  field(
    'Deployment',
    ['spec', 'strategy'],
    [
      {},
      { type: 'Recreate' },
      { type: 'x' },
      { type: '' },
      { type: 'Recreate', rollingUpdate: { maxSurge: 1 } },
      ...[0, 1, -1, '0%', '100%', '101%', '25', 'x', '-1%', '1.5%'].flatMap((v) => [
        { rollingUpdate: { maxSurge: v } },
        { rollingUpdate: { maxUnavailable: v } },
        { rollingUpdate: { maxSurge: v, maxUnavailable: 0 } },
        { rollingUpdate: { maxSurge: 0, maxUnavailable: v } },
      ]),
    ],
  ),
  field(
    'Deployment',
    ['spec', 'template', 'metadata', 'labels'],
    [
      {},
      { 'nvidia.com/selector': 'other' },
      ...labels.map((l) => ({ ...(l as JsonObject), 'nvidia.com/selector': 'demo-worker' })),
    ],
  ),
  field('Deployment', ['spec', 'template', 'metadata', 'annotations'], labels),
  inPod('restartPolicy', ['Always', 'Never', 'OnFailure', 'x', '']),
  inPod('terminationGracePeriodSeconds', [-1, 0, 1, 600]),
  inPod('activeDeadlineSeconds', [-1, 0, 1]),
  inPod('dnsPolicy', ['ClusterFirst', 'Default', 'None', 'x', '', 'ClusterFirstWithHostNet']),
  inPod('dnsConfig', [
    {},
    { nameservers: ['1.1.1.1'] },
    { nameservers: ['x'] },
    { nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4'] },
    { searches: ['a.b', '.', 'a_b', 'A'] },
    { searches: ['a b'] },
    { searches: ['a.'] },
    { searches: ['_x.y'] },
    { searches: [''] },
    { options: [{ name: 'ndots', value: '2' }] },
    { options: [{ value: '2' }] },
    { searches: Array.from({ length: 33 }, (_, i) => `s${i}`) },
  ]),
  inPod('nodeSelector', labels),
  ...['serviceAccountName', 'nodeName', 'hostname', 'subdomain', 'priorityClassName', 'runtimeClassName', 'schedulerName'].map(
    (key) => inPod(key, names),
  ),
  inPod('priority', [0, -1, 100]),
  inPod('preemptionPolicy', ['Never', 'PreemptLowerPriority', 'x']),
  ...[
    'hostNetwork',
    'hostPID',
    'hostIPC',
    'shareProcessNamespace',
    'setHostnameAsFQDN',
    'hostUsers',
    'automountServiceAccountToken',
    'enableServiceLinks',
  ].map((key) => inPod(key, [true, false])),
  inPod('securityContext', podSecurity),
  inPod('imagePullSecrets', [[{ name: 'a' }], [{ name: '' }], [{}], [{ name: 'A_b' }], [{ name: 'a' }, { name: 'a' }]]),
  inPod('affinity', affinities),
  inPod('tolerations', tolerations),
  inPod('topologySpreadConstraints', spreads),
  inPod('hostAliases', [
    [{ ip: '1.2.3.4', hostnames: ['a'] }],
    [{ ip: 'x' }],
    [{ ip: '::1', hostnames: ['a_b'] }],
    [{ ip: '1.2.3.4', hostnames: ['A'] }],
    [{ ip: '' }],
    [{ ip: '1.2.3.04' }],
  ]),
  inPod('readinessGates', [[{ conditionType: 'a/b' }], [{ conditionType: '' }], [{ conditionType: 'a b' }]]),
  inPod('schedulingGates', [[{ name: 'a' }], [{ name: '' }], [{ name: 'a' }, { name: 'a' }], [{ name: 'a b' }]]),
  inPod('os', [{ name: 'linux' }, { name: '' }, { name: 'x' }, {}]),
  inPod('overhead', [{}, { cpu: '1' }, { cpu: '-1' }, { 'example.com/x': '1' }]),
  inPod('resourceClaims', [
    [{ name: 'c', resourceClaimName: 'x' }],
    [{ name: 'c', resourceClaimTemplateName: 'x' }],
    [{ name: 'c' }],
    [{ name: 'c', resourceClaimName: 'x', resourceClaimTemplateName: 'y' }],
    [{ name: 'C_d', resourceClaimName: 'x' }],
    [{ name: 'c', resourceClaimName: 'X_y' }],
    [{ name: '', resourceClaimName: 'x' }],
    [
      { name: 'c', resourceClaimName: 'x' },
      { name: 'c', resourceClaimName: 'y' },
    ],
    [{ name: 'c', resourceClaimName: '' }],
  ]),
  inPod('resources', [
    { limits: { cpu: '4' } },
    { limits: { cpu: '1' } },
    { requests: { cpu: '4' } },
    { limits: { cpu: '-1' } },
    { limits: { 'nvidia.com/gpu': '1' } },
    { limits: { memory: '1Gi' } },
  ]),
  inPod('ephemeralContainers', [[{ name: 'e', image: 'i' }]]),
  inPod('containers', [
    [],
    [{ name: 'main', image: 'i' }],
    [{ name: 'main' }],
    [
      { name: 'main', image: 'i' },
      { name: 'main', image: 'i' },
    ],
  ]),
  field(
    'Deployment',
    [...pod, 'containers', 1],
    [
      side,
      { ...side, name: 'main' },
      { name: 'side' },
      { ...side, ports: [{ containerPort: 9090 }] },
      { ...side, volumeMounts: [mount] },
      { ...side, livenessProbe: { exec: { command: ['x'] } } },
      { ...side, restartPolicy: 'Always' },
      { ...side, image: ' s' },
      { ...side, name: long(64) },
    ],
  ),
  field(
    'Deployment',
    [...pod, 'initContainers'],
    [
      [side],
      [{ ...side, name: 'main' }],
      [side, side],
      [{ name: 'side' }],
      [{ ...side, livenessProbe: { exec: { command: ['x'] } } }],
      [{ ...side, readinessProbe: { exec: { command: ['x'] } } }],
      [{ ...side, startupProbe: { exec: { command: ['x'] } } }],
      [{ ...side, lifecycle: { preStop: { exec: { command: ['x'] } } } }],
      [{ ...side, lifecycle: {} }],
      [{ ...side, restartPolicy: 'Always' }],
      [{ ...side, restartPolicy: 'Never' }],
      [{ ...side, restartPolicy: 'x' }],
      [{ ...side, restartPolicy: 'Always', livenessProbe: { exec: { command: ['x'] } } }],
      [{ ...side, restartPolicy: 'Always', readinessProbe: {} }],
      [{ ...side, restartPolicy: 'Always', startupProbe: { tcpSocket: { port: 1 }, successThreshold: 2 } }],
      [{ ...side, volumeMounts: [mount] }],
      [{ ...side, volumeMounts: [{ ...mount, name: 'absent' }] }],
      [
        {
          ...side,
          ports: [
            { containerPort: 80, hostPort: 80 },
            { containerPort: 81, hostPort: 80 },
          ],
        },
      ],
      [{ ...side, resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }] }],
    ],
  ),
  field('Deployment', [...pod, 'volumes', 2, 'name'], names),
  field(
    'Deployment',
    [...pod, 'volumes', 2],
    [{ name: 'models', emptyDir: {} }, ...sources.map((source) => ({ name: 'extra', ...source }))],
  ),
  inMain('name', names),
  inMain('image', ['', 'i', ' i', 'i ', 'i\t', 'I:1', 'a b']),
  inMain('imagePullPolicy', ['Always', 'Never', 'IfNotPresent', 'x', '']),
  inMain('terminationMessagePolicy', ['File', 'FallbackToLogsOnError', 'x', '']),
  inMain('terminationMessagePath', ['', '/x', 'x']),
  inMain('restartPolicy', ['Always', 'Never', '']),
  inMain('workingDir', ['', 'x', '/x']),
  inMain('env', envs),
  inMain('envFrom', envFroms),
  inMain('ports', portLists),
  inMain('livenessProbe', probes),
  inMain('readinessProbe', probes),
  inMain('startupProbe', probes),
  inMain('lifecycle', lifecycles),
  inMain('resources', resources),
  inMain('resizePolicy', [
    [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
    [{ resourceName: 'cpu', restartPolicy: 'x' }],
    [{ resourceName: 'gpu', restartPolicy: 'NotRequired' }],
    [
      { resourceName: 'cpu', restartPolicy: 'NotRequired' },
      { resourceName: 'cpu', restartPolicy: 'NotRequired' },
    ],
  ]),
  inMain('securityContext', containerSecurity),
  inMain('volumeMounts', mounts),
  inMain('volumeDevices', [
    [{ name: 'models', devicePath: '/dev/x' }],
    [{ name: 'shared-memory', devicePath: '/dev/x' }],
    [{ name: 'absent', devicePath: '/dev/x' }],
    [{ name: 'models', devicePath: '' }],
    [{ name: 'models', devicePath: '/models' }],
    [{ name: 'models', devicePath: '/a/../b' }],
  ]),
  inMain('stdin', [true, false]),
  field('Service', ['spec', 'selector'], labels),
  field(
    'Service',
    ['spec', 'ports'],
    [
      [],
      ...ports.map((targetPort) => [{ port: 80, targetPort }]),
      ...[0, -1, 65536].map((p) => [{ port: p }]),
      [{ port: 80 }, { port: 81 }],
      [
        { port: 80, name: 'a' },
        { port: 81, name: 'a' },
      ],
      [
        { port: 80, name: 'a' },
        { port: 80, name: 'b' },
      ],
      ...['a', 'A', 'a_b', 'a.b', long(63), long(64)].map((name) => [{ port: 80, name }]),
      ...['TCP', 'UDP', 'x', ''].map((protocol) => [{ port: 80, protocol }]),
      [{ port: 80, appProtocol: 'http2' }],
      [{ port: 80, appProtocol: 'a b' }],
    ],
  ),
  field('Service', ['spec', 'clusterIP'], ['None', '']),
  field('Service', ['spec', 'publishNotReadyAddresses'], [true, false]),
  field('Ingress', ['spec', 'ingressClassName'], names),
  field('Ingress', ['spec', 'rules', 0, 'host'], [...names, '*.a.b', '*', '*.', 'a.*', '1.2.3.4', 'a..b', 'demo.']),
  field(
    'Ingress',
    ['spec', 'tls'],
    [
      [],
      [{}],
      [{ hosts: [] }],
      ...[...names, '*.a.b', '1.2.3.4'].map((host) => [{ hosts: [host] }]),
      ...names.map((secretName) => [{ secretName }]),
    ],
  ),
  field('Ingress', ['spec', 'rules', 0, 'http', 'paths', 0, 'backend', 'service', 'name'], names),
  ...claimSpecs.map((spec) => field('PersistentVolumeClaim', ['spec'], [spec])),
  field('Job', ['spec', 'template', 'spec', 'restartPolicy'], ['Never', 'OnFailure', 'Always', '', 'x']),
  field('Job', ['spec', 'template', 'spec', 'containers', 0, 'image'], ['', 'i', ' i']),
  field('Job', ['spec', 'template', 'spec', 'containers', 0, 'resources'], resources.slice(0, 40)),
  field('Job', ['spec', 'template', 'spec', 'tolerations'], tolerations),
  field(
    'Job',
    ['spec', 'template', 'spec', 'volumes'],
    sources.slice(0, 30).map((source) => [{ name: 'v', ...source }]),
  ),
  field('Job', ['spec', 'template', 'spec', 'serviceAccountName'], names),
  field('Job', ['spec', 'backoffLimit'], [-1, 0, 1]),
  field(
    'ConfigMap',
    ['data'],
    [
      {},
      ...['a', 'a b', '', '.', '..', '..a', 'a/b', long(253), long(254)].map((key) => ({ [key]: 'v' })),
      { big: long(1048577) },
      { big: long(1048576) },
    ],
  ),
  field('Secret', ['data'], [{}, ...['a', 'a b', '', '..', 'a/b'].map((key) => ({ [key]: 'eA==' }))]),
  field(
    'RoleBinding',
    ['subjects'],
    [
      [],
      [{ kind: 'ServiceAccount', name: 'a', namespace: 'b' }],
      [{ kind: 'ServiceAccount', name: '', namespace: 'b' }],
      [{ kind: 'ServiceAccount', name: 'A_b', namespace: 'b' }],
      [{ kind: 'ServiceAccount', name: '-x', namespace: 'b' }],
      [{ kind: 'ServiceAccount', name: 'a' }],
    ],
  ),
  field('RoleBinding', ['roleRef', 'name'], names),
];

/** Every single change, one by one. */
export function singleMutations(): readonly Mutation[] {
  return mutations.flatMap(({ kind, path, values }) => values.map((value) => ({ kind, path, value })));
}

/** A base object with changes made. */
export function mutate(kind: string, changes: readonly Mutation[]): JsonObject {
  let object: Json | undefined = bases[kind];
  for (const { path, value } of changes) object = editValue(object, { op: 'set', path, value });
  return object as JsonObject;
}
