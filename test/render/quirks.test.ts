import { expect, test } from 'vitest';
import type { ComponentSpec } from '../../lib/api/index.ts';
import { formatPath } from '../../lib/json/index.ts';
import { findQuirks, quirks, type RenderContext, type RenderableResource } from '../../lib/render/index.ts';
import { component, context, graph } from './graphs.ts';

const worker = (main: object, more: ComponentSpec = {}): ComponentSpec => ({
  componentType: 'worker',
  replicas: 1,
  ...more,
  extraPodSpec: { mainContainer: { image: 'i', ...main } },
});
const one = (spec: ComponentSpec, more: object = {}): RenderableResource => graph({ S: spec }, more);
const gpus = { limits: { gpu: '8' } };
const two = { multinode: { nodeCount: 2 } };
const ray = (command: readonly string[]): ComponentSpec =>
  worker({ command, args: ['python3 -m dynamo.vllm --tensor-parallel-size 16'] }, { ...two, resources: gpus });

/** A resource that runs into each quirk and where, and one close to it that does not. */
const examples: Readonly<
  Record<string, readonly [fires: RenderableResource, path: string, silent: RenderableResource, context?: RenderContext]>
> = {
  'service-labels-dropped': [
    one({ componentType: 'worker', labels: { a: 'b' } }),
    'spec.services.S.labels',
    one({ componentType: 'worker', labels: {} }),
  ],
  'gpu-request-ignored': [
    one(worker({}, { resources: { requests: { gpu: '2' } } })),
    'spec.services.S.resources.requests.gpu',
    one(worker({}, { resources: { requests: { gpu: '2' }, limits: { gpu: '2' } } })),
  ],
  'cache-root-unset': [
    one(worker({}, { volumeMounts: [{ name: 'c', useAsCompilationCache: true }] }), { spec: { backendFramework: 'vllm' } }),
    'spec.services.S.volumeMounts[0]',
    one(worker({}, { volumeMounts: [{ name: 'c', useAsCompilationCache: true, mountPoint: '/c' }] }), {
      spec: { backendFramework: 'vllm' },
    }),
  ],
  'probe-port-ignored': [
    one(worker({ livenessProbe: { httpGet: { port: 8080 } } })),
    'spec.services.S.extraPodSpec.mainContainer.livenessProbe.httpGet.port',
    one({ componentType: 'planner', extraPodSpec: { mainContainer: { livenessProbe: { httpGet: { port: 8080 } } } } }),
  ],
  'probe-handlers-united': [
    one(worker({ readinessProbe: { exec: {} } })),
    'spec.services.S.extraPodSpec.mainContainer.readinessProbe.exec',
    one(worker({ startupProbe: { exec: {} } }, { readinessProbe: { exec: {} } })),
  ],
  'grace-zero-ignored': [
    one({ componentType: 'worker', extraPodSpec: { terminationGracePeriodSeconds: 0 } }),
    'spec.services.S.extraPodSpec.terminationGracePeriodSeconds',
    one({ componentType: 'worker', extraPodSpec: { terminationGracePeriodSeconds: 1 } }),
  ],
  'picker-volumes-replaced': [
    one({ componentType: 'epp', extraPodSpec: { volumes: [{ name: 'v', emptyDir: {} }] } }),
    'spec.services.S.extraPodSpec.volumes',
    one({ componentType: 'worker', extraPodSpec: { volumes: [{ name: 'v', emptyDir: {} }] } }),
  ],
  'ray-command-unquoted': [
    one(ray(['/bin/sh', '-c'])),
    'spec.services.S.extraPodSpec.mainContainer.command',
    one(ray(['python3'])),
  ],
  'leader-address-unexpanded': [
    one(worker({ command: ['python3'], args: ['-m', 'dynamo.sglang'] }, two)),
    'spec.services.S.extraPodSpec.mainContainer.command',
    one(worker({ command: ['sh', '-c'], args: ['python3 -m dynamo.sglang'] }, two)),
    context('lws'),
  ],
  'mpi-command-unescaped': [
    one(worker({ args: ["python3 -m dynamo.trtllm --x 'y'"] }, two)),
    'spec.services.S.extraPodSpec.mainContainer.args',
    one(worker({ args: ["python3 -m dynamo.trtllm --x 'y'"] })),
  ],
  'selector-shared': [
    graph({ S: { componentType: 'frontend' }, T: { componentType: 'frontend', globalDynamoNamespace: false } }),
    'spec.services.S.componentType',
    graph({ S: { componentType: 'frontend' }, T: { componentType: 'frontend', globalDynamoNamespace: true } }),
  ],
  'selector-empty': [one({ replicas: 1 }), 'spec.services.S', one({ componentType: 'default' })],
  'picker-without-service': [
    one({ componentType: 'epp', replicas: 1 }, { annotations: { 'nvidia.com/dynamo-discovery-backend': 'etcd' } }),
    'spec.services.S.componentType',
    one({ componentType: 'epp', replicas: 1 }),
    context('grove'),
  ],
  'ingress-not-created': [
    one({ componentType: 'frontend', ingress: { enabled: true, host: 'h' } }),
    'spec.services.S.ingress',
    one({ componentType: 'frontend', ingress: { enabled: true, host: 'h', ingressControllerClassName: 'nginx' } }),
  ],
  'ingress-metadata-ignored': [
    one({ componentType: 'frontend', ingress: { annotations: { a: 'b' } } }),
    'spec.services.S.ingress.annotations',
    one({ componentType: 'frontend', ingress: { host: 'h' } }),
  ],
  'component-not-selected': [
    component({ componentType: 'worker' }),
    'spec',
    component({ componentType: 'worker', labels: { 'nvidia.com/dynamo-namespace': 'd' } }),
  ],
  'graph-envs-win': [
    one(worker({ env: [{ name: 'A', value: '1' }] }), { spec: { envs: [{ name: 'A', value: '2' }] } }),
    'spec.services.S.extraPodSpec.mainContainer.env[0]',
    one(worker({ env: [{ name: 'A', value: '1' }] }, { envs: [{ name: 'A', value: '1' }] }), {
      spec: { envs: [{ name: 'A', value: '2' }] },
    }),
  ],
  'metrics-annotation-ignored': [
    one({ componentType: 'worker', replicas: 1, annotations: { 'nvidia.com/enable-metrics': 'false' } }),
    'spec.services.S.annotations.nvidia.com/enable-metrics',
    one({ componentType: 'worker', replicas: 1 }, { annotations: { 'nvidia.com/enable-metrics': 'false' } }),
    context('grove'),
  ],
  'discovery-backend-unknown': [
    one({ componentType: 'worker' }, { annotations: { 'nvidia.com/dynamo-discovery-backend': 'consul' } }),
    'metadata.annotations.nvidia.com/dynamo-discovery-backend',
    one({ componentType: 'worker' }, { annotations: { 'nvidia.com/dynamo-discovery-backend': 'etcd' } }),
  ],
  'replicas-required': [
    one({ componentType: 'worker' }),
    'spec.services.S',
    one({ componentType: 'worker', replicas: 1 }),
    context('grove'),
  ],
  'scheduler-replaced': [
    one({ componentType: 'worker', ...two, extraPodSpec: { schedulerName: 'mine' } }),
    'spec.services.S.extraPodSpec.schedulerName',
    one({ componentType: 'worker', extraPodSpec: { schedulerName: 'mine' } }),
    context('lws'),
  ],
  'parallel-flags-unseen': [
    one(worker({ args: ['python3 -m dynamo.vllm -tp 16'] }, two)),
    'spec.services.S.extraPodSpec.mainContainer.args[0]',
    one(worker({ args: ['python3 -m dynamo.vllm --tensor-parallel-size 16'] }, two)),
  ],
  'planner-account-forced': [
    one({ componentType: 'planner', extraPodSpec: { serviceAccountName: 'mine' } }),
    'spec.services.S.extraPodSpec.serviceAccountName',
    one({ componentType: 'worker', extraPodSpec: { serviceAccountName: 'mine' } }),
  ],
  'multinode-without-orchestrator': [
    component({ componentType: 'worker', ...two }),
    'spec.multinode',
    component({ componentType: 'worker' }),
  ],
};

test('every quirk that can concern a manifest has an example', () => {
  expect(quirks.map(({ id }) => id)).toEqual(Object.keys(examples));
});

test.each(Object.entries(examples))(
  '%s fires where it hurts and nowhere else',
  (id, [fires, path, silent, around = context()]) => {
    const paths = (resource: RenderableResource): readonly string[] =>
      findQuirks(resource, around)
        .filter((quirk) => quirk.id === id)
        .map((quirk) => formatPath(quirk.path));
    expect(paths(fires)).toContain(path);
    expect(paths(silent)).toEqual([]);
  },
);

test('ids and messages are distinct, and messages are one line without a full stop', () => {
  expect(new Set(quirks.map(({ id }) => id)).size).toBe(quirks.length);
  for (const { message } of quirks) expect(message).toMatch(/^[^\n]+[^.\n]$/);
});
