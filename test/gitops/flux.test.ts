import { expect, test } from 'vitest';
import { fluxLayout, fluxObjects, healthExpressions } from '../../lib/gitops/flux.ts';
import { deployment, environment, toyInput } from './toy-platform.ts';

const repository = { url: 'https://git.example.com/dynamo.git', revision: 'main', path: 'a/b' };

interface Step {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: Readonly<Record<string, unknown>>;
}
const steps = (...given: Parameters<typeof fluxObjects>): readonly Step[] =>
  fluxObjects(...given).filter((o) => o.kind === 'Kustomization') as unknown as readonly Step[];

test.each([
  ['main', { branch: 'main' }],
  ['release-1.2.3', { branch: 'release-1.2.3' }],
  ['v1.2.3', { tag: 'v1.2.3' }],
  ['1.2.3-rc1', { tag: '1.2.3-rc1' }],
  ['0123456789abcdef0123456789abcdef01234567', { commit: '0123456789abcdef0123456789abcdef01234567' }],
  ['0123456789abcdef0123456789abcdef0123456', { branch: '0123456789abcdef0123456789abcdef0123456' }],
])('the revision %s', (revision, ref) => {
  expect(fluxObjects(toyInput(), { ...repository, revision })[0]).toEqual({
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'GitRepository',
    metadata: { name: 'dynamo', namespace: 'flux-system' },
    spec: { interval: '1m', url: repository.url, ref },
  });
});

test('each step waits for the one before; graphs have more time and are asked how they are', () => {
  const all = steps(toyInput(), repository, { namespace: 'flux', name: 'd' });
  expect(all[0]).toEqual({
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: 'd-namespaces', namespace: 'flux' },
    spec: {
      interval: '10m',
      retryInterval: '1m',
      timeout: '10m',
      path: './a/b/manifests/default/00-namespaces',
      prune: false,
      wait: true,
      sourceRef: { kind: 'GitRepository', name: 'd' },
    },
  });
  expect(all.at(-1)?.spec).toMatchObject({
    timeout: '1h',
    path: './a/b/manifests/default/08-graphs',
    prune: true,
    dependsOn: [{ name: 'd-extras' }],
    healthCheckExprs: healthExpressions,
  });
  expect(all.map((s) => [s.metadata.name, s.spec['prune']])).toEqual([
    ['d-namespaces', false],
    ['d-crds', false],
    ['d-dependencies', true],
    ['d-operator', true],
    ['d-extras', true],
    ['d-graphs', true],
  ]);
});

test('environments have chains of their own, each with its kubeconfig', () => {
  const environments = [
    environment('a', deployment('x:1', 1), []),
    { ...environment('b', deployment('x:1', 1), []), target: { kubeConfig: 'kc' } },
  ];
  const all = steps({ ...toyInput(environments), graphs: [] }, { ...repository, path: '' });
  expect(all.map((s) => [s.metadata.name, s.spec['path'], s.spec['dependsOn'], s.spec['kubeConfig']])).toEqual([
    ['dynamo-a-namespaces', './manifests/a/00-namespaces', undefined, undefined],
    ['dynamo-a-crds', './manifests/a/01-crds', [{ name: 'dynamo-a-namespaces' }], undefined],
    ['dynamo-a-operator', './manifests/a/05-operator', [{ name: 'dynamo-a-crds' }], undefined],
    ['dynamo-b-namespaces', './manifests/b/00-namespaces', undefined, { secretRef: { name: 'kc' } }],
    ['dynamo-b-crds', './manifests/b/01-crds', [{ name: 'dynamo-b-namespaces' }], { secretRef: { name: 'kc' } }],
    ['dynamo-b-operator', './manifests/b/05-operator', [{ name: 'dynamo-b-crds' }], { secretRef: { name: 'kc' } }],
  ]);
});

test('CRDs and namespaces say themselves that they are not pruned, nothing else does', () => {
  const files = fluxLayout(toyInput(), repository);
  const kept = files.filter((f) => f.text.includes('kustomize.toolkit.fluxcd.io/prune: disabled')).map((f) => f.path);
  expect(kept).toEqual([
    'manifests/default/00-namespaces/namespace-dynamo-system.yaml',
    'manifests/default/01-crds/customresourcedefinition-dynamographdeployments.nvidia.com.yaml',
  ]);
  expect(files[0]?.path).toBe('flux/dynamo.yaml');
});

test('health is asked of every kind that has a status', () => {
  expect(healthExpressions.map((h) => [h.kind, h.current, h.failed])).toEqual([
    [
      'DynamoGraphDeployment',
      "has(status.state) && status.state == 'successful'",
      "has(status.state) && status.state == 'failed'",
    ],
    [
      'DynamoComponentDeployment',
      "has(status.conditions) && status.conditions.exists(c, c.type == 'Available' && c.status == 'True')",
      "has(status.conditions) && status.conditions.exists(c, c.type == 'Valid' && c.status == 'False')",
    ],
    [
      'DynamoGraphDeploymentRequest',
      "has(status.state) && status.state == 'Ready'",
      "has(status.state) && status.state in ['Failed', 'DeploymentDeleted']",
    ],
    [
      'DynamoModel',
      "has(status.conditions) && status.conditions.exists(c, c.type == 'EndpointsReady' && c.status == 'True')",
      "has(status.conditions) && status.conditions.exists(c, c.type == 'Valid' && c.status == 'False')",
    ],
    ['DynamoGraphDeploymentScalingAdapter', "has(status.selector) && status.selector != ''", undefined],
  ]);
});
