import type { KubernetesObject } from '../../lib/api/index.ts';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { mapImages } from '../../lib/gitops/images.ts';
import { parseImage } from '../../lib/platform/images.ts';
import { kustomizeLayout } from '../../lib/gitops/kustomize.ts';

const object = (apiVersion: string, kind: string, name: string, more: object = {}, namespace?: string): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  ...more,
});
const workload = (kind: string, name: string, images: readonly string[], replicas?: number): KubernetesObject =>
  object(
    'apps/v1',
    kind,
    name,
    {
      spec: {
        ...(replicas === undefined ? {} : { replicas }),
        template: { spec: { containers: images.map((image, i) => ({ name: `c${i}`, image })) } },
      },
    },
    'system',
  );

/** What is written for an environment whose platform differs from the base: `kustomization.yaml` of its overlay, and all files by path. */
function overlay(before: readonly KubernetesObject[], after: readonly KubernetesObject[]) {
  const environment = (name: string, objects: readonly KubernetesObject[]) => ({
    name,
    namespace: 'system',
    parts: [{ name: 'platform', objects }],
  });
  const files = kustomizeLayout({
    base: environment('base', before),
    environments: [environment('test', after)],
    graphs: [],
    crds: [],
  });
  const texts = new Map(files.map(({ path, text }) => [path, parse(text)]));
  return { texts, overlay: texts.get('overlays/test/kustomization.yaml') };
}

const head = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', sortOptions: { order: 'fifo' } };

test('a base lists its files by name', () => {
  const { texts } = overlay([object('v1', 'ConfigMap', 'a', {}, 'system'), object('v1', 'ConfigMap', 'b', {}, 'other')], []);
  expect(texts.get('bases/platform/kustomization.yaml')).toEqual({
    ...head,
    resources: ['configmap-a.yaml', 'configmap-other.b.yaml'],
  });
  expect(texts.get('bases/platform/configmap-a.yaml')).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'a' } });
});

test('an overlay adds what is new, by name', () => {
  const { texts, overlay: text } = overlay(
    [object('v1', 'Service', 'a')],
    [object('v1', 'Service', 'a'), object('v1', 'Service', 'b')],
  );
  expect(text).toEqual({ ...head, resources: ['../../bases/platform', 'resources/service-b.yaml'] });
  expect(texts.get('overlays/test/resources/service-b.yaml')).toMatchObject({ metadata: { name: 'b' } });
});

test('an overlay deletes what is gone, by group, kind, name and namespace', () => {
  const gone = [
    object('v1', 'Service', 'a', { spec: { ports: [] } }, 'system'),
    object('rbac.authorization.k8s.io/v1', 'ClusterRole', 'r'),
  ];
  const { texts, overlay: text } = overlay(gone, []);
  expect(text.patches).toEqual([{ path: 'patches/service-a.yaml' }, { path: 'patches/clusterrole-r.yaml' }]);
  expect(texts.get('overlays/test/patches/service-a.yaml')).toEqual({
    $patch: 'delete',
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'a', namespace: 'system' },
  });
  expect(texts.get('overlays/test/patches/clusterrole-r.yaml')).toEqual({
    $patch: 'delete',
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'r' },
  });
});

test('an overlay patches what is other, at its target', () => {
  const role = (verb: string) => object('rbac.authorization.k8s.io/v1', 'ClusterRole', 'r', { rules: [{ verbs: [verb] }] });
  const map = (value: string) => object('v1', 'ConfigMap', 'm', { data: { a: value } }, 'system');
  const { texts, overlay: text } = overlay([role('get'), map('1')], [role('list'), map('2')]);
  expect(text).toEqual({
    ...head,
    resources: ['../../bases/platform'],
    patches: [
      {
        path: 'patches/clusterrole-r.yaml',
        target: { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'ClusterRole', name: 'r' },
      },
      { path: 'patches/configmap-m.yaml', target: { version: 'v1', kind: 'ConfigMap', name: 'm', namespace: 'system' } },
    ],
  });
  expect(texts.get('overlays/test/patches/configmap-m.yaml')).toEqual([{ op: 'replace', path: '/data/a', value: '2' }]);
});

describe('replicas', () => {
  test('of what kustomize scales are said with its transformer', () => {
    for (const kind of ['Deployment', 'StatefulSet', 'ReplicaSet']) {
      const { overlay: text } = overlay([workload(kind, 'w', ['i:1'], 1)], [workload(kind, 'w', ['i:1'], 3)]);
      expect(text).toEqual({ ...head, resources: ['../../bases/platform'], replicas: [{ name: 'w', count: 3 }] });
    }
  });

  test('of others, or that go, are patched', () => {
    expect(overlay([workload('Odd', 'w', [], 1)], [workload('Odd', 'w', [], 3)]).overlay).not.toHaveProperty('replicas');
    const { texts, overlay: text } = overlay([workload('Deployment', 'w', ['i:1'], 1)], [workload('Deployment', 'w', ['i:1'])]);
    expect(text).not.toHaveProperty('replicas');
    expect(texts.get('overlays/test/patches/deployment-w.yaml')).toEqual([{ op: 'remove', path: '/spec/replicas' }]);
  });

  test('that come are said with the transformer too', () => {
    const { overlay: text } = overlay([workload('Deployment', 'w', ['i:1'])], [workload('Deployment', 'w', ['i:1'], 2)]);
    expect(text.replicas).toEqual([{ name: 'w', count: 2 }]);
  });
});

describe('images', () => {
  const change = (before: readonly string[], after: readonly string[]) =>
    overlay([workload('Deployment', 'w', before)], [workload('Deployment', 'w', after)]).overlay;

  test.each([
    ['a:1', 'a:2', { name: 'a', newTag: '2' }],
    ['a:1', 'b:1', { name: 'a', newName: 'b', newTag: '1' }],
    ['r:5000/a:1', 'r:5000/a@sha256:x', { name: 'r:5000/a', digest: 'sha256:x' }],
    ['a', 'b:2@sha256:x', { name: 'a', newName: 'b', newTag: '2', digest: 'sha256:x' }],
  ])('%s to %s', (before, after, wanted) => {
    expect(change([before], [after])).toEqual({ ...head, resources: ['../../bases/platform'], images: [wanted] });
  });

  test('that stay are not said', () => expect(change(['a:1'], ['a:1'])).not.toHaveProperty('images'));

  test('of one name and two tags are patched, since a transformer knows the name alone', () => {
    const text = change(['a:1', 'a:2'], ['a:3', 'a:2']);
    expect(text).not.toHaveProperty('images');
    expect(text.patches).toHaveLength(1);
  });

  test('of containers that come or go are patched', () => {
    expect(change(['a:1'], ['a:2', 'b:1'])).not.toHaveProperty('images');
  });
});

test.each([
  ['a', { name: 'a' }],
  ['a:1', { name: 'a', tag: '1' }],
  ['r:5000/a', { name: 'r:5000/a' }],
  ['r:5000/a:1@sha256:x', { name: 'r:5000/a', tag: '1', digest: 'sha256:x' }],
])('the image %s has its parts', (text, parts) => expect(parseImage(text)).toStrictEqual(parts));

test('images are those of containers and init containers, wherever they are', () => {
  const pod = {
    containers: [{ image: 'a' }, { name: 'no' }, 'odd'],
    initContainers: [{ image: 'b', absent: undefined }],
    image: 'c',
  };
  expect(mapImages({ spec: [pod], gone: undefined }, (image) => `${image}!`)).toStrictEqual({
    spec: [{ containers: [{ image: 'a!' }, { name: 'no' }, 'odd'], initContainers: [{ image: 'b!' }], image: 'c' }],
  });
});
