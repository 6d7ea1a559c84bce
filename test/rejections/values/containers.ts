/** Environment, resources, security contexts and ports of containers. */
import type { Json, JsonObject } from '../../../lib/json/index.ts';
import { long, quantities } from './names.ts';
import { fieldPaths, resourceNames } from './volumes.ts';

export const envs: readonly Json[] = [
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
export const envFroms: readonly Json[] = [
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
export const resources: readonly Json[] = [
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
export const podSecurity: readonly Json[] = [
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
export const containerSecurity: readonly Json[] = [
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
export const port = { containerPort: 80 };
export const portLists: readonly Json[] = [
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
