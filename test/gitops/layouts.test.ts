import { parseAllDocuments, parse } from 'yaml';
import { expect, test } from 'vitest';
import { argocdLayout } from '../../lib/gitops/argocd.ts';
import { fluxLayout } from '../../lib/gitops/flux.ts';
import { kustomizeLayout } from '../../lib/gitops/kustomize.ts';
import { plainLayout } from '../../lib/gitops/plain.ts';
import { waveOf } from '../../lib/platform/waves.ts';
import type { OutputFile } from '../../lib/gitops/layout.ts';
import { deployment, environment, service, toyInput } from './toy-platform.ts';

const repository = { url: 'https://git.example.com/dynamo.git', revision: 'main', path: 'clusters/one' };
const paths = (files: readonly OutputFile[]): readonly string[] => files.map((f) => f.path);
const file = (files: readonly OutputFile[], path: string): string => {
  const found = files.find((f) => f.path === path);
  if (!found) throw new Error(`no ${path} among ${paths(files).join(', ')}`);
  return found.text;
};

test('every kind has its place in the order of application', () => {
  const wave = (apiVersion: string, kind: string, more: object = {}) =>
    waveOf({ apiVersion, kind, metadata: { name: 'x' }, ...more }).number;
  expect([
    wave('v1', 'Namespace'),
    wave('apiextensions.k8s.io/v1', 'CustomResourceDefinition'),
    wave('rbac.authorization.k8s.io/v1', 'ClusterRole'),
    wave('cert-manager.io/v1', 'Certificate'),
    wave('apps/v1', 'StatefulSet'),
    wave('apps/v1', 'Deployment', { metadata: { name: 'x', labels: { 'control-plane': 'controller-manager' } } }),
    wave('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'),
    wave('monitoring.coreos.com/v1', 'PodMonitor'),
    wave('nvidia.com/v1alpha1', 'DynamoModel'),
  ]).toEqual([-6, -5, -4, -3, -2, 0, 1, 2, 3]);
});

test('a parent queue comes before its child', () => {
  const queue = (name: string, spec: object) =>
    waveOf({ apiVersion: 'scheduling.run.ai/v2', kind: 'Queue', metadata: { name }, spec: { ...spec } }).number;
  expect(queue('dynamo-default', {})).toBeLessThan(queue('dynamo', { parentQueue: 'dynamo-default' }));
});

test('plain files sort in the order in which a cluster takes them', () => {
  const files = paths(plainLayout(toyInput()));
  expect(files).toEqual([
    '0-crds/01-crds-customresourcedefinition-dynamographdeployments.nvidia.com.yaml',
    '1-platform/00-namespaces-namespace-dynamo-system.yaml',
    '1-platform/04-dependencies-service-nats.yaml',
    '1-platform/05-operator-deployment-operator.yaml',
    '2-graphs/07-extras-configmap-models.engine.yaml',
    '2-graphs/08-graphs-dynamographdeployment-models.qwen.yaml',
  ]);
  expect(files).toEqual(files.toSorted());
});

test('an overlay says images and replicas with transformers and only the rest with patches', () => {
  const production = environment('production', deployment('mirror.example.com/operator@sha256:abc', 3, ['--v=2']), [
    service('nats-ha'),
  ]);
  const files = kustomizeLayout(toyInput([production]));
  expect(parse(file(files, 'overlays/production/kustomization.yaml'))).toMatchObject({
    resources: [
      '../../bases/crds',
      '../../bases/namespace',
      '../../bases/operator',
      '../../bases/nats',
      '../../bases/graphs',
      'resources/service-nats-ha.yaml',
    ],
    images: [{ name: 'example.com/operator', newName: 'mirror.example.com/operator', digest: 'sha256:abc' }],
    replicas: [{ name: 'operator', count: 3 }],
  });
  expect(parse(file(files, 'overlays/production/patches/deployment-operator.yaml'))).toEqual([
    { op: 'replace', path: '/spec/template/spec/containers/0/args', value: ['--v=2'] },
  ]);
  expect(parse(file(files, 'overlays/production/patches/service-nats.yaml'))).toMatchObject({
    $patch: 'delete',
    kind: 'Service',
  });
});

test('an image that becomes two different ones is patched, not transformed', () => {
  const pod = (image: string, other: string) => ({
    ...deployment(image, 1),
    metadata: { name: other, namespace: 'dynamo-system' },
  });
  const base = {
    name: 'default',
    namespace: 'dynamo-system',
    parts: [{ name: 'operator', objects: [pod('a:1', 'one'), pod('a:1', 'two')] }],
  };
  const changed = { ...base, name: 'test', parts: [{ name: 'operator', objects: [pod('a:2', 'one'), pod('a:3', 'two')] }] };
  const text = parse(
    file(kustomizeLayout({ base, environments: [changed], graphs: [], crds: [] }), 'overlays/test/kustomization.yaml'),
  );
  expect(text.images).toBeUndefined();
  expect(text.patches).toHaveLength(2);
});

test('Argo CD gets one Application for one environment and a set for several', () => {
  const one = argocdLayout(toyInput(), repository);
  expect(parse(file(one, 'argocd/application-dynamo-default.yaml')).spec.source).toEqual({
    repoURL: repository.url,
    targetRevision: 'main',
    path: 'clusters/one/manifests/default',
  });
  const two = argocdLayout(
    toyInput([environment('a', deployment('x:1', 1), []), environment('b', deployment('x:2', 1), [])]),
    repository,
  );
  expect(
    parse(file(two, 'argocd/applicationset-dynamo.yaml')).spec.generators[0].list.elements.map((e: { name: string }) => e.name),
  ).toEqual(['a', 'b']);
});

test('Argo CD keeps CRDs when they leave Git, and the project allows only what is there', () => {
  const files = argocdLayout(toyInput(), repository);
  const crd = parse(file(files, 'manifests/default/01-crds-customresourcedefinition-dynamographdeployments.nvidia.com.yaml'));
  expect(crd.metadata.annotations).toEqual({
    'argocd.argoproj.io/sync-wave': '-5',
    'argocd.argoproj.io/sync-options': 'ServerSideApply=true,Prune=false,Delete=false',
  });
  const project = parse(file(files, 'argocd/appproject-dynamo.yaml')).spec;
  expect(project.clusterResourceWhitelist).toEqual([
    { group: '', kind: 'Namespace' },
    { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' },
  ]);
  expect(project.destinations.map((d: { namespace: string }) => d.namespace)).toEqual(['dynamo-system', 'models']);
});

test('Flux applies step after step, waits, and never prunes CRDs', () => {
  const files = fluxLayout(toyInput(), repository);
  const objects = parseAllDocuments(file(files, 'flux/dynamo.yaml')).map((d) => d.toJS());
  const steps = objects.filter((o) => o.kind === 'Kustomization');
  expect(steps.map((s) => [s.metadata.name, s.spec.dependsOn?.[0].name, s.spec.wait])).toEqual([
    ['dynamo-namespaces', undefined, true],
    ['dynamo-crds', 'dynamo-namespaces', true],
    ['dynamo-dependencies', 'dynamo-crds', true],
    ['dynamo-operator', 'dynamo-dependencies', true],
    ['dynamo-extras', 'dynamo-operator', true],
    ['dynamo-graphs', 'dynamo-extras', true],
  ]);
  expect(steps.find((s) => s.metadata.name === 'dynamo-crds').spec.prune).toBe(false);
  const crd = files.find((f) => f.path.includes('customresourcedefinition'));
  expect(parse(crd?.text ?? '').metadata.annotations).toEqual({ 'kustomize.toolkit.fluxcd.io/prune': 'disabled' });
  expect(steps.at(-1).spec.healthCheckExprs.map((h: { kind: string }) => h.kind)).toContain('DynamoGraphDeployment');
});

test('every folder that Flux names is written', () => {
  const files = fluxLayout(
    toyInput([environment('a', deployment('x:1', 1), []), environment('b', deployment('x:2', 1), [])]),
    repository,
  );
  const named = parseAllDocuments(file(files, 'flux/dynamo.yaml'))
    .map((d) => d.toJS())
    .filter((o) => o.kind === 'Kustomization')
    .map((o) => o.spec.path as string);
  for (const path of named)
    expect(
      paths(files).some((p) => `./clusters/one/${p}`.startsWith(`${path}/`)),
      path,
    ).toBe(true);
});

test('an overlay that changes nothing says nothing', () => {
  const same = environment('same', deployment('example.com/operator:1.0', 1), [service('nats')]);
  const files = kustomizeLayout(toyInput([same]));
  expect(Object.keys(parse(file(files, 'overlays/same/kustomization.yaml')))).toEqual([
    'apiVersion',
    'kind',
    'sortOptions',
    'resources',
  ]);
  expect(paths(files).filter((p) => p.startsWith('overlays/same/'))).toEqual(['overlays/same/kustomization.yaml']);
});
