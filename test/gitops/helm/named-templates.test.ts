/** What the named templates of the chart yield: they do in a template what `lib/platform` does in TypeScript. */
import { describe, expect, test } from 'vitest';
import { platformContext } from '../../../lib/platform/index.ts';
import { namedTemplates } from '../../../lib/gitops/helm/named-templates.ts';
import { Templates } from './go-template/evaluate.ts';

const templates = new Templates(namedTemplates);
const include = (name: string, dot: unknown): string => templates.include(`dynamo.${name}`, dot);

describe('the name of a part', () => {
  test.each([
    ['both joined', 'mine', 'nats', '', 'mine-nats'],
    ['the release that holds the name already', 'my-nats-x', 'nats', '', 'my-nats-x'],
    ['the override', 'mine', 'nats', 'bus', 'bus'],
    ['63 characters at most', 'r'.repeat(63), 'nats', '', 'r'.repeat(63)],
    ['no hyphen at the end, cut', 'r'.repeat(62), 'nats', '', 'r'.repeat(62)],
    ['no hyphen at the end, given', 'x', 'nats', `${'o'.repeat(62)}-o`, 'o'.repeat(62)],
    ['a long release that holds it', `nats-${'r'.repeat(57)}-r`, 'nats', '', `nats-${'r'.repeat(57)}`],
  ])('is %s', (_, release, name, override, expected) => {
    expect(include('fullname', [release, name, override])).toBe(expected);
  });

  test('of each part comes from the release and its override', () => {
    const dot = (release: string, override?: string): object => ({
      Release: { Name: release },
      Values: {
        'dynamo-operator': { fullnameOverride: override },
        nats: { fullnameOverride: override },
        etcd: { fullnameOverride: override },
      },
    });
    const names = (of: object): readonly string[] =>
      ['dynamo-operator.fullname', 'nats.fullname', 'etcd.fullname'].map((name) => include(name, of));
    expect(names(dot('mine'))).toEqual(['mine-dynamo-operator', 'mine-nats', 'mine-etcd']);
    expect(names(dot('mine', 'x'))).toEqual(['x', 'x', 'x']);
    // the original's etcd alone takes dots out of the release
    expect(names(dot('my.Rel'))).toEqual(['my.Rel-dynamo-operator', 'my.Rel-nats', 'my-rel-etcd']);
  });
});

describe('an image', () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  test.each([
    ['nats:2', {}, 'nats:2'],
    ['nats:2', { registry: 'mirror.io' }, 'mirror.io/library/nats:2'],
    ['docker.io/nats:2', { registry: 'mirror.io' }, 'mirror.io/library/nats:2'],
    ['docker.io/bitnami/etcd:3', { registry: 'mirror.io' }, 'mirror.io/bitnami/etcd:3'],
    ['quay.io/x/y:1', { registry: 'mirror.io/sub/' }, 'mirror.io/sub/x/y:1'],
    ['quay.io/y:1', { registry: 'mirror.io' }, 'mirror.io/y:1'],
    ['localhost/x/y:1', { registry: 'mirror.io' }, 'mirror.io/x/y:1'],
    ['host:5000/x/y:1', { registry: 'mirror.io' }, 'mirror.io/x/y:1'],
    ['team/y:1', { registry: 'mirror.io' }, 'mirror.io/team/y:1'],
    ['nats:2', { digests: { 'nats:2': digest } }, `nats:2@${digest}`],
    ['nats:3', { digests: { 'nats:2': digest } }, 'nats:3'],
    [`nats:2@${digest}`, { digests: { [`nats:2@${digest}`]: 'sha256:other' } }, `nats:2@${digest}`],
    ['nats:2', { digests: { 'nats:2': digest }, registry: 'mirror.io' }, `mirror.io/library/nats:2@${digest}`],
  ])('%s with %j is %s, as platform says too', (reference, given: { registry?: string; digests?: object }, expected) => {
    const values = {
      global: { imageRegistry: given.registry ?? '' },
      platform: { imageDigests: { ...given.digests } },
    };
    expect(include('image', [{ Values: values }, reference])).toBe(expected);
    expect(platformContext(values, {}).image(reference)).toBe(expected);
  });

  test.each([
    ['nats:2.11', '2.11'],
    ['host:5000/nats', 'unknown'],
    ['host:5000/nats:2', '2'],
    [`nats:2@sha256:${'a'.repeat(64)}`, '2'],
    ['nats', 'unknown'],
  ])('%s has the tag %s', (reference, expected) => {
    expect(include('tag', reference)).toBe(expected);
    expect(platformContext({}, {}).tagOf(reference)).toBe(expected);
  });
});

test.each([
  ['elsewhere:2390', '2390'],
  ['https://elsewhere:2390/', '2390'],
  ['elsewhere', '2379'],
  ['http://elsewhere/', '2379'],
  ['http://user:1x@elsewhere', '2379'],
])('the port of %s is %s', (address, expected) => {
  expect(include('port', [address, 2379])).toBe(expected);
});

test.each([
  [true, [], 'true'],
  [false, ['monitoring.coreos.com/v1', 'scheduling.run.ai/v2'], 'false'],
  [null, ['monitoring.coreos.com/v1', 'scheduling.run.ai/v2'], 'true'],
  [null, ['other/v1'], 'false'],
])('monitors and queues: told %j in a cluster with %j is %s', (enabled, apis: readonly string[], expected) => {
  const dot = {
    Values: { platform: { monitoring: { enabled }, queues: { enabled } }, 'kai-scheduler': { enabled: false } },
    Capabilities: { APIVersions: { Has: (api: string) => apis.includes(api) } },
  };
  expect(include('monitoring', dot)).toBe(expected);
  expect(include('queues', dot)).toBe(expected);
  const kai = { ...dot, Values: { ...dot.Values, 'kai-scheduler': { enabled: true } } };
  expect(include('queues', kai)).toBe(String(enabled ?? true));
});

test.each([
  [true, 'external', 'external'],
  [true, 'cert-manager', 'cert-manager'],
  [false, 'external', 'off'],
])('webhooks %s with certificates from %s: %s', (enabled, mode, expected) => {
  const Values = { 'dynamo-operator': { webhook: { enabled } }, platform: { certificates: { mode } } };
  expect(include('webhooks', { Values })).toBe(expected);
});

test.each([
  ['labels win', { team: 'a' }, true, true, 'labels'],
  ['one managed namespace', {}, true, false, 'managed'],
  ['one managed namespace, opened to all', {}, true, true, 'all'],
  ['every namespace is managed', {}, false, false, 'all'],
])('who reaches NATS and etcd: %s', (_, clientNamespaceLabels, enabled, allowAllNamespaces, expected) => {
  const Values = {
    'dynamo-operator': { namespaceRestriction: { enabled } },
    platform: { networkPolicy: { clientNamespaceLabels, allowAllNamespaces } },
  };
  expect(include('clients', { Values })).toBe(expected);
});

test.each([
  [false, 3, 'single'],
  [true, 3, '3'],
])('servers of NATS: a cluster is %s with %s replicas: %s', (enabled, replicas, expected) => {
  expect(include('nats.servers', { Values: { nats: { config: { cluster: { enabled, replicas } } } } })).toBe(expected);
});

test.each([
  ['all', 'own', 'standard', 'all'],
  ['', 'own', 'standard', 'own'],
  ['', '', 'standard', 'standard'],
  ['', '', '', ''],
  ['', '-', 'standard', ''],
])('the storage class of etcd among %j, %j and %j is %j', (storageClass, own, defaultStorageClass, expected) => {
  const Values = { global: { storageClass, defaultStorageClass }, etcd: { persistence: { storageClass: own } } };
  expect(include('etcd.storageClass', { Values })).toBe(expected);
});

test('pull secrets of a pod come before those of every pod, each once, names as maps', () => {
  const secrets = (own: unknown, all: unknown): unknown =>
    JSON.parse(include('pullSecrets', [{ Values: { global: { imagePullSecrets: all } } }, own]));
  expect(secrets([{ name: 'a' }, 'b'], ['b', { name: 'c' }])).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
  expect(secrets(undefined, ['a'])).toEqual([{ name: 'a' }]);
  expect(secrets(['a'], undefined)).toEqual([{ name: 'a' }]);
  expect(secrets(undefined, undefined)).toEqual([]);
});

test.each(['10Gi', 'a b', 7])('%j may stand in a line of a file', (value) => {
  expect(include('line', value)).toBe(String(value));
});

test.each(['a"b', 'a\\b', 'a\nb', 'a\u0000b', 'a\u001fb', 'a\u007fb'])('%j may not stand in a line of a file', (value) => {
  expect(() => include('line', value)).toThrow(
    `${JSON.stringify(value)}: must not contain quotes, backslashes or control characters`,
  );
});

test.each([
  ['1m30s', 90_000],
  ['2h', 7_200_000],
  ['150ms', 150],
  ['1h1m1s1ms', 3_661_001],
  ['', 0],
])('%j has %d milliseconds', (duration, expected) => {
  expect(include('milliseconds', duration)).toBe(String(expected));
});

test.each([
  ['1500m', 1.5],
  ['2', 2],
  [2, 2],
  ['+2', 2],
  ['1.5Gi', 1.5 * 2 ** 30],
  ['1Ki', 1024],
  ['1Mi', 2 ** 20],
  ['1Ti', 2 ** 40],
  ['1Pi', 2 ** 50],
  ['1Ei', 2 ** 60],
  ['1k', 1e3],
  ['1M', 1e6],
  ['1G', 1e9],
  ['1T', 1e12],
  ['1P', 1e15],
  ['1E', 1e18],
  ['1e3', 1e3],
  ['1E-2', 0.01],
  ['7u', 7e-6],
  ['7n', 7e-9],
])('the quantity %j is %d', (quantity, expected) => {
  expect(Number(include('quantity', quantity))).toBeCloseTo(expected, 9);
});

describe('resources', () => {
  const check = (resources: unknown): string => include('resources', ['etcd.resources', resources]).trim();

  test.each([
    [undefined],
    [{}],
    [{ requests: { cpu: 1 } }],
    [{ limits: { 'x.io/fpga': 1 } }],
    [{ requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '1000m', memory: '2Gi' } }],
    [{ requests: { 'x.io/fpga': 1 }, limits: { 'x.io/fpga': '1' } }],
  ])('%j is in order', (resources) => {
    expect(check(resources)).toBe('');
  });

  test.each([
    [
      { requests: { memory: '2Gi' }, limits: { memory: '1500M' } },
      'etcd.resources.requests.memory: must be at most its limit 1500M, got 2Gi',
    ],
    [{ requests: { cpu: 3 }, limits: { cpu: 2 } }, 'etcd.resources.requests.cpu: must be at most its limit 2, got 3'],
    [
      { requests: { 'x.io/fpga': 1 }, limits: { 'x.io/fpga': 2 } },
      'etcd.resources.requests.x.io/fpga: must equal its limit 2, got 1',
    ],
    [
      { requests: { 'hugepages-2Mi': '2Mi' }, limits: { 'hugepages-2Mi': '4Mi' } },
      'etcd.resources.requests.hugepages-2Mi: must equal its limit 4Mi, got 2Mi',
    ],
    [{ requests: { 'x.io/fpga': 1 } }, 'etcd.resources.limits.x.io/fpga: must be set and equal its request 1'],
  ])('%j is refused', (resources, message) => {
    expect(() => check(resources)).toThrow(message);
  });
});
