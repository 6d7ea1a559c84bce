import { expect, test } from 'vitest';
import { formatPath } from '../../lib/json/index.ts';
import { checkObject, refusedFields } from '../../lib/rejections/index.ts';
import { bases } from './bases.ts';
import { mutate, mutations } from './mutations.ts';

/** One line for each field: `.` for a value that is accepted, `x` for one that is refused. */
function verdicts(): string {
  const lines = mutations.map(({ kind, path, values }) => {
    const marks = values.map((value) => (checkObject(mutate(kind, [{ kind, path, value }])).length > 0 ? 'x' : '.'));
    return `${kind} ${formatPath(path)} ${marks.join('')}\n`;
  });
  return lines.join('');
}

test.each(Object.keys(bases))('accepts a sound %s', (kind) => {
  expect(checkObject(mutate(kind, []))).toEqual([]);
});

test('judges every change of one field as a real API server was seen to', async () => {
  // test/cluster/rejections-differential.test.ts asks the API server the same questions
  await expect(verdicts()).toMatchFileSnapshot('./verdicts.txt');
});

test.each([
  [
    'no image',
    ['spec', 'template', 'spec', 'containers', 0, 'image'],
    '',
    'spec.template.spec.containers[0].image: Required value',
  ],
  [
    'two handlers',
    ['spec', 'template', 'spec', 'containers', 0, 'livenessProbe', 'exec'],
    { command: ['x'] },
    'spec.template.spec.containers[0].livenessProbe.httpGet: Forbidden: may not specify more than 1 handler type',
  ],
  [
    'no handler',
    ['spec', 'template', 'spec', 'containers', 0, 'startupProbe'],
    { initialDelaySeconds: 180 },
    'spec.template.spec.containers[0].startupProbe: Required value: must specify a handler type',
  ],
  [
    'an underscore in its name',
    ['metadata', 'name'],
    'oops-vllm_worker',
    `metadata.name: Invalid value: "oops-vllm_worker": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
  ],
] as const)('says against a Deployment with %s what the API server says', (_what, path, value, message) => {
  const found = checkObject(mutate('Deployment', [{ kind: 'Deployment', path, value }]));
  expect(found.map((error) => `${formatPath(error.field)}: ${error.message}`)).toEqual([message]);
});

// https://kubernetes.io/docs/tasks/configure-pod-container/assign-pod-level-resources/
test('accepts containers whose limits together exceed that of the pod, and none that exceeds it alone', () => {
  const pod = ['spec', 'template', 'spec'] as const;
  const container = (name: string, cpu: string) => ({ name, image: 'i', resources: { limits: { cpu } } });
  const check = (...cpus: readonly string[]) =>
    checkObject(
      mutate('Deployment', [
        { kind: 'Deployment', path: [...pod, 'containers'], value: cpus.map((cpu, index) => container(`c${index}`, cpu)) },
        { kind: 'Deployment', path: [...pod, 'resources'], value: { limits: { cpu: '1' } } },
      ]),
    ).map(({ field }) => formatPath(field));
  expect(check('1', '1')).toEqual([]);
  expect(check('1', '1100m')).toEqual(['spec.template.spec.resources.limits.cpu']);
});

test('accepts an unmasked /proc only in a user namespace', () => {
  const pod = ['spec', 'template', 'spec'] as const;
  const unmasked = { kind: 'Deployment', path: [...pod, 'containers', 0, 'securityContext'], value: { procMount: 'Unmasked' } };
  const check = (hostUsers: boolean) =>
    checkObject(mutate('Deployment', [unmasked, { kind: 'Deployment', path: [...pod, 'hostUsers'], value: hostUsers }]));
  expect(check(true).map(({ message }) => message)).toEqual([
    'Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`',
  ]);
  expect(check(false)).toEqual([]);
});

test('refuses list items with one key in the pods of a PodCliqueSet, as its schema does, and nothing else of them', () => {
  const mounts = [
    { name: 'a', mountPath: '/m' },
    { name: 'b', mountPath: '/m' },
  ];
  const resources = { claims: [{ name: 'c' }, { name: 'c' }] };
  const podSpec = { containers: [{ name: 'main', volumeMounts: mounts, resources }], volumes: [{ name: 'a' }, { name: 'a' }] };
  const set = {
    apiVersion: 'grove.io/v1alpha1',
    kind: 'PodCliqueSet',
    metadata: { name: 'g' },
    spec: { template: { cliques: [{ name: 'c', spec: { podSpec } }] } },
  };
  expect(checkObject(set).map((error) => formatPath(error.field))).toEqual([
    'spec.template.cliques[0].spec.podSpec.volumes[1]',
    'spec.template.cliques[0].spec.podSpec.containers[0].volumeMounts[1]',
    'spec.template.cliques[0].spec.podSpec.containers[0].resources.claims[1]',
  ]);
});

const podField = (...path: readonly (string | number)[]) => ['spec', 'template', 'spec', ...path];

test.each([
  ['hostIPC', 'kernel.shm_rmid_forced', true],
  ['hostIPC', 'kernel/sem', true],
  ['hostIPC', 'net.core.somaxconn', false],
  ['hostNetwork', 'net.core.somaxconn', true],
  ['hostNetwork', 'kernel.msgmax', false],
])('with %s the kernel setting %s is refused: %s', (flag, name, refused) => {
  const changes = [
    { kind: 'Deployment', path: podField('securityContext'), value: { sysctls: [{ name, value: '1' }] } },
    { kind: 'Deployment', path: podField(flag), value: true },
  ];
  const found = checkObject(mutate('Deployment', changes)).map(({ field, message }) => `${formatPath(field)}: ${message}`);
  expect(found.filter((text) => text.includes('sysctls'))).toHaveLength(refused ? 1 : 0);
});

test('a limit of a container is no request against those of the pod', () => {
  const of = (side: string) =>
    checkObject(
      mutate('Deployment', [
        { kind: 'Deployment', path: podField('containers', 0, 'resources'), value: { [side]: { cpu: '5' } } },
        { kind: 'Deployment', path: podField('resources'), value: { requests: { cpu: '4' } } },
      ]),
    ).length;
  expect([of('limits'), of('requests')]).toEqual([0, 1]);
});

test('tells what cannot be read together with what is wrong beside it', () => {
  const container = { name: 'Main', image: 5, resources: { requests: { cpu: '2', memory: '2GB' }, limits: { cpu: '1' } } };
  const pod = { containers: [container], tolerations: ['none'] };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'a' },
    spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec: pod } },
  };
  const fields = refusedFields(deployment).map(({ field }) => formatPath(field.slice(3)));
  expect(fields).toEqual([
    'containers[0].image',
    'containers[0].resources.requests.memory',
    'tolerations[0]',
    'containers[0].name',
    'containers[0].resources.requests',
  ]);
});

test('measures the content of ConfigMaps and Secrets after decoding, keys that are overridden left out', () => {
  const base64 = Buffer.alloc(1024 * 1024, 'x').toString('base64');
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { a: base64, b: 'eA==' } };
  expect(checkObject(secret).map(({ message }) => message)).toEqual(['Too long: may not be more than 1048576 bytes']);
  expect(checkObject({ ...secret, stringData: { a: 'short' } })).toEqual([]);
});
