import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { argocdLayout, argocdObjects, environmentObjects } from '../../lib/gitops/argocd.ts';
import { deployment, environment, service, toyInput } from './toy-platform.ts';

const repository = { url: 'https://git.example.com/dynamo.git', revision: 'v1', path: '' };
const [project, application] = argocdObjects(toyInput(), repository, { namespace: 'cd', project: 'p', server: 'https://s' });

test('an Application deploys one environment, prunes last, heals, retries and respects what others own', () => {
  expect(application).toMatchObject({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'p-default', namespace: 'cd' },
    spec: {
      project: 'p',
      source: { repoURL: repository.url, targetRevision: 'v1', path: 'manifests/default' },
      destination: { server: 'https://s', namespace: 'dynamo-system' },
      syncPolicy: {
        automated: { prune: true, selfHeal: true },
        syncOptions: ['ServerSideApply=true', 'RespectIgnoreDifferences=true', 'CreateNamespace=false', 'PruneLast=true'],
        retry: { limit: 5, backoff: { duration: '10s', factor: 2, maxDuration: '3m' } },
      },
    },
  });
});

test('what somebody in the cluster writes is ignored', () => {
  const webhook = { group: 'admissionregistration.k8s.io', jqPathExpressions: ['.webhooks[].clientConfig.caBundle'] };
  expect(application).toHaveProperty('spec.ignoreDifferences', [
    { ...webhook, kind: 'ValidatingWebhookConfiguration' },
    { ...webhook, kind: 'MutatingWebhookConfiguration' },
    { group: '', kind: 'Secret', name: 'grove-webhook-server-cert', jsonPointers: ['/data'] },
    expect.objectContaining({ kind: 'DynamoGraphDeployment' }),
    { group: 'nvidia.com', kind: 'DynamoGraphDeploymentScalingAdapter', jsonPointers: ['/spec/replicas'] },
  ]);
});

test('the project allows the repository, the namespaces and the kinds that are there', () => {
  expect(project).toEqual({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'p', namespace: 'cd' },
    spec: {
      description: 'NVIDIA Dynamo: platform and graphs',
      sourceRepos: [repository.url],
      destinations: [
        { server: 'https://s', namespace: 'dynamo-system' },
        { server: 'https://s', namespace: 'models' },
      ],
      clusterResourceWhitelist: [
        { group: '', kind: 'Namespace' },
        { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' },
      ],
      namespaceResourceWhitelist: [
        { group: '', kind: 'ConfigMap' },
        { group: '', kind: 'Service' },
        { group: 'apps', kind: 'Deployment' },
        { group: 'nvidia.com', kind: 'DynamoGraphDeployment' },
      ],
    },
  });
});

test('an ApplicationSet makes one Application per environment, each on its server', () => {
  const environments = [
    environment('a', deployment('x:1', 1), []),
    { ...environment('b', deployment('x:1', 1), []), target: { server: 'https://b' } },
  ];
  const [, set] = argocdObjects(toyInput(environments), { ...repository, path: 'deep/er' });
  expect(set).toMatchObject({
    kind: 'ApplicationSet',
    metadata: { name: 'dynamo', namespace: 'argocd' },
    spec: {
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      generators: [
        {
          list: {
            elements: [
              { name: 'a', namespace: 'dynamo-system', server: 'https://kubernetes.default.svc' },
              { name: 'b', namespace: 'dynamo-system', server: 'https://b' },
            ],
          },
        },
      ],
      template: {
        metadata: { name: 'dynamo-{{ .name }}' },
        spec: {
          project: 'dynamo',
          source: { repoURL: repository.url, targetRevision: 'v1', path: 'deep/er/manifests/{{ .name }}' },
          destination: { server: '{{ .server }}', namespace: '{{ .namespace }}' },
        },
      },
    },
  });
});

describe('objects', () => {
  const input = toyInput();
  const objects = environmentObjects(input, input.base);
  const annotations = (kind: string) => objects.find((o) => o.kind === kind)?.metadata.annotations;

  test('come in the order of their waves', () => {
    expect(objects.map((o) => [o.kind, o.metadata.annotations?.['argocd.argoproj.io/sync-wave']])).toEqual([
      ['Namespace', '-6'],
      ['CustomResourceDefinition', '-5'],
      ['Service', '-2'],
      ['Deployment', '0'],
      ['ConfigMap', '2'],
      ['DynamoGraphDeployment', '3'],
    ]);
  });

  test('CRDs and namespaces stay when they leave Git and when the Application is deleted', () => {
    expect(annotations('CustomResourceDefinition')?.['argocd.argoproj.io/sync-options']).toBe(
      'ServerSideApply=true,Prune=false,Delete=false',
    );
    expect(annotations('Namespace')?.['argocd.argoproj.io/sync-options']).toBe('Prune=false,Delete=false');
  });

  test('graphs do without a dry run while their CRD is new; others need nothing', () => {
    expect(annotations('DynamoGraphDeployment')?.['argocd.argoproj.io/sync-options']).toBe('SkipDryRunOnMissingResource=true');
    expect(annotations('Service')).toEqual({ 'argocd.argoproj.io/sync-wave': '-2' });
  });

  test('have files that sort by wave, also where one of a graph has the name of one of the platform', () => {
    const same = { ...service('nats'), metadata: { name: 'nats', namespace: 'models' } };
    const files = argocdLayout({ ...input, graphs: [same] }, repository);
    expect(files.map((f) => f.path)).toEqual([
      'argocd/appproject-dynamo.yaml',
      'argocd/application-dynamo-default.yaml',
      'argocd-cm-patch.yaml',
      'manifests/default/00-namespaces-namespace-dynamo-system.yaml',
      'manifests/default/01-crds-customresourcedefinition-dynamographdeployments.nvidia.com.yaml',
      'manifests/default/04-dependencies-service-nats.yaml',
      'manifests/default/05-operator-deployment-operator.yaml',
      'manifests/default/07-extras-service-models.nats.yaml',
    ]);
  });
});

test('the patch of Argo CD’s ConfigMap holds one health check per kind and nothing else', () => {
  const patch = parse(
    argocdLayout(toyInput(), repository, { namespace: 'cd' }).find((f) => f.path.endsWith('cm-patch.yaml'))?.text ?? '',
  );
  expect(patch.metadata).toEqual({ name: 'argocd-cm', namespace: 'cd', labels: { 'app.kubernetes.io/part-of': 'argocd' } });
  expect(Object.keys(patch.data)).toEqual(
    [
      'GraphDeployment',
      'ComponentDeployment',
      'GraphDeploymentRequest',
      'GraphDeploymentScalingAdapter',
      'Model',
      'WorkerMetadata',
    ].map((kind) => `resource.customizations.health.nvidia.com_Dynamo${kind}`),
  );
});
