import type { KubernetesObject } from '../../lib/api/index.ts';
import { expect, test } from 'vitest';
import { checkInput } from '../../lib/gitops/check-input.ts';
import { placeGraphs } from '../../lib/gitops/graph-namespaces.ts';
import type { Environment } from '../../lib/gitops/layout.ts';
import { deployment, environment, service, toyInput } from './toy-platform.ts';

const at = (name: string, target?: Environment['target']): Environment => ({
  ...environment(name, deployment('a:1', 1), []),
  ...(target === undefined ? {} : { target }),
});

test('a sound input has no problem', () => {
  expect(checkInput(toyInput(), { layout: 'argocd' })).toEqual([]);
});

test('an object that is there twice is told once, however many environments have it', () => {
  const input = toyInput([at('a', { server: 'https://a' }), at('b', { server: 'https://b' })]);
  expect(checkInput({ ...input, graphs: [...input.graphs, ...input.graphs] }, { layout: 'argocd' })).toEqual([
    'DynamoGraphDeployment models/qwen is given more than once; rename or remove one of them',
    'ConfigMap models/engine is given more than once; rename or remove one of them',
  ]);
});

test('objects that differ in group, kind, namespace or name are different', () => {
  const base = service('a');
  const others: readonly KubernetesObject[] = [
    { ...base, apiVersion: 'serving.knative.dev/v1' },
    { ...base, kind: 'ConfigMap' },
    { ...base, metadata: { ...base.metadata, namespace: 'other' } },
    service('b'),
  ];
  expect(checkInput({ ...toyInput(), graphs: [base, ...others] }, { layout: 'plain' })).toEqual([]);
  expect(checkInput({ ...toyInput(), graphs: [base, { ...base, apiVersion: 'v2' }] }, { layout: 'plain' })).toHaveLength(1);
});

test('a secret of any environment is told, unless secrets are allowed', () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'n' }, stringData: { a: 'b' } };
  const input = toyInput([environment('a', deployment('x:1', 1), [secret])]);
  expect(checkInput(input, { layout: 'plain' })).toEqual([expect.stringContaining('Secret n/s: a Secret')]);
  expect(checkInput(input, { layout: 'plain', allowSecrets: true })).toEqual([]);
});

test.each([
  ['argocd', {}, {}, true],
  ['argocd', { server: 'https://a' }, {}, false],
  ['argocd', { server: 'https://a' }, { server: 'https://a' }, true],
  ['argocd', { kubeConfig: 'a' }, { kubeConfig: 'b' }, true],
  ['flux', { kubeConfig: 'a' }, { kubeConfig: 'b' }, false],
  ['flux', { kubeConfig: 'a' }, { kubeConfig: 'a' }, true],
  ['flux', { server: 'https://a' }, { server: 'https://b' }, true],
  ['kustomize', {}, {}, false],
  ['plain', {}, {}, false],
])('layout %s with clusters %j and %j shares one: %s', (layout, a, b, shared) => {
  expect(checkInput(toyInput([at('a', a), at('b', b)]), { layout }).length > 0).toBe(shared);
});

test('graphs get namespaces, which are written once each, sorted, where nobody brings them', () => {
  const graph = (name: string, namespace?: string): KubernetesObject => ({
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeployment',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  });
  const brought = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'brought' } };
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'r' } };
  const placed = placeGraphs(
    [graph('a'), graph('b', 'x'), graph('c', 'brought'), graph('d', 'known'), graph('e', 'm'), brought, role],
    'x',
    [{ ...at('a'), namespace: 'known', clientLabels: { graphs: 'yes', 'kubernetes.io/metadata.name': 'm' } }],
  );
  expect(placed.map((o) => `${o.kind} ${o.metadata.namespace ?? ''}/${o.metadata.name}`)).toEqual([
    'Namespace /m',
    'Namespace /x',
    'DynamoGraphDeployment x/a',
    'DynamoGraphDeployment x/b',
    'DynamoGraphDeployment brought/c',
    'DynamoGraphDeployment known/d',
    'DynamoGraphDeployment m/e',
    'Namespace /brought',
    'ClusterRole /r',
  ]);
  // what the API server sets itself is left to it
  expect(placed[0]?.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'dynamo-cdk8s', graphs: 'yes' });
  expect(placeGraphs([], 'x', [])).toEqual([]);
});

test('a graph with a field that the operator of an environment does not have is told', () => {
  const service = { componentType: 'epp', eppConfig: { config: { plugins: [] } } };
  const graph = (spec: object): KubernetesObject => ({
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeployment',
    metadata: { name: 'g', namespace: 'm' },
    spec: JSON.parse(JSON.stringify(spec)),
  });
  const problems = (spec: object, operatorRelease?: string) =>
    checkInput({ ...toyInput([{ ...at('a'), operatorRelease }]), graphs: [graph(spec)] }, { layout: 'plain' });
  const epp = { services: { Epp: service } };
  expect(problems(epp)).toEqual([]);
  expect(problems(epp, '0.9.1')).toEqual([
    expect.stringContaining(
      'DynamoGraphDeployment m/g: spec.services.Epp.eppConfig: release 0.9.1 of the operator does not have',
    ),
    expect.stringContaining(
      'spec.services.Epp.componentType: release 0.9.1 of the operator does not have the component type epp',
    ),
  ]);
  const restart = { restart: { id: '1' }, services: {} };
  expect(problems(restart, '0.9.0')).toEqual([]);
  expect(problems(restart, '0.8.1')).toEqual([expect.stringContaining('does not have the field restart')]);
});

test('a graph that the policies of an environment keep from NATS is told', () => {
  const graph = (namespace: string): KubernetesObject => ({
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeployment',
    metadata: { name: 'g', namespace },
  });
  const space = (name: string, labels: Readonly<Record<string, string>>): KubernetesObject => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels },
  });
  const problems = (clientLabels: Environment['clientLabels'], ...graphs: readonly KubernetesObject[]) =>
    checkInput({ ...toyInput([{ ...at('a'), clientLabels }]), graphs }, { layout: 'plain' });
  const byLabel = { graphs: 'yes' };
  expect(problems(undefined, graph('m'))).toEqual([]);
  expect(problems(byLabel, graph('m'), space('m', { graphs: 'yes' }))).toEqual([]);
  expect(problems(byLabel, graph('m'), space('m', { graphs: 'no' }))).toEqual([
    'DynamoGraphDeployment m/g cannot reach NATS and etcd of a, which admit only namespaces with the labels graphs=yes; add the labels to its namespace or change platform.networkPolicy.clientNamespaceLabels',
  ]);
  const byName = { 'kubernetes.io/metadata.name': 'm' };
  expect(problems(byName, graph('m'))).toEqual([]);
  expect(problems(byName, graph('other'))).toHaveLength(1);
  expect(problems(byName, graph(at('a').namespace))).toEqual([]);
});
