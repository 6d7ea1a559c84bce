/** The exact condition of each quirk: components that have it, and similar components that do not. */
import { describe, expect, test } from 'vitest';
import type { ComponentSpec } from '../../lib/api/index.ts';
import { formatPath } from '../../lib/json/index.ts';
import { findQuirks, type RenderContext, type RenderableResource } from '../../lib/render/index.ts';
import { component, context, graph } from './graphs.ts';

const [none, lws, grove] = [context(), context('lws'), context('grove')];

/** Places of a resource at which a quirk is told, without `spec.services.S`. */
function places(id: string, resource: RenderableResource, around: RenderContext = none): readonly string[] {
  return findQuirks(resource, around)
    .filter((quirk) => quirk.id === id)
    .map(({ path }) => formatPath(path).replace(/^spec\.services\.S\.?/, ''));
}

const one = (spec: ComponentSpec, more: object = {}): RenderableResource => graph({ S: spec }, more);
const main = (container: object, more: ComponentSpec = {}): ComponentSpec => ({
  componentType: 'worker',
  replicas: 1,
  ...more,
  extraPodSpec: { mainContainer: { image: 'i', ...container } },
});
const two = { multinode: { nodeCount: 2 } };
const inMain = (path: string): string => `extraPodSpec.mainContainer.${path}`;

test('labels of a service are dropped unless Grove runs it; those of a component are not', () => {
  const labels = { a: 'b' };
  expect(places('service-labels-dropped', one({ componentType: 'worker', labels }))).toEqual(['labels']);
  expect(places('service-labels-dropped', one({ componentType: 'worker', labels, ...two }), lws)).toEqual(['labels']);
  expect(places('service-labels-dropped', one({ componentType: 'worker', labels }), grove)).toEqual([]);
  expect(places('service-labels-dropped', component({ componentType: 'worker', labels }))).toEqual([]);
});

test('a request for GPUs is ignored unless the limit is the same', () => {
  const gpus = (requests: object, limits: object = {}) => places('gpu-request-ignored', one({ resources: { requests, limits } }));
  expect(gpus({ gpu: '2' }, { gpu: '4' })).toEqual(['resources.requests.gpu']);
  expect(gpus({ gpu: '2' }, { gpu: '2' })).toEqual([]);
  expect(gpus({ gpu: '' })).toEqual([]);
  expect(gpus({ cpu: '1' })).toEqual([]);
  expect(places('gpu-request-ignored', one({}))).toEqual([]);
});

test('the cache root is unset for a compilation cache of vLLM without a mount point', () => {
  const mounts = (framework: string, ...volumeMounts: NonNullable<ComponentSpec['volumeMounts']>) =>
    places('cache-root-unset', one({ componentType: 'worker', volumeMounts }, { spec: { backendFramework: framework } }));
  const cache = { name: 'c', useAsCompilationCache: true };
  expect(mounts('vllm', { name: 'a', mountPoint: '/a' }, cache)).toEqual(['volumeMounts[1]']);
  expect(mounts('sglang', cache)).toEqual([]);
  expect(mounts('vllm', { name: 'a', mountPoint: '/a' })).toEqual([]);
  expect(mounts('vllm')).toEqual([]);
  expect(mounts('vllm', { ...cache, mountPoint: '/c' })).toEqual([]);
});

describe('a probe of the main container', () => {
  const both = ['livenessProbe', 'readinessProbe'] as const;
  test.each(both)('%s: a number as port is ignored where the default has a port of a name', (probe) => {
    const port = (value: unknown, more: ComponentSpec = {}) =>
      places('probe-port-ignored', one(main({ [probe]: { httpGet: { port: value } } }, { componentType: 'frontend', ...more })));
    expect(port(8080)).toEqual([inMain(`${probe}.httpGet.port`)]);
    expect(port('http')).toEqual([]);
    expect(port(8080, { [probe]: { exec: { command: ['x'] } } })).toEqual([]);
    expect(port(8080, { componentType: 'default' })).toEqual([]);
  });

  test.each(both)('%s: another handler is added to the default one', (probe) => {
    const handlers = (own: object, more: ComponentSpec = {}) =>
      places('probe-handlers-united', one(main({ [probe]: own }, { componentType: 'worker', ...more })));
    expect(handlers({ exec: { command: ['x'] }, tcpSocket: { port: 1 } })).toContain(inMain(`${probe}.exec`));
    expect(handlers({ exec: { command: ['x'] }, tcpSocket: { port: 1 } })).toContain(inMain(`${probe}.tcpSocket`));
    expect(handlers({ grpc: { port: 1 } })).toEqual([inMain(`${probe}.grpc`)]);
    expect(handlers({ httpGet: { port: 'system' } })).toEqual([]);
    expect(handlers({ periodSeconds: 3 })).toEqual([]);
    expect(handlers({ exec: { command: ['x'] } }, { [probe]: { exec: { command: ['y'] } } })).toEqual([]);
    expect(handlers({ exec: { command: ['x'] } }, { componentType: 'default' })).toEqual([]);
  });
});

test('volumes or mounts in extraPodSpec replace those of an endpoint picker', () => {
  const volumes = [{ name: 'v', emptyDir: {} }];
  const volumeMounts = [{ name: 'v', mountPath: '/v' }];
  const picker = (extraPodSpec: object, componentType = 'epp') =>
    places('picker-volumes-replaced', one({ componentType, extraPodSpec }));
  expect(picker({ volumes, mainContainer: { volumeMounts } })).toEqual(['extraPodSpec.volumes', inMain('volumeMounts')]);
  expect(picker({ mainContainer: { volumeMounts } })).toEqual([inMain('volumeMounts')]);
  expect(picker({ volumes: [], mainContainer: { volumeMounts: [] } })).toEqual([]);
  expect(picker({ mainContainer: { volumeMounts } }, 'worker')).toEqual([]);
  expect(places('picker-volumes-replaced', one({ componentType: 'epp' }))).toEqual([]);
});

test('a shell command of a Ray leader loses its quotes', () => {
  const resources = { limits: { gpu: '8' } };
  const args = ['python3 -m dynamo.vllm --tensor-parallel-size 16'];
  const ray = (container: object, more: ComponentSpec = {}) =>
    places('ray-command-unquoted', one(main({ args, ...container }, { ...two, resources, ...more })));
  for (const shell of ['sh', 'bash', '/bin/sh', '/usr/bin/bash'])
    expect(ray({ command: [shell, '-c'] })).toEqual([inMain('command')]);
  for (const other of ['zsh', 'sh.py', 'python3', '/sh/x']) expect(ray({ command: [other, '-c'] })).toEqual([]);
  expect(ray({ command: ['sh', '-c'] }, { multinode: undefined as never })).toEqual([]);
  // What fits on one node needs no Ray.
  expect(ray({ command: ['sh', '-c'], args: ['python3 -m dynamo.vllm --tensor-parallel-size 8'] })).toEqual([]);
});

test('the address of a leader is not expanded for python under LeaderWorkerSets', () => {
  const sglang = (command: readonly string[], around: RenderContext, more: ComponentSpec = two) =>
    places('leader-address-unexpanded', one(main({ command, args: ['-m', 'dynamo.sglang'] }, more)), around);
  expect(sglang(['python3'], lws)).toEqual([inMain('command')]);
  expect(sglang(['python3'], grove)).toEqual([]);
  expect(sglang(['python3'], lws, {})).toEqual([]);
  expect(sglang(['sh', '-c'], lws)).toEqual([]);
  expect(places('leader-address-unexpanded', one(main({ command: ['python3'], args: ['-m', 'dynamo.vllm'] }, two)), lws)).toEqual(
    [],
  );
});

test('a single quote breaks the command of mpirun', () => {
  const mpi = (container: object, more: ComponentSpec = two) =>
    places('mpi-command-unescaped', one(main(container, more), { spec: { backendFramework: 'trtllm' } }));
  expect(mpi({ command: ['sh', '-c', "echo 'x'"], args: ['python3 -m dynamo.trtllm', "'"] })).toEqual([
    inMain('command'),
    inMain('args'),
  ]);
  expect(mpi({ args: ['python3 -m dynamo.trtllm "x"'] })).toEqual([]);
  expect(mpi({ args: ["python3 -m dynamo.trtllm 'x'"] }, {})).toEqual([]);
  expect(places('mpi-command-unescaped', one(main({ args: ["python3 -m dynamo.vllm 'x'"] }, two)))).toEqual([]);
});

test('frontends, and pickers, of one namespace share their endpoints', () => {
  const shared = (services: Readonly<Record<string, ComponentSpec>>) => places('selector-shared', graph(services));
  const [web, picker] = [{ componentType: 'frontend' }, { componentType: 'epp' }];
  expect(shared({ S: web, T: web })).toEqual(['componentType', 'spec.services.T.componentType']);
  expect(shared({ S: picker, T: picker })).toHaveLength(2);
  expect(shared({ S: web, T: picker })).toEqual([]);
  expect(shared({ S: { componentType: 'worker' }, T: { componentType: 'worker' } })).toEqual([]);
  expect(shared({ S: web, T: { ...web, globalDynamoNamespace: true } })).toEqual([]);
  const global = { ...web, globalDynamoNamespace: true };
  expect(shared({ S: global, T: global })).toHaveLength(2);
  expect(places('selector-shared', component(web))).toEqual([]);
});

test('a picker on Grove has no Service under etcd', () => {
  const etcd = { annotations: { 'nvidia.com/dynamo-discovery-backend': 'etcd' } };
  const picker = { componentType: 'epp', replicas: 1 };
  expect(places('picker-without-service', one(picker, etcd), grove)).toEqual(['componentType']);
  expect(places('picker-without-service', one(picker, etcd))).toEqual([]);
  expect(places('picker-without-service', one(picker), grove)).toEqual([]);
  expect(places('picker-without-service', one({ componentType: 'frontend', replicas: 1 }, etcd), grove)).toEqual([]);
});

test('an ingress without a class creates nothing, unless it is a VirtualService of an operator with a gateway', () => {
  const told = (ingress: ComponentSpec['ingress'], gateway = '') =>
    places(
      'ingress-not-created',
      one({ componentType: 'frontend', ingress }),
      context('none', { virtualServiceGateway: gateway }),
    );
  const virtual = { enabled: true, host: 'h', useVirtualService: true, virtualServiceGateway: '' };
  expect(told({ enabled: true, host: 'h' }, 'a/b')).toEqual(['ingress']);
  expect(told(virtual)).toEqual(['ingress']);
  expect(told(virtual, 'a/b')).toEqual([]);
  expect(told({ enabled: false, host: 'h' })).toEqual([]);
  expect(told(undefined)).toEqual([]);
});

test('metadata of an ingress is ignored', () => {
  expect(
    places(
      'ingress-metadata-ignored',
      one({ componentType: 'frontend', ingress: { labels: { a: 'b' }, annotations: { c: 'd' } } }),
    ),
  ).toEqual(['ingress.labels', 'ingress.annotations']);
  expect(
    places('ingress-metadata-ignored', one({ componentType: 'frontend', ingress: { labels: {}, annotations: {} } })),
  ).toEqual([]);
  expect(places('ingress-metadata-ignored', one({ componentType: 'frontend' }))).toEqual([]);
});

test('a component on its own needs the label of its namespace, from anywhere', () => {
  const label = { 'nvidia.com/dynamo-namespace': 'd' };
  expect(places('component-not-selected', component({ componentType: 'worker' }))).toEqual(['spec']);
  expect(places('component-not-selected', component({ componentType: 'worker' }, { labels: label }))).toEqual([]);
  expect(places('component-not-selected', component({ componentType: 'worker', extraPodMetadata: { labels: label } }))).toEqual(
    [],
  );
  expect(places('component-not-selected', one({ componentType: 'worker' }))).toEqual([]);
});

test('variables of the graph win over those of the main container only', () => {
  const env = [
    { name: 'A', value: '1' },
    { name: 'B', value: '1' },
    { name: 'C', value: '1' },
  ];
  const spec = {
    envs: [
      { name: 'B', value: '2' },
      { name: 'C', value: '2' },
    ],
  };
  expect(places('graph-envs-win', one(main({ env }, { envs: [{ name: 'C', value: '3' }] }), { spec }))).toEqual([
    inMain('env[1]'),
  ]);
  expect(places('graph-envs-win', one(main({ env })))).toEqual([]);
  expect(places('graph-envs-win', component(main({ env })))).toEqual([]);
});

test('on Grove the metrics annotation of a service is ignored', () => {
  const annotations = { 'nvidia.com/enable-metrics': 'false' };
  expect(places('metrics-annotation-ignored', one({ replicas: 1, annotations }), grove)).toHaveLength(1);
  expect(places('metrics-annotation-ignored', one({ replicas: 1, annotations }))).toEqual([]);
  expect(places('metrics-annotation-ignored', one({ replicas: 1 }), grove)).toEqual([]);
});

test('an unknown backend of discovery is told where it counts', () => {
  const key = 'nvidia.com/dynamo-discovery-backend';
  const on = (backend: string, around: RenderContext = none, more: object = {}) =>
    places(
      'discovery-backend-unknown',
      one({ componentType: 'worker', replicas: 1, annotations: { [key]: backend } }, more),
      around,
    );
  expect(on('consul')).toEqual([`annotations.${key}`]);
  expect(on('etcd')).toEqual([]);
  expect(on('kubernetes')).toEqual([]);
  expect(on('consul', grove)).toEqual([]);
  expect(on('consul', none, { annotations: { [key]: 'etcd' } })).toEqual([]);
  expect(places('discovery-backend-unknown', one({}, { annotations: { [key]: 'consul' } }))).toEqual([
    `metadata.annotations.${key}`,
  ]);
  expect(places('discovery-backend-unknown', one({}, { annotations: { [key]: 'kubernetes' } }))).toEqual([]);
  expect(places('discovery-backend-unknown', one({}))).toEqual([]);
  expect(places('discovery-backend-unknown', component({ annotations: { [key]: 'consul' } }))).toEqual([
    `spec.annotations.${key}`,
  ]);
});

test('replicas are required on Grove, for services of one node', () => {
  expect(places('replicas-required', one({ componentType: 'worker' }), grove)).toEqual(['']);
  expect(places('replicas-required', one({ componentType: 'worker', ...two }), grove)).toEqual([]);
  expect(places('replicas-required', one({ componentType: 'worker', replicas: 0 }), grove)).toEqual([]);
  expect(places('replicas-required', one({ componentType: 'worker' }))).toEqual([]);
});

test('pods of a LeaderWorkerSet use volcano', () => {
  const scheduler = (schedulerName: string, around: RenderContext, more: ComponentSpec = two) =>
    places('scheduler-replaced', one({ componentType: 'worker', extraPodSpec: { schedulerName }, ...more }), around);
  expect(scheduler('mine', lws)).toEqual(['extraPodSpec.schedulerName']);
  expect(scheduler('volcano', lws)).toEqual([]);
  expect(scheduler('', lws)).toEqual([]);
  expect(scheduler('mine', grove)).toEqual([]);
  expect(scheduler('mine', lws, {})).toEqual([]);
});

test.each([
  [['--tensor-parallel-size', '8'], []],
  [['--tensor-parallel-size=8'], [0]],
  [
    ['--pipeline-parallel-size=2', '--data-parallel-size=2'],
    [0, 1],
  ],
  [['-tp', '8'], [0]],
  [['x -pp=2'], [0]],
  [['-dp'], [0]],
  [['-tpx', '--my-tp', 'x-tp 2'], []],
] as const)('vLLM does not see all ways to say how it spans nodes: %j', (args, seen) => {
  const vllm = (container: object, more: ComponentSpec = two) =>
    places('parallel-flags-unseen', one(main(container, more), { spec: { backendFramework: 'vllm' } }));
  expect(vllm({ args })).toEqual(seen.map((index) => inMain(`args[${index}]`)));
  expect(vllm({ args }, {})).toEqual([]);
  expect(places('parallel-flags-unseen', one(main({ args }, two), { spec: { backendFramework: 'sglang' } }))).toEqual([]);
});

test('vLLM does not see flags in its command', () => {
  const vllm = (...command: readonly string[]) =>
    places('parallel-flags-unseen', one(main({ command }, two), { spec: { backendFramework: 'vllm' } }));
  expect(vllm('python3', '--tensor-parallel-size', '8')).toEqual([inMain('command')]);
  expect(vllm('sh', '-c', 'x --data-parallel-size 8')).toEqual([inMain('command')]);
  expect(vllm('x', '-tp')).toEqual([inMain('command')]);
  expect(vllm('x', '--tensor-parallel-sizes', 'a--tensor-parallel-size')).toEqual([]);
});

test('a planner runs as its own account without Grove', () => {
  const planner = (serviceAccountName: string, around: RenderContext = none, more: ComponentSpec = {}) =>
    places(
      'planner-account-forced',
      one({ componentType: 'planner', replicas: 1, extraPodSpec: { serviceAccountName }, ...more }),
      around,
    );
  expect(planner('mine')).toEqual(['extraPodSpec.serviceAccountName']);
  expect(planner('planner-serviceaccount')).toEqual([]);
  expect(planner('')).toEqual([]);
  expect(planner('mine', grove)).toEqual([]);
  expect(planner('mine', none, { componentType: 'worker' })).toEqual([]);
  expect(
    places('planner-account-forced', component({ componentType: 'planner', extraPodSpec: { serviceAccountName: 'mine' } })),
  ).toEqual([]);
});

test('a component that spans nodes without an orchestrator is one Deployment', () => {
  expect(places('multinode-without-orchestrator', component({ componentType: 'worker', ...two }))).toEqual(['spec.multinode']);
  expect(places('multinode-without-orchestrator', component({ componentType: 'worker', ...two }), lws)).toEqual([]);
  expect(places('multinode-without-orchestrator', component({ componentType: 'worker' }))).toEqual([]);
  expect(places('multinode-without-orchestrator', one({ componentType: 'worker', ...two }))).toEqual([]);
});
