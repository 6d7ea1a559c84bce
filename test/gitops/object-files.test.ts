import type { KubernetesObject } from '../../lib/api/index.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { annotate, fileName, objectFiles, orderedFileName } from '../../lib/gitops/object-files.ts';

const object = (apiVersion: string, kind: string, name: string, namespace?: string): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
});
const paths = (...objects: readonly KubernetesObject[]): readonly string[] =>
  objectFiles('f', objects, (o) => fileName(o, 'home')).map((f) => f.path);

test('a name is kind and name, with the namespace where it is another', () => {
  expect(fileName(object('v1', 'ConfigMap', 'a', 'home'), 'home')).toBe('configmap-a.yaml');
  expect(fileName(object('v1', 'ConfigMap', 'a', 'other'), 'home')).toBe('configmap-other.a.yaml');
  expect(fileName(object('v1', 'Namespace', 'a'), 'home')).toBe('namespace-a.yaml');
  expect(fileName(object('rbac.authorization.k8s.io/v1', 'ClusterRole', 'System:Admin/../x'))).toBe(
    'clusterrole-system-admin-..-x.yaml',
  );
});

test('an ordered name starts with the step', () => {
  expect(orderedFileName(object('v1', 'Service', 'a'), undefined)).toBe('04-dependencies-service-a.yaml');
  expect(orderedFileName(object('v1', 'Service', 'a'), undefined, true)).toBe('07-extras-service-a.yaml');
});

test('objects of other groups have their group where two would share a name', () => {
  const [core, knative] = [object('v1', 'Service', 'web'), object('serving.knative.dev/v1', 'Service', 'web')];
  expect(paths(core, knative, object('v1', 'Service', 'web-2'))).toEqual([
    'f/service-web.yaml',
    'f/service.serving.knative.dev-web.yaml',
    'f/service-web-2.yaml',
  ]);
  expect(paths(knative)).toEqual(['f/service-web.yaml']);
});

test('names that no group tells apart get numbers that no other file has', () => {
  const role = (name: string) => object('rbac.authorization.k8s.io/v1', 'ClusterRole', name);
  expect(paths(role('a:b'), role('a/b'), role('a-b'), role('x'))).toEqual([
    'f/clusterrole.rbac.authorization.k8s.io-a-b.yaml',
    'f/clusterrole.rbac.authorization.k8s.io-a-b-2.yaml',
    'f/clusterrole.rbac.authorization.k8s.io-a-b-3.yaml',
    'f/clusterrole-x.yaml',
  ]);
  const map = (name: string) => object('v1', 'ConfigMap', name);
  expect(paths(map('A'), map('a'), map('a-2'))).toEqual(['f/configmap-a.yaml', 'f/configmap-a-3.yaml', 'f/configmap-a-2.yaml']);
});

test('no two objects ever share a file', () => {
  const any = fc.record({
    apiVersion: fc.constantFrom('v1', 'a.io/v1', 'b.io/v1'),
    kind: fc.constantFrom('Service', 'service'),
    name: fc.constantFrom('web', 'Web', 'web-2', 'web-3', 'web:2'),
  });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 12 }), (all) => {
      const files = paths(...all.map((o) => object(o.apiVersion, o.kind, o.name)));
      expect(new Set(files).size).toBe(all.length);
    }),
  );
});

test('files hold their objects, at the top where there is no folder', () => {
  expect(objectFiles('', [object('v1', 'Service', 'a')], () => 'x.yaml')).toEqual([
    { path: 'x.yaml', text: 'apiVersion: v1\nkind: Service\nmetadata:\n  name: a\n' },
  ]);
});

test('annotations of an object win over those added', () => {
  const given = { ...object('v1', 'Service', 'a'), metadata: { name: 'a', annotations: { x: 'own' } } };
  expect(annotate(given, { x: 'added', y: 'added' }).metadata.annotations).toEqual({ x: 'own', y: 'added' });
});
