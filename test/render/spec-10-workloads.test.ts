import { describe, expect, test } from 'vitest';
import { renderLevels } from '../../lib/render/index.ts';
import { component, context, graph } from './graphs.ts';
import { view } from './rendered.ts';

const etcd = { 'nvidia.com/dynamo-discovery-backend': 'etcd' };
const owner = [{ apiVersion: 'any.example.com/v1', kind: 'DynamoGraphDeployment', name: 'g', uid: 'u' }];

test('the worked example of a Deployment', () => {
  const labels = {
    'nvidia.com/dynamo-component': 'decode',
    'nvidia.com/dynamo-namespace': 'ns-g',
    'nvidia.com/dynamo-graph-deployment-name': 'g',
  };
  const rendered = view(
    component(
      {
        backendFramework: 'vllm',
        componentType: 'worker',
        subComponentType: 'decode',
        serviceName: 'decode',
        dynamoNamespace: 'ns-g',
        labels,
        annotations: { 'nvidia.com/deployment-rolling-update-max-surge': '1', 'nvidia.com/restartAt': 'r1' },
        modelRef: { name: 'Qwen/Qwen3-0.6B' },
        replicas: 2,
        extraPodSpec: { mainContainer: { image: 'i', args: ['python3 -m dynamo.vllm --model Qwen/Qwen3-0.6B'] } },
      },
      { name: 'g-decode', ownerReferences: owner },
    ),
    context(),
  );
  const { metadata, spec } = rendered.get('Deployment/g-decode');
  const own = { ...labels, 'nvidia.com/dynamo-base-model-hash': 'fb68f5a6' };
  expect(metadata.labels).toEqual(own);
  expect(metadata.annotations).toMatchObject({
    'nvidia.com/deployment-rolling-update-max-surge': '1',
    'nvidia.com/restartAt': 'r1',
    'nvidia.com/dynamo-base-model': 'Qwen/Qwen3-0.6B',
  });
  expect(spec).toMatchObject({
    replicas: 2,
    selector: { matchLabels: { 'nvidia.com/selector': 'g-decode' } },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } },
  });
  expect(spec.template.metadata).toEqual({
    labels: {
      ...own,
      'nvidia.com/metrics-enabled': 'true',
      'nvidia.com/dynamo-component-type': 'worker',
      'nvidia.com/dynamo-sub-component-type': 'decode',
      'nvidia.com/selector': 'g-decode',
    },
    annotations: { 'nvidia.com/restartAt': 'r1' },
  });
  expect(rendered.pod('Deployment/g-decode').serviceAccountName).toBe('g-k8s-service-discovery');
  expect(rendered.names).toEqual([
    'Deployment/g-decode',
    'Service/g-decode',
    'Service/g-decode-p',
    'Service/g-decode-d',
    'Service/dynamo-model-fb68f5a6',
  ]);
});

describe('the update strategy', () => {
  const key = (name: string): string => `nvidia.com/deployment-${name}`;
  const strategy = (own: object, onPods: object = {}): object => {
    const spec = { dynamoNamespace: 'd', annotations: { ...etcd, ...own }, extraPodMetadata: { annotations: onPods } };
    return view(component(spec), context()).get('Deployment/c').spec.strategy;
  };
  const rolling = (maxSurge: string | number, maxUnavailable: string | number): object => ({
    type: 'RollingUpdate',
    rollingUpdate: { maxSurge, maxUnavailable },
  });
  const surge = key('rolling-update-max-surge');
  const unavailable = key('rolling-update-max-unavailable');
  test.each([
    [{}, rolling('25%', '25%')],
    [{ [key('strategy')]: '' }, rolling('25%', '25%')],
    [{ [key('strategy')]: 'recreate' }, rolling('25%', '25%')],
    [{ [key('strategy')]: 'Recreate', [surge]: '1' }, { type: 'Recreate' }],
    [{ [surge]: '1', [unavailable]: '0' }, rolling(1, 0)],
    [{ [surge]: '50%' }, rolling('50%', '25%')],
    [{ [surge]: '', [unavailable]: '+2' }, rolling('25%', 2)],
    [{ [surge]: '-0', [unavailable]: '2147483648' }, rolling(0, '2147483648')],
    [{ [surge]: '1.5', [unavailable]: 'some' }, rolling('1.5', 'some')],
  ])('%j gives %j', (annotations, expected) => {
    expect(strategy(annotations)).toStrictEqual(expected);
  });

  test('takes its numbers, but not its kind, from annotations of the pods too', () => {
    expect(strategy({ [surge]: '1' }, { [surge]: '3', [key('strategy')]: 'Recreate' })).toEqual(rolling(3, '25%'));
  });
});

describe('debugging', () => {
  const debugged = (annotations: object, mode: 'none' | 'lws' = 'none') =>
    view(
      component({
        componentType: 'worker',
        dynamoNamespace: 'd',
        replicas: 3,
        annotations: { ...etcd, ...annotations },
        extraPodSpec: { mainContainer: { image: 'i' } },
      }),
      context(mode),
    );
  const debuggerContainer = {
    name: 'debugger',
    image: 'python:3.12-slim',
    command: ['sleep', 'infinity'],
    securityContext: { capabilities: { add: ['SYS_PTRACE'] } },
    resources: { requests: { cpu: '100m', memory: '100Mi' }, limits: { cpu: '1', memory: '1000Mi' } },
    stdin: true,
    tty: true,
  };

  test('puts a debugger behind the main container', () => {
    const pod = debugged({ 'nvidia.com/enable-debug-mode': 'true' }).pod('Deployment/c');
    expect(pod.containers.at(-1)).toEqual(debuggerContainer);
    expect(pod.shareProcessNamespace).toBe(true);
    for (const value of ['True', 'false', ''])
      expect(debugged({ 'nvidia.com/enable-debug-mode': value }).pod('Deployment/c').containers).toHaveLength(1);
  });

  test('takes over traffic with a second Deployment of one pod and two more Services', () => {
    const rendered = debugged({ 'nvidia.com/enable-stealing-traffic-debug-mode': 'true' });
    expect(rendered.names).toEqual(['Deployment/c', 'Deployment/c-d', 'Service/c', 'Service/c-p', 'Service/c-d']);
    const { spec } = rendered.get('Deployment/c-d');
    expect(spec).toMatchObject({ replicas: 1, selector: { matchLabels: { 'nvidia.com/selector': 'c-d' } } });
    expect(spec.template.metadata.labels).toMatchObject({
      'nvidia.com/dynamo-deployment-target-type': 'debug',
      'nvidia.com/selector': 'c-d',
    });
    expect(rendered.pod('Deployment/c-d').containers.at(-1)).toEqual(debuggerContainer);
    expect(rendered.pod('Deployment/c').containers).toHaveLength(1);
    expect(rendered.get('Service/c-p').spec.selector).not.toHaveProperty(['nvidia.com/dynamo-deployment-target-type']);
    expect(rendered.get('Service/c-d').spec.selector).toMatchObject({ 'nvidia.com/dynamo-deployment-target-type': 'debug' });
  });
});

describe('labels of pods', () => {
  const podLabels = (spec: object, metadata: object = {}): object =>
    view(
      component(
        {
          dynamoNamespace: 'd',
          ...spec,
          annotations: { ...etcd, ...('annotations' in spec ? (spec.annotations as object) : {}) },
        },
        metadata,
      ),
      context(),
    ).get('Deployment/c').spec.template.metadata.labels;
  test.each([
    ['an empty graph name without a graph', {}, { 'nvidia.com/dynamo-graph-deployment-name': '' }],
    [
      'no metrics only where they are refused',
      { annotations: { 'nvidia.com/enable-metrics': 'False' } },
      { 'nvidia.com/metrics-enabled': 'true' },
    ],
    [
      'what the user gives pods, even the selector',
      { extraPodMetadata: { labels: { 'nvidia.com/selector': 's' } } },
      { 'nvidia.com/selector': 's' },
    ],
  ])('hold %s', (_what, spec, expected) => {
    expect(podLabels(spec)).toMatchObject(expected);
  });

  test('hold no metrics label where they are refused, and the name of the graph from the spec alone', () => {
    expect(podLabels({ annotations: { 'nvidia.com/enable-metrics': 'false' } })).not.toHaveProperty([
      'nvidia.com/metrics-enabled',
    ]);
    const metadata = { labels: { 'nvidia.com/dynamo-graph-deployment-name': 'meta', a: 'meta' } };
    expect(podLabels({ labels: { a: 'spec' } }, metadata)).toMatchObject({
      a: 'meta',
      'nvidia.com/dynamo-graph-deployment-name': '',
    });
  });
});

describe('the worked example of a LeaderWorkerSet', () => {
  const rendered = view(
    component({
      backendFramework: 'vllm',
      componentType: 'worker',
      dynamoNamespace: 'd',
      annotations: etcd,
      replicas: 2,
      multinode: { nodeCount: 2 },
      resources: { limits: { gpu: '1' } },
      extraPodMetadata: { labels: { role: 'mine', own: 'l' }, annotations: { own: 'a' } },
      extraPodSpec: {
        schedulerName: 'mine',
        containers: [{ name: 'side', image: 's' }],
        mainContainer: { image: 'i', command: ['some', 'dynamo', 'command'], args: ['--tensor-parallel-size', '4'] },
      },
    }),
    context('lws'),
  );

  test('makes a pod group and a set for each replica', () => {
    expect(rendered.names).toEqual(['PodGroup/c-0', 'LeaderWorkerSet/c-0', 'PodGroup/c-1', 'LeaderWorkerSet/c-1', 'Service/c']);
    expect(rendered.get('PodGroup/c-1')).toMatchObject({ metadata: { labels: { 'instance-id': '1' } }, spec: { minMember: 2 } });
    expect(rendered.get('LeaderWorkerSet/c-1').metadata.labels).toEqual({ 'instance-id': '1' });
    expect(rendered.get('Service/c').spec.selector).toMatchObject({ role: 'leader' });
  });

  test.each([
    ['leader', 'ray start --head --port=6379 && some dynamo command --tensor-parallel-size 4 --distributed-executor-backend ray'],
    ['worker', 'ray start --address=$LWS_LEADER_ADDRESS:6379 --block'],
  ])('has a %s template', (role, line) => {
    const { spec } = rendered.get('LeaderWorkerSet/c-1');
    expect(spec).toMatchObject({ replicas: 1, startupPolicy: 'LeaderCreated', leaderWorkerTemplate: { size: 2 } });
    const template = spec.leaderWorkerTemplate[`${role}Template`];
    expect(template.metadata).toEqual({
      labels: {
        'instance-id': '1',
        role,
        own: 'l',
        'nvidia.com/metrics-enabled': 'true',
        'nvidia.com/dynamo-component-type': 'worker',
        'nvidia.com/dynamo-graph-deployment-name': '',
      },
      annotations: { own: 'a', 'scheduling.k8s.io/group-name': 'c-1' },
    });
    expect(template.spec).toMatchObject({ schedulerName: 'volcano', serviceAccountName: 'default' });
    const [side, main] = template.spec.containers;
    expect([side.name, main.command, main.args]).toEqual(['side', ['/bin/sh', '-c'], [line]]);
    expect('livenessProbe' in main).toBe(role === 'leader');
  });

  test.each([
    [{ replicas: 0 }, ['Service/c']],
    [{ replicas: undefined }, ['PodGroup/c-0', 'LeaderWorkerSet/c-0', 'Service/c']],
  ])('with %j makes %j', (replicas, names) => {
    const spec = { dynamoNamespace: 'd', annotations: etcd, multinode: {}, resources: { limits: { gpu: '0' } } };
    const main = { extraPodSpec: { mainContainer: { image: 'i', args: ['x'] } } };
    expect(view(component({ ...spec, ...main, ...replicas }), context('lws')).names).toEqual(names);
  });
});

describe('a LeaderWorkerSet', () => {
  test('is rejected where there would be more of them than a cluster has nodes', () => {
    const spec = {
      componentType: 'worker',
      dynamoNamespace: 'd',
      multinode: { nodeCount: 2 },
      resources: { limits: { gpu: '8' } },
      extraPodSpec: { mainContainer: { image: 'i', command: ['x'], args: ['y'] } },
    };
    const { issues, objects } = renderLevels(component({ ...spec, replicas: 5001 }), context('lws'));
    expect(issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      [
        'spec.replicas',
        'must be 5000 or less with multinode, got 5001: every replica is a LeaderWorkerSet on nodes of its own, and Kubernetes supports 5000 nodes',
      ],
    ]);
    expect(objects).toEqual([]);
    expect(renderLevels(component({ ...spec, replicas: 5000 }), context('lws')).objects.length).toBeGreaterThan(10_000);
  });

  const chain =
    'failed to reconcile the resources: failed to sync the LeaderWorkerSet: generateLeaderWorkerSet: failed to generate ';
  const leader = `${chain}leader pod template: generateLeaderPodTemplateSpec: failed to check main container: `;
  const worker = `${chain}worker pod template: generateWorkerPodTemplateSpec: `;
  const chains = (main: object, spec: object = {}) =>
    view(
      component({
        componentType: 'worker',
        backendFramework: 'sglang',
        dynamoNamespace: 'd',
        annotations: etcd,
        multinode: {},
        resources: { limits: { gpu: '8' } },
        extraPodSpec: { mainContainer: { image: 'i', ...main } },
        ...spec,
      }),
      context('lws'),
    ).chains;
  test.each([
    ['a container of another name', { name: 'engine', args: ['x'] }, {}, `${leader}main container not found in pod spec`],
    ['no arguments', {}, {}, `${leader}container Args cannot be empty for LWS pod`],
    [
      'no command',
      { args: ['x'] },
      { componentType: 'epp', eppConfig: { configMapRef: { name: 'c', key: 'k' } } },
      `${leader}container Command cannot be nil for LWS pod`,
    ],
    [
      'no GPU limit',
      { args: ['x'] },
      { resources: { requests: { gpu: '8' } } },
      `${worker}GPU limit is not set for LWS worker pod`,
    ],
  ])('is refused with %s', (_what, main, spec, expected) => {
    expect(chains(main, spec)[0]).toBe(expected);
  });

  test('is allowed what its engine fills in', () => {
    expect(chains({ command: ['python3'] })).toEqual([]);
    expect(chains({ command: ['serve'] }, { backendFramework: 'trtllm' })).toEqual([]);
    expect(chains({ args: ['--test-arg'] }, { componentType: 'decode' })).toEqual([]);
    expect(chains({ args: ['x'] }, { componentType: 'frontend', resources: { limits: { gpu: '0' } } })).toEqual([]);
  });
});

describe('replicas that span nodes', () => {
  const services = { W: { componentType: 'worker', multinode: { nodeCount: 2 } } };
  test('need an orchestrator, after everything around the workloads is made', () => {
    const declined = { annotations: { 'nvidia.com/enable-grove': 'FALSE' } };
    for (const rendered of [view(graph(services), context()), view(graph(services, declined), context('grove'))]) {
      expect(rendered.chains).toEqual(['failed to reconcile Dynamo components deployments: no multinode orchestrator available']);
      expect(rendered.names).toContain('Secret/mpi-run-ssh-secret');
    }
  });

  test.each([
    [
      'sglang',
      ['python3'],
      ['-m', 'dynamo.sglang'],
      ['sh', '-c'],
      ['exec python3 -m dynamo.sglang --dist-init-addr $LWS_LEADER_ADDRESS:29500 --nnodes 2 --node-rank $(LWS_WORKER_INDEX)'],
    ],
    ['vllm', ['a'], ['--tensor-parallel-size', '16'], ['/bin/sh', '-c'], ['--tensor-parallel-size', '16']],
    ['trtllm', ['a'], ['b'], ['a'], ['b']],
  ])(
    'of a component on its own become one Deployment without LWS: %s',
    (backendFramework, command, args, wantCommand, wantArgs) => {
      const spec = {
        componentType: 'worker',
        backendFramework,
        dynamoNamespace: 'd',
        annotations: etcd,
        multinode: {},
        replicas: 3,
      };
      const main = { extraPodSpec: { mainContainer: { image: 'i', command, args } }, resources: { limits: { gpu: '8' } } };
      const rendered = view(component({ ...spec, ...main }), context());
      expect([rendered.main('Deployment/c').command, rendered.main('Deployment/c').args]).toEqual([wantCommand, wantArgs]);
      expect(rendered.get('Deployment/c').spec.replicas).toBe(3);
      expect(rendered.get('Service/c').spec.selector).toMatchObject({ role: 'leader' });
      expect(rendered.main('Deployment/c').livenessProbe).toMatchObject({ httpGet: { path: '/live', port: 'system' } });
    },
  );
});
