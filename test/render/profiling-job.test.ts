/** The Job of a request, field by field: sections 12 to 14 of the contract of requests. */
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { context, stored } from './graphs.ts';
import { view, type View } from './rendered.ts';

interface Container {
  readonly name: string;
  readonly args: readonly string[];
}

function render(profiling: object = {}, more: object = {}, metadata: object = {}): View {
  const request = stored({
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeploymentRequest',
    metadata: { name: 'ask', namespace: 'ns', ...metadata },
    spec: { model: 'm', backend: 'vllm', profilingConfig: { profilerImage: 'p:1', config: {}, ...profiling }, ...more },
  });
  return view(request, context());
}

const podOf = (rendered: View) => rendered.get('Job/profile-ask').spec.template.spec;
const profilerOf = (rendered: View): Container & Record<string, unknown> => podOf(rendered).containers[0];
const blobOf = (rendered: View): unknown => parse(profilerOf(rendered).args[1] ?? '');

test('the Job and its pod', () => {
  const job = render().get('Job/profile-ask');
  expect(job.metadata.labels).toEqual({ app: 'dynamo-profiler', dgdr: 'ask', 'nvidia.com/managed-by': 'dynamo-operator' });
  const { template, ...spec } = job.spec;
  expect(spec).toEqual({ backoffLimit: 3 });
  expect(template.metadata).toEqual({});
  const { containers, volumes, ...pod } = template.spec;
  expect(pod).toEqual({
    serviceAccountName: 'dgdr-profiling-job',
    restartPolicy: 'Never',
    securityContext: { runAsUser: 1000, runAsGroup: 1000, runAsNonRoot: true, fsGroup: 1000 },
    imagePullSecrets: [{ name: 'nvcr-imagepullsecret' }],
  });
  expect(containers.map(({ name }: Container) => name)).toEqual(['profiler', 'output-copier']);
  expect(volumes).toEqual([{ name: 'profiling-output', emptyDir: {} }]);
});

test('the container of the profiler', () => {
  const { args, ...profiler } = profilerOf(render({}, {}, { uid: 'u-1' }));
  expect(profiler).toEqual({
    name: 'profiler',
    image: 'p:1',
    command: ['python', '-m', 'benchmarks.profiler.profile_sla'],
    env: [
      { name: 'HUGGING_FACE_HUB_TOKEN', valueFrom: { secretKeyRef: { name: 'hf-token-secret', key: 'HF_TOKEN' } } },
      { name: 'NATS_SERVER', value: 'nats://ns-nats:4222' },
      { name: 'ETCD_ENDPOINTS', value: 'ns-etcd:2379' },
      { name: 'DGDR_NAME', value: 'ask' },
      { name: 'DGDR_NAMESPACE', value: 'ns' },
      { name: 'DGDR_UID', value: 'u-1' },
    ],
    resources: {},
    volumeMounts: [{ name: 'profiling-output', mountPath: '/data' }],
  });
  expect(args).toHaveLength(2);
  expect(args[0]).toBe('--profile-config');
  expect(profilerOf(render({}, { enableGpuDiscovery: true })).args.at(2)).toBe('--enable-gpu-discovery');
  expect(profilerOf(render())['env']).toContainEqual({ name: 'DGDR_UID' });
});

test('the container that copies the output', () => {
  const { args, ...copier } = podOf(render()).containers[1];
  expect(copier).toEqual({
    name: 'output-copier',
    image: 'bitnami/kubectl:latest',
    command: ['/bin/sh', '-c'],
    resources: {},
    volumeMounts: [{ name: 'profiling-output', mountPath: '/data', readOnly: true }],
  });
  const [script] = args as readonly [string];
  expect(script).toContain('name: dgdr-output-ask\n  namespace: ns\n');
  expect(script).toContain('dgdr.nvidia.com/name: ask\n    nvidia.com/managed-by: dynamo-operator\n');
  expect(script).toContain('kubectl get pod $HOSTNAME -n ns ');
});

describe('what a request may add to the pod', () => {
  test('tolerations and resources', () => {
    const tolerations = [{ key: 'gpu', operator: 'Exists' }];
    const resources = { limits: { cpu: '2' }, requests: { memory: '1Gi' } };
    const rendered = render({ tolerations, resources });
    expect(podOf(rendered).tolerations).toEqual(tolerations);
    expect(profilerOf(rendered)['resources']).toEqual(resources);
    expect(podOf(render({ tolerations: [] }))).not.toHaveProperty('tolerations');
  });

  test('a claim for the output', () => {
    expect(podOf(render({ outputPVC: 'out' })).volumes).toEqual([
      { name: 'profiling-output', persistentVolumeClaim: { claimName: 'out' } },
    ]);
  });

  test.each([
    [{ name: 'c' }, 'disagg.yaml'],
    [{ name: 'c', key: 'k.yaml' }, 'k.yaml'],
  ])('a configuration from the ConfigMap %j', (configMapRef, key) => {
    const rendered = render({ configMapRef });
    expect(podOf(rendered).volumes[1]).toEqual({
      name: 'profiling-config',
      configMap: { name: 'c', items: [{ key, path: 'disagg.yaml' }] },
    });
    expect(profilerOf(rendered)['volumeMounts']).toEqual([
      { name: 'profiling-output', mountPath: '/data' },
      { name: 'profiling-config', mountPath: '/config', readOnly: true },
    ]);
    expect(blobOf(rendered)).toMatchObject({ engine: { backend: 'vllm', config: '/config/disagg.yaml' } });
  });

  test.each([
    [{ pvcName: 'cache' }, '/opt/model-cache'],
    [{ pvcName: 'cache', mountPath: '' }, '/opt/model-cache'],
    [{ pvcName: 'cache', mountPath: '/m' }, '/m'],
  ])('a cache of models %j', (modelCache, mountPath) => {
    const rendered = render({ config: { deployment: { modelCache } } });
    expect(podOf(rendered).volumes[1]).toEqual({
      name: 'model-cache',
      persistentVolumeClaim: { claimName: 'cache', readOnly: true },
    });
    expect(profilerOf(rendered)['volumeMounts']).toContainEqual({ name: 'model-cache', mountPath, readOnly: true });
  });

  test.each([
    { deployment: { modelCache: { pvcName: '' } } },
    { deployment: { modelCache: { pvcName: 1 } } },
    { deployment: { modelCache: 'c' } },
  ])('no cache of models where none is named: %j', (config) => expect(podOf(render({ config })).volumes).toHaveLength(1));
});

test.each([
  [{ sweep: { useAiConfigurator: true } }, true],
  [{ sweep: { use_ai_configurator: true } }, true],
  [{ sweep: { useAiConfigurator: false, use_ai_configurator: true } }, false],
  [{ sweep: { useAiConfigurator: 'true' } }, false],
  [{ sweep: { use_ai_configurator: 'true' } }, false],
  [{ sweep: true }, false],
  [{}, false],
])('the configuration %j asks for the configurator: %s', (config, asks) => {
  expect(render({ config }).get('Job/profile-ask').metadata.labels?.['app']).toBe(asks ? 'aic-profiler' : 'dynamo-profiler');
});

describe('the configuration of the profiler', () => {
  test('has what the request decides', () => {
    expect(blobOf(render())).toEqual({
      deployment: { namespace: 'ns', model: 'm' },
      engine: { backend: 'vllm' },
      output_dir: '/data',
    });
  });

  test('keeps what else is given; the request wins where it decides', () => {
    const config = {
      deployment: { namespace: 'other', model: 'x', more: 1 },
      engine: { backend: 'sglang', tp: 2 },
      output_dir: '/elsewhere',
      sla: { isl: 3000 },
    };
    expect(blobOf(render({ config }, { deploymentOverrides: { workersImage: 'w:1' } }))).toEqual({
      deployment: { namespace: 'other', model: 'm', more: 1, dgd_image: 'w:1' },
      engine: { backend: 'vllm', tp: 2 },
      output_dir: '/elsewhere',
      sla: { isl: 3000 },
    });
  });
});
