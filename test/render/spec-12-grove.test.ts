import { describe, expect, test } from 'vitest';
import type { Json } from '../../lib/api/index.ts';
import { context, graph } from './graphs.ts';
import { view } from './rendered.ts';

const queue = (name: string): Json => ({ apiVersion: 'scheduling.run.ai/v2', kind: 'Queue', metadata: { name } });
const worker = { componentType: 'worker', replicas: 1, extraPodSpec: { mainContainer: { image: 'i', args: ['x'] } } };
const backend = 'nvidia.com/dynamo-discovery-backend';

describe('the worked example of a PodCliqueSet', () => {
  const { spec } = view(
    graph(
      {
        Frontend: { componentType: 'frontend', replicas: 1, extraPodSpec: { mainContainer: { image: 'f' } } },
        Decode: {
          componentType: 'worker',
          subComponentType: 'decode',
          replicas: 3,
          multinode: { nodeCount: 2 },
          labels: { team: 'a' },
          resources: { limits: { gpu: '4' } },
          extraPodSpec: { mainContainer: { image: 't', command: ['python3'], args: ['-m', 'dynamo.trtllm'] } },
        },
      },
      { spec: { backendFramework: 'trtllm' } },
    ),
    context('kai', { groveTerminationDelay: '15m' }, [queue('dynamo')]),
  ).get('PodCliqueSet/g');
  const annotations = { [backend]: 'kubernetes' };
  const labels = {
    'nvidia.com/selector': 'g-decode',
    'nvidia.com/dynamo-graph-deployment-name': 'g',
    'nvidia.com/dynamo-component': 'Decode',
    'nvidia.com/dynamo-namespace': 'ns-g',
    'nvidia.com/dynamo-component-type': 'worker',
    'nvidia.com/dynamo-sub-component-type': 'decode',
    'nvidia.com/metrics-enabled': 'true',
    team: 'a',
    'kai.scheduler/queue': 'dynamo',
  };
  const cliques = spec.template.cliques as readonly { readonly name: string; readonly spec: { readonly podSpec: object } }[];

  test('starts the workers first, waits before it ends a gang and scales leader and workers together', () => {
    expect(spec).toMatchObject({
      replicas: 1,
      template: {
        cliqueStartupType: 'CliqueStartupTypeExplicit',
        terminationDelay: '15m0s',
        headlessServiceConfig: { publishNotReadyAddresses: true },
      },
    });
    expect(spec.template.podCliqueScalingGroups).toEqual([
      { name: 'decode', cliqueNames: ['decode-ldr', 'decode-wkr'], replicas: 3, minAvailable: 1 },
    ]);
  });

  test.each([
    ['decode-ldr', { startsAfter: ['decode-wkr'] }],
    ['decode-wkr', {}],
  ])('has the clique %s', (name, more) => {
    const clique = cliques.find((one) => one.name === name);
    const podSpec: unknown = expect.objectContaining({ schedulerName: 'kai-scheduler' });
    expect(clique).toEqual({
      name,
      labels,
      annotations,
      spec: { roleName: name, replicas: 1, minAvailable: 1, podSpec, ...more },
    });
  });
});

describe('cliques', () => {
  const template = (services: Parameters<typeof graph>[0], parts: Parameters<typeof graph>[1] = {}, config = {}) =>
    view(graph(services, parts), context('grove', config)).get('PodCliqueSet/g').spec.template;

  test('of three nodes and five replicas: one leader, two workers, a group of five', () => {
    const { cliques, podCliqueScalingGroups, cliqueStartupType } = template({
      W: { ...worker, replicas: 5, multinode: { nodeCount: 3 } },
    });
    expect(cliques.map(({ spec }: { spec: { replicas: number } }) => spec.replicas)).toEqual([1, 2]);
    expect(podCliqueScalingGroups).toEqual([{ name: 'w', cliqueNames: ['w-ldr', 'w-wkr'], replicas: 5, minAvailable: 1 }]);
    expect(cliqueStartupType).toBe('CliqueStartupTypeAnyOrder');
  });

  test.each([
    [{ replicas: 0 }, 0, { name: 'w', cliqueNames: ['w-ldr', 'w-wkr'], replicas: 0, minAvailable: 1 }],
    [{ replicas: undefined }, 1, { name: 'w', cliqueNames: ['w-ldr', 'w-wkr'], minAvailable: 1 }],
  ])('with %j', (given, replicas, group) => {
    const { replicas: _one, ...service } = worker;
    const own = given.replicas === undefined ? {} : given;
    expect(template({ W: { ...service, ...own } }).cliques[0].spec).toMatchObject({ replicas, minAvailable: 1 });
    expect(template({ W: { ...service, ...own, multinode: {} } }).podCliqueScalingGroups).toEqual([group]);
  });

  test.each([
    ['15m', '15m0s'],
    ['4h', '4h0m0s'],
    ['90s', '1m30s'],
    ['0', undefined],
    ['-1m', undefined],
  ])('are ended %s after they break: %s', (groveTerminationDelay, written) => {
    expect(template({ W: worker }, {}, { groveTerminationDelay }).terminationDelay).toBe(written);
  });

  test('carry labels and annotations of the service, then of its pods; metrics follow the graph', () => {
    const service = {
      ...worker,
      labels: { a: 'service', b: 'service', 'nvidia.com/dynamo-component': 'mine' },
      annotations: { a: 'service', [backend]: 'etcd', 'nvidia.com/enable-metrics': 'true' },
      extraPodMetadata: { labels: { a: 'pod' }, annotations: { a: 'pod' } },
    };
    const [clique] = template({ W: service }, { annotations: { 'nvidia.com/enable-metrics': 'false' } }).cliques;
    expect(clique.labels).toMatchObject({ a: 'pod', b: 'service', 'nvidia.com/dynamo-component': 'mine' });
    expect(clique.labels).not.toHaveProperty(['nvidia.com/metrics-enabled']);
    expect(clique.annotations).toEqual({ a: 'pod', [backend]: 'kubernetes', 'nvidia.com/enable-metrics': 'true' });
  });

  test('have the Dynamo namespace of their service each', () => {
    const { cliques } = template({ A: { ...worker, globalDynamoNamespace: true }, B: worker });
    const namespaces = cliques.map(({ labels }: { labels: Record<string, string> }) => labels['nvidia.com/dynamo-namespace']);
    expect(namespaces).toEqual(['dynamo', 'ns-g']);
  });
});

describe('the KAI scheduler', () => {
  const scheduled = (annotation: string | undefined, extraPodSpec: object = {}) => {
    const annotations: Record<string, string> = annotation === undefined ? {} : { 'nvidia.com/kai-scheduler-queue': annotation };
    const services = { W: { ...worker, extraPodSpec: { ...worker.extraPodSpec, ...extraPodSpec } } };
    const queues = ['dynamo', 'mine'].map(queue);
    const [clique] = view(graph(services, { annotations }), context('kai', {}, queues)).get('PodCliqueSet/g').spec.template
      .cliques;
    return [clique.spec.podSpec.schedulerName, clique.labels['kai.scheduler/queue']];
  };
  test.each([
    [undefined, {}, ['kai-scheduler', 'dynamo']],
    ['', {}, ['kai-scheduler', 'dynamo']],
    ['  mine  ', {}, ['kai-scheduler', 'mine']],
    ['mine', { schedulerName: 'kai-scheduler' }, ['kai-scheduler', 'mine']],
    ['mine', { schedulerName: 'default-scheduler' }, ['default-scheduler', undefined]],
  ])('with queue %j and pods that say %j gives %j', (annotation, extraPodSpec, expected) => {
    expect(scheduled(annotation, extraPodSpec)).toEqual(expected);
  });
});

describe('discovery', () => {
  const services = { Web: { ...worker, componentType: 'frontend' }, W: worker };
  const look = (path: 'grove' | 'none', value: string) => {
    const rendered = view(graph(services, { annotations: { [backend]: value } }), context(path));
    const pod = rendered.pod(path === 'grove' ? 'w' : 'Deployment/g-w');
    return {
      rbac: rendered.names.some((name) => name.endsWith('k8s-service-discovery-role')),
      env: pod.containers[0]?.env?.some(({ name }) => name === 'DYN_DISCOVERY_BACKEND'),
      account: pod.serviceAccountName,
      services: rendered.names.filter((name) => name.startsWith('Service/')).map((name) => name.slice('Service/g-'.length)),
    };
  };
  const six = ['w', 'w-p', 'w-d', 'web', 'web-p', 'web-d'];
  const four = ['w', 'web', 'web-p', 'web-d'];
  test.each([
    ['grove', 'kubernetes', { rbac: true, env: true, account: 'g-k8s-service-discovery', services: ['w', 'web'] }],
    ['grove', 'etcd', { rbac: false, env: false, account: undefined, services: ['web'] }],
    ['grove', 'test', { rbac: false, env: true, account: undefined, services: ['web'] }],
    ['none', 'kubernetes', { rbac: true, env: true, account: 'g-k8s-service-discovery', services: six }],
    ['none', 'etcd', { rbac: false, env: false, account: 'default', services: four }],
    ['none', 'test', { rbac: false, env: true, account: 'default', services: four }],
    ['none', '', { rbac: false, env: true, account: 'default', services: four }],
  ] as const)('on %s with %j', (path, value, expected) => {
    expect(look(path, value)).toEqual(expected);
  });
});
