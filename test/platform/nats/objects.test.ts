import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/json/index.ts';
import { nats } from '../../../lib/platform/nats/index.ts';
import { dig, environmentOf, inventory, objectOf, podOf, renderPart } from '../render-part.ts';

const everything: JsonObject = {
  config: { websocket: { enabled: true, ingress: { enabled: true, hosts: ['h'] } }, resolver: { enabled: true } },
  promExporter: { enabled: true, podMonitor: { enabled: true } },
  serviceAccount: { enabled: true },
  natsBox: { enabled: true, serviceAccount: { enabled: true }, contexts: { default: { creds: { contents: 'x' } } } },
};

/** Lays a block over another at a path. */
function withBlock(base: JsonObject, path: string, block: JsonObject): JsonObject {
  const [first = '', ...rest] = path.split('.');
  const below = (base[first] ?? {}) as JsonObject;
  return { ...base, [first]: rest.length === 0 ? { ...below, ...block } : withBlock(below, rest.join('.'), block) };
}

test('everything that can be on is rendered once', () => {
  expect(inventory(renderPart(nats, everything))).toEqual([
    'ConfigMap r-nats-config',
    'Deployment r-nats-box',
    'Ingress r-nats-ws',
    'PodDisruptionBudget r-nats',
    'PodMonitor r-nats',
    'Secret r-nats-box-contents',
    'Secret r-nats-box-contexts',
    'Service r-nats',
    'Service r-nats-headless',
    'ServiceAccount r-nats',
    'ServiceAccount r-nats-box',
    'StatefulSet r-nats',
  ]);
});

describe('every object takes a name, a merge and a patch', () => {
  test.each([
    ['statefulSet', 'StatefulSet'],
    ['service', 'Service'],
    ['headlessService', 'Service'],
    ['configMap', 'ConfigMap'],
    ['podDisruptionBudget', 'PodDisruptionBudget'],
    ['serviceAccount', 'ServiceAccount'],
    ['promExporter.podMonitor', 'PodMonitor'],
    ['config.websocket.ingress', 'Ingress'],
    ['natsBox.deployment', 'Deployment'],
    ['natsBox.contextsSecret', 'Secret'],
    ['natsBox.contentsSecret', 'Secret'],
    ['natsBox.serviceAccount', 'ServiceAccount'],
  ])('%s', (path, kind) => {
    const block = {
      name: 'own',
      merge: { metadata: { annotations: { merged: 'yes' } } },
      patch: [{ op: 'add', path: '/metadata/annotations/patched', value: 'yes' }],
    };
    const rendered = renderPart(nats, withBlock(everything, path, block));
    expect(rendered.issues).toEqual([]);
    expect(objectOf(rendered, kind, 'own').metadata.annotations).toEqual({ merged: 'yes', patched: 'yes' });
  });

  test.each<[string, readonly (string | number)[]]>([
    ['container', ['StatefulSet', 'containers', 'nats']],
    ['reloader', ['StatefulSet', 'containers', 'reloader']],
    ['promExporter', ['StatefulSet', 'containers', 'prom-exporter']],
    ['natsBox.container', ['Deployment', 'containers', 'nats-box']],
  ])('the container of %s', (path, [kind, ...steps]) => {
    const block = { merge: { workingDir: '/a' }, patch: [{ op: 'add', path: '/tty', value: true }] };
    const pod = podOf(objectOf(renderPart(nats, withBlock(everything, path, block)), String(kind)));
    expect(dig(pod, ...steps)).toMatchObject({ workingDir: '/a', tty: true });
  });

  test.each<[string, string]>([
    ['podTemplate', 'StatefulSet'],
    ['natsBox.podTemplate', 'Deployment'],
  ])('the pods of %s', (path, kind) => {
    const block = {
      merge: { spec: { priorityClassName: 'high' } },
      patch: [{ op: 'add', path: '/spec/hostNetwork', value: true }],
    };
    const pod = podOf(objectOf(renderPart(nats, withBlock(everything, path, block)), kind));
    expect(pod).toMatchObject({ priorityClassName: 'high', hostNetwork: true });
  });

  test.each<[string, number]>([
    ['config.jetstream.fileStore.pvc', 0],
    ['config.resolver.pvc', 1],
  ])('the claim of %s', (path, index) => {
    const block = {
      name: 'own',
      storageClassName: 'fast',
      merge: { metadata: { labels: { a: 'b' } } },
      patch: [{ op: 'replace', path: '/spec/accessModes/0', value: 'ReadWriteMany' }],
    };
    const rendered = renderPart(nats, withBlock(everything, path, block));
    expect(dig(objectOf(rendered, 'StatefulSet'), 'spec', 'volumeClaimTemplates', index)).toMatchObject({
      metadata: { name: 'own', labels: { a: 'b' } },
      spec: { accessModes: ['ReadWriteMany'], storageClassName: 'fast' },
    });
    expect(dig(podOf(objectOf(rendered, 'StatefulSet')), 'containers', 'nats', 'volumeMounts', 'own')).toMatchObject({
      name: 'own',
      mountPath: expect.stringMatching(/^\//),
    });
  });
});

describe('images', () => {
  test.each<[string, JsonObject, JsonObject | undefined, string, string | undefined]>([
    ['by default', {}, undefined, 'nats:2.10.21-alpine', undefined],
    ['with a registry', { registry: 'a.io' }, undefined, 'a.io/nats:2.10.21-alpine', undefined],
    ['with a global registry', {}, { image: { registry: 'g.io', pullPolicy: 'Always' } }, 'g.io/nats:2.10.21-alpine', 'Always'],
    [
      'with both registries',
      { registry: 'a.io', pullPolicy: 'Never' },
      { image: { registry: 'g.io', pullPolicy: 'Always' } },
      'a.io/nats:2.10.21-alpine',
      'Never',
    ],
    ['with a digest', { digest: 'sha256:1' }, undefined, 'nats@sha256:1', undefined],
    ['with a whole name', { fullImageName: 'x/y:z', registry: 'a.io', digest: 'sha256:1' }, undefined, 'x/y:z', undefined],
    ['with a number for a tag', { tag: 2 }, undefined, 'nats:2', undefined],
  ])('%s', (_name, image, global, reference, policy) => {
    const rendered = renderPart(nats, { container: { image } }, global === undefined ? {} : { global });
    const container = dig(podOf(objectOf(rendered, 'StatefulSet')), 'containers', 'nats');
    expect([dig(container, 'image'), dig(container, 'imagePullPolicy')]).toEqual([reference, policy]);
  });

  test.each(['repository', 'tag'])('rejects an empty %s', (key) => {
    for (const value of [null, '']) {
      const { issues } = renderPart(nats, { reloader: { image: { [key]: value } } });
      expect(issues).toMatchObject([{ path: ['nats', 'reloader', 'image', key], code: 'required' }]);
    }
  });
});

test('environment variables are texts or maps, in order of their names', () => {
  const env = { Z: 'last', A: { valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } } };
  const container = dig(podOf(objectOf(renderPart(nats, { container: { env } }), 'StatefulSet')), 'containers', 'nats');
  expect(Object.keys(environmentOf(container))).toEqual(['POD_NAME', 'SERVER_NAME', 'A', 'Z']);
});

test.each([4, true, null, ['x']])('rejects %j as an environment variable', (value) => {
  const { issues, objects } = renderPart(nats, { natsBox: { enabled: true, container: { env: { V: value } } } });
  expect(issues).toMatchObject([{ path: ['nats', 'natsBox', 'container', 'env', 'V'], code: 'wrong_type' }]);
  // What is not rendered because of it is the release: its caller writes no object where there are issues.
  expect(objects.map(({ kind }) => kind)).toContain('StatefulSet');
});

test.each([
  'service',
  'config.cluster',
  'config.jetstream.fileStore.pvc',
  'natsBox.deployment',
  'podTemplate',
  'container.ports',
])('rejects null for the block %s, as Helm does', (path) => {
  const [last = '', ...rest] = path.split('.').toReversed();
  const block = rest.reduce<JsonObject>((inner, key) => ({ [key]: inner }), { [last]: null });
  const { issues, objects } = renderPart(nats, block);
  expect(issues).toMatchObject([{ path: ['nats', ...path.split('.')], code: 'wrong_type' }]);
  expect(objects).toEqual([]);
});

test('rejects templates in values', () => {
  const { issues } = renderPart(nats, { podTemplate: { merge: { metadata: { $tplYaml: 'a: {{ .Release.Name }}' } } } });
  expect(issues).toMatchObject([{ path: ['nats', 'podTemplate', 'merge', 'metadata'], code: 'unsupported' }]);
});

test('names, namespace and labels follow the overrides', () => {
  const rendered = renderPart(nats, {
    nameOverride: 'bus',
    namespaceOverride: 'other',
    global: { labels: { team: 'a', 'app.kubernetes.io/name': 'ignored' } },
    config: { cluster: { enabled: true, routeURLs: { useFQDN: true } } },
  });
  const service = objectOf(rendered, 'Service', 'r-bus');
  expect(service.metadata).toMatchObject({ namespace: 'other', labels: { team: 'a', 'app.kubernetes.io/name': 'bus' } });
  expect(dig(objectOf(rendered, 'ConfigMap'), 'data', 'nats.conf')).toContain(
    'nats://r-bus-0.r-bus-headless.other.svc.cluster.local:6222',
  );
  expect(inventory(renderPart(nats, { fullnameOverride: 'mynats-' }))).toContain('StatefulSet mynats');
});

test('a context names its files where they are mounted, and the authority only with TLS', () => {
  const natsBox = {
    enabled: true,
    contexts: {
      default: { nkey: { contents: 'SUA' } },
      ops: { creds: { secretName: 'c', dir: '/x/', key: 'k' }, tls: { secretName: 't', cert: 'c.pem', key: 'k.pem' } },
    },
  };
  const contextsOf = (block: JsonObject) => {
    const data = dig(objectOf(renderPart(nats, block), 'Secret', 'r-nats-box-contexts'), 'stringData') as Readonly<
      Record<string, string>
    >;
    return Object.fromEntries(Object.entries(data).map(([name, text]) => [name, JSON.parse(text) as JsonObject]));
  };
  const tlsCA = { enabled: true, configMapName: 'ca' };
  expect(contextsOf({ natsBox, tlsCA, config: { nats: { tls: { enabled: true } } } })).toEqual({
    'default.json': { url: 'nats://r-nats', nkey: '/etc/nats-contents/default.nk', ca: '/etc/nats-ca-cert/ca.crt' },
    'ops.json': {
      url: 'nats://r-nats',
      creds: '/x/k',
      cert: '/etc/nats-certs/ops/c.pem',
      key: '/etc/nats-certs/ops/k.pem',
      ca: '/etc/nats-ca-cert/ca.crt',
    },
  });
  expect(contextsOf({ natsBox, tlsCA })['default.json']).toEqual({ url: 'nats://r-nats', nkey: '/etc/nats-contents/default.nk' });
});

test('extra objects are printed as they are, without nulls', () => {
  const extra = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', labels: null }, data: { a: 'b' } };
  expect(objectOf(renderPart(nats, { extraResources: [extra] }), 'ConfigMap', 'x')).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'x' },
    data: { a: 'b' },
  });
  expect(renderPart(nats, { extraResources: [{ kind: 'ConfigMap' }] }).issues).toMatchObject([{ code: 'not_an_object' }]);
});

test.each<[JsonObject, string]>([
  [{ config: { cluster: { enabled: true, replicas: 1 } } }, 'config.cluster.replicas'],
  [{ promExporter: { podMonitor: { enabled: true } } }, 'promExporter.podMonitor.enabled'],
  [{ promExporter: { enabled: true }, config: { monitor: { enabled: false } } }, 'promExporter.enabled'],
  [{ config: { monitor: { tls: { enabled: true } } } }, 'config.monitor.tls.enabled'],
])('warns of %j', (block, path) => {
  expect(renderPart(nats, block).warnings.map((warning) => warning.path.join('.'))).toContain(`nats.${path}`);
});
