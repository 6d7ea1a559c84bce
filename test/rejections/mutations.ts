import type { Json, JsonObject, Path } from '../../lib/json/index.ts';
import { editValue } from '../../lib/lint/fix/edit-value.ts';
import { bases, main, pod } from './bases.ts';
import { containerSecurity, envFroms, envs, podSecurity, portLists, resources } from './values/containers.ts';
import { labels, long, names, ports } from './values/names.ts';
import { lifecycles, probes } from './values/probes.ts';
import { affinities, selectors, spreads, tolerations } from './values/scheduling.ts';
import { claimSpecs, mount, mounts, sources } from './values/volumes.ts';

const base64 = (bytes: number): string => Buffer.alloc(bytes, 'x').toString('base64');

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
      { big: 'é'.repeat(524288) },
      { big: 'é'.repeat(524289) },
    ],
  ),
  field('ConfigMap', ['binaryData'], [{ big: base64(1048570) }, { big: base64(1048577) }]),
  field(
    'Secret',
    ['data'],
    [{}, ...['a', 'a b', '', '..', 'a/b'].map((key) => ({ [key]: 'eA==' })), { big: base64(1048576) }, { big: base64(1048577) }],
  ),
  field('Secret', ['stringData'], [{ a: 'x' }, { 'a b': 'x' }, { big: long(1048570) }, { big: long(1048577) }]),
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
