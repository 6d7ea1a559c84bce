import { describe, expect, test } from 'vitest';
import type { Json } from '../../lib/api/index.ts';
import { component, context, graph } from './graphs.ts';
import { view } from './rendered.ts';

const bare = { natsAddress: '', etcdAddress: '' };
const fromPod = (name: string, fieldPath: string): object => ({ name, valueFrom: { fieldRef: { fieldPath } } });
const podFields = [
  fromPod('POD_NAME', 'metadata.name'),
  fromPod('POD_NAMESPACE', 'metadata.namespace'),
  fromPod('POD_UID', 'metadata.uid'),
];
const types = ['frontend', 'worker', 'prefill', 'decode', 'planner', 'epp', 'default', ''];
const picker = { configMapRef: { name: 'c', key: 'k' } };

test('the worked example of a frontend', () => {
  const rendered = view(
    graph({
      Web: {
        componentType: 'frontend',
        envs: [{ name: 'DYN_HTTP_PORT', value: '3000' }],
        envFromSecret: 'hf',
        volumeMounts: [{ name: 'models', mountPoint: '/models' }],
        resources: { requests: { cpu: '1', gpu: '1' }, limits: { gpu: '1' } },
        extraPodSpec: {
          containers: [{ name: 'side', image: 's' }],
          mainContainer: { image: 'x/y:1', livenessProbe: { periodSeconds: 30 } },
        },
      },
    }),
    context('grove', { ...bare, natsAddress: 'nats://n:4222' }),
  );
  expect(rendered.pod('web')).toEqual({
    terminationGracePeriodSeconds: 60,
    restartPolicy: 'Always',
    securityContext: { fsGroup: 1000 },
    serviceAccountName: 'g-k8s-service-discovery',
    containers: [
      { name: 'side', image: 's', resources: {} },
      {
        name: 'main',
        image: 'x/y:1',
        command: ['python3'],
        args: ['-m', 'dynamo.frontend'],
        ports: [{ name: 'http', containerPort: 8000, protocol: 'TCP' }],
        env: [
          { name: 'DYNAMO_PORT', value: '8000' },
          { name: 'DYN_COMPONENT', value: 'frontend' },
          { name: 'DYN_DISCOVERY_BACKEND', value: 'kubernetes' },
          { name: 'DYN_HTTP_PORT', value: '3000' },
          { name: 'DYN_NAMESPACE', value: 'ns-g' },
          { name: 'DYN_PARENT_DGD_K8S_NAME', value: 'g' },
          { name: 'DYN_PARENT_DGD_K8S_NAMESPACE', value: 'ns' },
          { name: 'NATS_SERVER', value: 'nats://n:4222' },
          ...podFields,
        ],
        envFrom: [{ secretRef: { name: 'hf' } }],
        resources: { requests: { cpu: '1' }, limits: { 'nvidia.com/gpu': '1' } },
        livenessProbe: {
          httpGet: { path: '/live', port: 'http' },
          initialDelaySeconds: 15,
          periodSeconds: 30,
          timeoutSeconds: 1,
          failureThreshold: 3,
        },
        readinessProbe: {
          httpGet: { path: '/health', port: 'http' },
          initialDelaySeconds: 10,
          periodSeconds: 10,
          timeoutSeconds: 3,
          failureThreshold: 3,
        },
        volumeMounts: [
          { name: 'models', mountPath: '/models' },
          { name: 'shared-memory', mountPath: '/dev/shm' },
        ],
      },
    ],
    volumes: [
      { name: 'models', persistentVolumeClaim: { claimName: 'models' } },
      { name: 'shared-memory', emptyDir: { medium: 'Memory', sizeLimit: '8Gi' } },
    ],
  });
});

test('the worked example of a worker: variables in byte order, no account without kubernetes discovery', () => {
  const { pod, main } = view(
    graph({
      W: {
        componentType: 'worker',
        envs: [{ name: 'ANOTHER_COMPONENTENV', value: 'true' }],
        extraPodSpec: {
          mainContainer: {
            command: ['python3'],
            args: ['-m', 'dynamo.worker'],
            env: [{ name: 'ANOTHER_CONTAINER_ENV', value: 'true' }],
          },
        },
      },
    }),
    context('grove', { ...bare, discoveryBackend: '' }),
  );
  expect(main('w').env?.map(({ name, value }) => (value === undefined ? name : `${name}=${value}`))).toEqual([
    'ANOTHER_COMPONENTENV=true',
    'ANOTHER_CONTAINER_ENV=true',
    'DYN_COMPONENT=worker',
    'DYN_DISCOVERY_BACKEND=kubernetes',
    'DYN_HEALTH_CHECK_ENABLED=false',
    'DYN_NAMESPACE=ns-g',
    'DYN_PARENT_DGD_K8S_NAME=g',
    'DYN_PARENT_DGD_K8S_NAMESPACE=ns',
    'DYN_SYSTEM_ENABLED=true',
    'DYN_SYSTEM_PORT=9090',
    'DYN_SYSTEM_USE_ENDPOINT_HEALTH_STATUS=["generate"]',
    'POD_NAME',
    'POD_NAMESPACE',
    'POD_UID',
  ]);
  expect(pod('w')).not.toHaveProperty('serviceAccountName');
});

describe('defaults of component types', () => {
  const services = Object.fromEntries(types.map((type, i) => [`S${i}`, { componentType: type, eppConfig: picker }]));
  const rendered = view(graph(services), context('grove', bare));
  const shell = ['/bin/sh', '-c'];
  const engine = [{ name: 'system', containerPort: 9090, protocol: 'TCP' }];
  const pickerPorts = [
    { name: 'grpc', containerPort: 9002, protocol: 'TCP' },
    { name: 'grpc-health', containerPort: 9003, protocol: 'TCP' },
    { name: 'metrics', containerPort: 9090, protocol: 'TCP' },
  ];
  test.each([
    ['frontend', ['python3'], [{ name: 'http', containerPort: 8000, protocol: 'TCP' }], 'g-k8s-service-discovery', 60],
    ['worker', shell, engine, 'g-k8s-service-discovery', 60],
    ['prefill', shell, engine, 'g-k8s-service-discovery', 60],
    ['decode', shell, engine, 'g-k8s-service-discovery', 60],
    ['planner', shell, [{ name: 'metrics', containerPort: 9085, protocol: 'TCP' }], 'planner-serviceaccount', 60],
    ['epp', undefined, pickerPorts, 'epp-serviceaccount', 130],
    ['default', shell, undefined, 'g-k8s-service-discovery', 60],
    ['', shell, undefined, 'g-k8s-service-discovery', 60],
  ])('%j: command, ports, account and grace', (type, command, ports, account, grace) => {
    const name = `s${types.indexOf(type)}`;
    const main = rendered.main(name);
    expect([main.command, main.ports]).toEqual([command, ports]);
    expect(rendered.pod(name)).toMatchObject({ serviceAccountName: account, terminationGracePeriodSeconds: grace });
    expect(main.env).toContainEqual(type === '' ? { name: 'DYN_COMPONENT' } : { name: 'DYN_COMPONENT', value: type });
  });

  test('an endpoint picker is given its pool, its configuration and a cache', () => {
    const name = `s${types.indexOf('epp')}`;
    expect(rendered.main(name).args?.join(' ')).toBe(
      '-pool-name g-pool -pool-namespace ns -pool-group inference.networking.k8s.io -v 4 --zap-encoder json -grpc-port 9002 -grpc-health-port 9003 -config-file /etc/epp/epp-config-dynamo.yaml',
    );
    expect(rendered.main(name).volumeMounts).toEqual([
      { name: 'epp-config', mountPath: '/etc/epp', readOnly: true },
      { name: 'hf-cache', mountPath: '/home/nonroot/.cache' },
      { name: 'shared-memory', mountPath: '/dev/shm' },
    ]);
    expect(rendered.pod(name).volumes?.slice(0, 2)).toEqual([
      { name: 'epp-config', configMap: { name: 'c', items: [{ key: 'k', path: 'epp-config-dynamo.yaml' }] } },
      { name: 'hf-cache', emptyDir: {} },
    ]);
  });
});

describe('probes', () => {
  const probes = (type: string, main: object, own: object = {}): object =>
    view(
      graph({ X: { componentType: type, eppConfig: picker, ...own, extraPodSpec: { mainContainer: main } } }),
      context('grove', bare),
    ).main('x');
  const live = { httpGet: { path: '/live', port: 'system' }, timeoutSeconds: 4, periodSeconds: 5, failureThreshold: 1 };
  const health = (port: number, service: string): object => ({
    grpc: { port, service },
    initialDelaySeconds: 5,
    periodSeconds: 10,
  });
  test.each([
    [
      'a number for a port',
      'worker',
      { httpGet: { path: '/x', port: 8080 } },
      { ...live, httpGet: { path: '/x', port: 'system' } },
    ],
    ['another name for a port', 'worker', { httpGet: { port: 'p' } }, { ...live, httpGet: { path: '/live', port: 'p' } }],
    [
      'scheme, host and headers',
      'worker',
      { httpGet: { path: '', port: 1, scheme: 'HTTPS', host: 'h', httpHeaders: [{ name: 'a', value: 'b' }] } },
      {
        ...live,
        httpGet: { path: '/live', port: 'system', scheme: 'HTTPS', host: 'h', httpHeaders: [{ name: 'a', value: 'b' }] },
      },
    ],
    ['zeros', 'worker', { periodSeconds: 0, timeoutSeconds: 9 }, { ...live, timeoutSeconds: 9 }],
    ['a grace period', 'worker', { terminationGracePeriodSeconds: 0 }, { ...live, terminationGracePeriodSeconds: 0 }],
    ['another handler', 'worker', { tcpSocket: { port: 1 } }, { ...live, tcpSocket: { port: 1 } }],
    ['a number where there is no default', 'planner', { httpGet: { port: 8080 } }, { httpGet: { port: 8080 } }],
    ['a port for gRPC', 'epp', { grpc: { port: 9100 } }, health(9100, 'inference-extension')],
    ['a service for gRPC', 'epp', { grpc: { port: 9003, service: 's' } }, health(9003, 's')],
  ])('merge %s over the default', (_what, type, livenessProbe, expected) => {
    expect(probes(type, { livenessProbe })).toHaveProperty('livenessProbe', expected);
  });

  test('on the component, and start-up probes, replace the default whole', () => {
    const own = { livenessProbe: { httpGet: { port: 9090 } }, readinessProbe: { grpc: { port: 1 } } };
    const main = { livenessProbe: { periodSeconds: 9 }, startupProbe: { grpc: { port: 2 } } };
    expect(probes('worker', main, own)).toMatchObject({
      livenessProbe: own.livenessProbe,
      readinessProbe: { grpc: { port: 1, service: '' } },
      startupProbe: { grpc: { port: 2, service: '' } },
    });
  });
});

describe('resources', () => {
  const resourcesOf = (resources: object, main: object = {}): unknown =>
    view(graph({ W: { componentType: 'worker', resources, extraPodSpec: { mainContainer: main } } }), context('grove')).main('w')
      .resources;
  test.each([
    ['amounts in canonical form', { limits: { cpu: '1000m', memory: '1024Mi' } }, { limits: { cpu: '1', memory: '1Gi' } }],
    ['a GPU limit, never a request', { limits: { gpu: '4.0' }, requests: { gpu: '2' } }, { limits: { 'nvidia.com/gpu': '4' } }],
    ['a GPU of another kind', { limits: { gpu: '8', gpuType: 'gpu.example.com/t' } }, { limits: { 'gpu.example.com/t': '8' } }],
    ['nothing for empty texts', { limits: { cpu: '', memory: '', gpu: '', gpuType: 'x' } }, {}],
    ['custom keys', { requests: { custom: { 'rdma/ib': '1' } } }, { requests: { 'rdma/ib': '1' } }],
  ])('hold %s', (_what, given, expected) => {
    expect(resourcesOf(given)).toEqual(expected);
  });

  test('are written key by key over those of the main container, claims after its own', () => {
    const main = { resources: { limits: { cpu: '1', memory: '0.5Gi' }, claims: [{ name: 'a' }] } };
    expect(resourcesOf({ limits: { cpu: '2' }, claims: [{ name: 'b' }] }, main)).toEqual({
      limits: { cpu: '2', memory: '512Mi' },
      claims: [{ name: 'a' }, { name: 'b' }],
    });
  });

  test.each([
    [{ limits: { cpu: 'x' } }, 'limits cpu'],
    [{ limits: { memory: '16Gigs' } }, 'limits memory'],
    [{ limits: { gpu: 'two' } }, 'limits gpu'],
    [{ limits: { custom: { 'a/b': 'none' } } }, 'limits a/b'],
    [{ requests: { cpu: 'x' } }, 'requests cpu'],
    [{ requests: { memory: 'x' } }, 'requests memory'],
    [{ requests: { custom: { 'rdma/ib': 'one' } } }, 'requests rdma/ib'],
  ])('rejects %j', (resources, what) => {
    const leaf = `failed to get resources config: parse ${what} quantity: `;
    const services = { Wk: { componentType: 'worker', resources } };
    const set = view(graph(services), context('grove')).chains;
    const chain = 'failed to reconcile Dynamo components deployments: failed to reconcile the Grove PodClique Set: ';
    expect(set).toEqual([
      expect.stringContaining(`${chain}failed to generate the Grove GangSet: failed to generate podSpec for role Wk: ${leaf}`),
    ]);
    const deployment =
      'failed to reconcile the resources: failed to create or update the deployment: create or update deployment: ';
    expect(view(graph(services), context()).chains).toEqual([
      expect.stringContaining(`${deployment}failed to generate base pod spec: ${leaf}`),
    ]);
  });
});

describe('volumes', () => {
  const mounted = (framework: string, ...volumeMounts: readonly object[]) =>
    view(
      graph(
        { W: { componentType: 'worker', volumeMounts, extraPodSpec: { mainContainer: { image: 'i' } } } as object },
        { spec: { backendFramework: framework } },
      ),
      context('grove', bare),
    );
  test.each([
    ['vllm', { name: 'c', useAsCompilationCache: true }, '/root/.cache/vllm', undefined],
    ['vllm', { name: 'c', mountPoint: '/c', useAsCompilationCache: true }, '/c', '/c'],
    ['sglang', { name: 'c', mountPoint: '/c', useAsCompilationCache: true }, '/c', undefined],
    ['trtllm', { name: 'c', mountPoint: '/c' }, '/c', undefined],
  ])('of %s: %j is seen at %s', (framework, mount, path, root) => {
    const main = mounted(framework, mount).main('w');
    expect(main.volumeMounts?.[0]).toEqual({ name: 'c', mountPath: path });
    expect(main.env?.find(({ name }) => name === 'VLLM_CACHE_ROOT')?.value).toBe(root);
    if (root !== undefined) expect(main.env?.at(-1)?.name).toBe('VLLM_CACHE_ROOT');
  });

  test.each([
    ['vllm', { name: 'c' }, 'volumeMount.mountPoint is required when useAsCompilationCache is false'],
    ['vllm', { name: '', mountPoint: '/c' }, 'volumeMount.name is required when volumeMounts is set'],
    ...['sglang', 'trtllm'].map(
      (framework) =>
        [
          framework,
          { name: 'c', useAsCompilationCache: true },
          `volumeMount with useAsCompilationCache=true requires an explicit mountPoint for backend framework ${framework} (no default available)`,
        ] as const,
    ),
  ] as const)('of %s: rejects %j', (framework, mount, message) => {
    expect(mounted(framework, mount).messages).toEqual([message]);
  });

  test('of a component that runs no engine have no default cache path', () => {
    const service = { componentType: 'default', volumeMounts: [{ name: 'c', useAsCompilationCache: true }] };
    expect(view(graph({ X: service }), context('grove')).messages).toEqual([
      'volumeMount with useAsCompilationCache=true requires an explicit mountPoint for backend framework noop (no default available)',
    ]);
  });
});

describe('pod settings', () => {
  const podOf = (extraPodSpec: object, type = 'worker') =>
    view(graph({ X: { componentType: type, eppConfig: picker, extraPodSpec } }), context('grove', bare)).pod('x');
  test.each([
    ['no grace period of zero', { terminationGracePeriodSeconds: 0 }, { terminationGracePeriodSeconds: 60 }],
    ['a grace period', { terminationGracePeriodSeconds: 10 }, { terminationGracePeriodSeconds: 10 }],
    ['an empty security context', { securityContext: {} }, { securityContext: {} }],
    ['part of a security context', { securityContext: { runAsUser: 0 } }, { securityContext: { runAsUser: 0 } }],
    ['an account', { serviceAccountName: 'mine' }, { serviceAccountName: 'mine' }],
    ['no empty account', { serviceAccountName: '' }, { serviceAccountName: 'g-k8s-service-discovery' }],
    ['a restart policy', { restartPolicy: 'Never' }, { restartPolicy: 'Never' }],
  ])('keep %s', (_what, given, expected) => {
    for (const [key, value] of Object.entries(expected)) expect(podOf(given)).toHaveProperty(key, value);
  });

  test('of an endpoint picker lose its own volumes to the user’s', () => {
    expect(podOf({ volumes: [{ name: 'v', emptyDir: {} }] }, 'epp').volumes?.map(({ name }) => name)).toEqual([
      'v',
      'shared-memory',
    ]);
  });

  test('put user volumes first and the main container last, under the name the user gave it', () => {
    const pod = podOf({
      volumes: [{ name: 'v', emptyDir: {} }],
      containers: [{ name: 'z' }, { name: 'a' }],
      mainContainer: { name: 'engine' },
    });
    expect(pod.volumes?.map(({ name }) => name)).toEqual(['v', 'shared-memory']);
    expect(pod.containers.map(({ name }) => name)).toEqual(['z', 'a', 'engine']);
  });
});

describe('pull secrets', () => {
  const secret: Json = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', namespace: 'ns' },
    type: 'kubernetes.io/dockerconfigjson',
    stringData: { '.dockerconfigjson': '{"auths":{"a.io":{}}}' },
  };
  test.each([
    ['a.io/x:1', undefined, [{ name: 's' }]],
    ['a.io/x:1', 'True', [{ name: 's' }]],
    ['a.io/x:1', 'true', undefined],
    ['b.io/x:1', undefined, undefined],
    ['a.io:1', undefined, undefined],
    ['', undefined, undefined],
  ])('of image %j with discovery disabled: %j', (image, disabled, expected) => {
    const annotations: Record<string, string> =
      disabled === undefined ? {} : { 'nvidia.com/disable-image-pull-secret-discovery': disabled };
    const service = { componentType: 'worker', annotations, extraPodSpec: { mainContainer: { image } } };
    expect(view(graph({ W: service }), context('grove', bare, [secret])).pod('w').imagePullSecrets).toEqual(expected);
  });
});

describe('the account of a component on its own', () => {
  const own = (annotations: object, documents: readonly Json[] = []) =>
    view(component({ componentType: 'worker', dynamoNamespace: 'd', annotations }), context('none', bare, documents)).pod(
      'Deployment/c',
    ).serviceAccountName;
  const account = (name: string, labels: Json): Json => ({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name, labels },
  });
  const marked = { 'nvidia.com/dynamo-component-pod': 'true' };
  const etcd = { 'nvidia.com/dynamo-discovery-backend': 'etcd' };
  test('is the discovery account of no graph, whatever accounts there are', () => {
    expect(own({}, [account('z', marked)])).toBe('-k8s-service-discovery');
  });
  test('is the marked one first by name, or the default one, without kubernetes discovery', () => {
    expect(own(etcd, [account('z', marked), account('b', marked), account('a', {})])).toBe('b');
    expect(own(etcd)).toBe('default');
  });
});
