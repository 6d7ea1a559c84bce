import { describe, expect, test } from 'vitest';
import { context, graph } from './graphs.ts';
import { view, type View } from './rendered.ts';

const image = { mainContainer: { image: 'i' } };
const worker = { componentType: 'worker', replicas: 1, extraPodSpec: { mainContainer: { image: 'i', args: ['x'] } } };
const spec = (rendered: View, name: string): object => rendered.get(`DynamoComponentDeployment/${name}`).spec;

describe('the worked example of component resources', () => {
  const config = '{"Web":{"port":8080,"ServiceArgs":{"Workers":2,"Resources":{"CPU":"2"}}}}';
  const rendered = view(
    graph(
      {
        Web: { componentType: 'frontend', replicas: 3, labels: { x: 'y' }, envs: [{ name: 'A', value: '2' }] },
        Planner: { componentType: 'planner', replicas: 1 },
      },
      {
        annotations: { 'nvidia.com/enable-metrics': 'false', team: 'a' },
        spec: {
          backendFramework: 'vllm',
          envs: [
            { name: 'Z', value: '1' },
            { name: 'DYN_DEPLOYMENT_CONFIG', value: config },
          ],
        },
      },
    ),
    context(),
  );
  const labels = (service: string): object => ({
    'nvidia.com/dynamo-component': service,
    'nvidia.com/dynamo-graph-deployment-name': 'g',
    'nvidia.com/dynamo-namespace': 'ns-g',
  });

  test('loses user labels, keeps two graph annotations, rewrites the port and obeys the configuration', () => {
    expect(spec(rendered, 'g-web')).toEqual({
      backendFramework: 'vllm',
      serviceName: 'Web',
      componentType: 'frontend',
      dynamoNamespace: 'ns-g',
      labels: labels('Web'),
      annotations: { 'nvidia.com/enable-metrics': 'false' },
      replicas: 3,
      resources: { requests: { cpu: '2' }, limits: { cpu: '2' } },
      ingress: { host: 'g' },
      envs: [
        { name: 'A', value: '2' },
        {
          name: 'DYN_DEPLOYMENT_CONFIG',
          value: '{"Web":{"ServiceArgs":{"Resources":{"CPU":"2"},"Workers":2},"port":8000}}',
        },
        { name: 'Z', value: '1' },
      ],
    });
    expect(rendered.get('DynamoComponentDeployment/g-web').metadata.labels).toEqual(labels('Web'));
  });

  test('leaves the text alone where the component is not a frontend, and forces the account of a planner', () => {
    expect(spec(rendered, 'g-planner')).toEqual({
      backendFramework: 'vllm',
      serviceName: 'Planner',
      componentType: 'planner',
      dynamoNamespace: 'ns-g',
      labels: labels('Planner'),
      annotations: { 'nvidia.com/enable-metrics': 'false' },
      replicas: 1,
      extraPodSpec: { serviceAccountName: 'planner-serviceaccount' },
      envs: [
        { name: 'DYN_DEPLOYMENT_CONFIG', value: config },
        { name: 'Z', value: '1' },
      ],
    });
  });
});

describe('a component resource', () => {
  test.each([
    ['the Dynamo namespace of the service', { dynamoNamespace: 'mine' }, { dynamoNamespace: 'ns-g' }],
    ['the shared Dynamo namespace', { dynamoNamespace: 'x', globalDynamoNamespace: true }, { dynamoNamespace: 'dynamo' }],
    ['the name of the service', { serviceName: 'mine' }, { serviceName: 'W' }],
    ['an empty map of resources', { resources: { requests: { custom: {} } } }, { resources: { requests: {} } }],
    ['shared memory without a size', { sharedMemory: { disabled: true } }, { sharedMemory: { disabled: true, size: '0' } }],
    ['shared memory of an odd size', { sharedMemory: { size: '2.5Gi' } }, { sharedMemory: { size: '2560Mi' } }],
    ['shared memory given as a number', { sharedMemory: { size: 1073741824 } }, { sharedMemory: { size: '1073741824' } }],
    ['amounts as they were typed', { resources: { limits: { cpu: '4.0' } } }, { resources: { limits: { cpu: '4.0' } } }],
    ['a secret without a name', { envFromSecret: '' }, { envFromSecret: '' }],
    ['a disabled adapter as an empty one', { scalingAdapter: { enabled: false } }, { scalingAdapter: {} }],
    ['a disabled ingress without saying so', { ingress: { enabled: false, hostSuffix: '' } }, { ingress: { hostSuffix: '' } }],
  ])('has %s', (_what, given, expected) => {
    const rendered = view(graph({ W: { ...worker, ...given } }), context());
    expect(spec(rendered, 'g-w')).toMatchObject(expected);
    for (const [key, value] of Object.entries(expected)) expect(spec(rendered, 'g-w')).toHaveProperty(key, value);
  });

  test.each(['etcd', 'kubernetes', 'test', ''])('copies the discovery annotation %j from its graph', (backend) => {
    const service = { ...worker, annotations: { 'nvidia.com/dynamo-discovery-backend': 'mine', note: 'n' } };
    const rendered = view(graph({ W: service }, { annotations: { 'nvidia.com/dynamo-discovery-backend': backend } }), context());
    expect(spec(rendered, 'g-w')).toMatchObject({ annotations: { 'nvidia.com/dynamo-discovery-backend': backend, note: 'n' } });
  });

  test('keeps the order and the repetitions of its own variables where the graph has none', () => {
    const envs = ['Z', 'A', 'Z'].map((name, i) => ({ name, value: `${i}` }));
    expect(spec(view(graph({ W: { ...worker, envs } }), context()), 'g-w')).toMatchObject({ envs });
    const shared = view(graph({ W: { ...worker, envs } }, { spec: { envs: [{ name: 'M', value: 'g' }] } }), context());
    expect(spec(shared, 'g-w')).toMatchObject({
      envs: [
        { name: 'A', value: '1' },
        { name: 'M', value: 'g' },
        { name: 'Z', value: '2' },
      ],
    });
  });

  test('has the default ingress of the flags only for a frontend that has none', () => {
    const flags = { virtualServiceGateway: 'a/b', ingressClassName: 'nginx', ingressTlsSecret: 't', ingressHostSuffix: 's' };
    const services = {
      Web: { componentType: 'frontend', extraPodSpec: image },
      Own: { componentType: 'frontend', ingress: {}, extraPodSpec: image },
      W: worker,
    };
    const rendered = view(graph(services), context('none', flags));
    expect(spec(rendered, 'g-web')).toHaveProperty('ingress', {
      enabled: true,
      host: 'g',
      useVirtualService: true,
      virtualServiceGateway: 'a/b',
      ingressControllerClassName: 'nginx',
      tls: { secretName: 't' },
      hostSuffix: 's',
    });
    expect(spec(rendered, 'g-own')).toHaveProperty('ingress', {});
    expect(spec(rendered, 'g-w')).not.toHaveProperty('ingress');
  });

  test('has typed pod settings: canonical amounts, resources on every container, no empty members', () => {
    const rendered = view(
      graph({
        W: {
          ...worker,
          extraPodSpec: {
            hostNetwork: false,
            tolerations: [],
            nodeSelector: {},
            securityContext: {},
            terminationGracePeriodSeconds: 0,
            containers: [{ name: 's', tty: false, resources: { limits: { cpu: '1000m' } } }],
            volumes: [{ name: 'v', emptyDir: {} }],
            mainContainer: { image: 'i', workingDir: '', args: [], resources: { limits: { memory: '1024Mi', cpu: 8 } } },
          },
        },
      }),
      context(),
    );
    expect(spec(rendered, 'g-w')).toHaveProperty('extraPodSpec', {
      securityContext: {},
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 's', resources: { limits: { cpu: '1' } } }],
      volumes: [{ name: 'v', emptyDir: {} }],
      mainContainer: { name: '', image: 'i', resources: { limits: { memory: '1Gi', cpu: '8' } } },
    });
  });
});

test('defaults of the schema come back where a user wrote an empty text', () => {
  const iscsi = { targetPortal: 'p', iqn: 'q', lun: 0, iscsiInterface: '' };
  const rbd = { monitors: ['m'], image: 'i', pool: '', user: '', keyring: '' };
  const scaleIO = { gateway: 'g', system: 's', secretRef: { name: 'n' }, storageMode: '', fsType: '' };
  const volumes = Object.entries({ iscsi, rbd, scaleIO }).map(([kind, source]) => ({ name: kind.toLowerCase(), [kind]: source }));
  const mainContainer = { image: 'i', ports: [{ containerPort: 1, protocol: '' }] };
  const rendered = view(graph({ W: { ...worker, extraPodSpec: { volumes, mainContainer } } }), context());
  expect(spec(rendered, 'g-w')).toMatchObject({
    extraPodSpec: {
      volumes: [
        { iscsi: { iscsiInterface: 'default' } },
        { rbd: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' } },
        { scaleIO: { storageMode: 'ThinProvisioned', fsType: 'xfs' } },
      ],
      mainContainer: { ports: [{ containerPort: 1, protocol: 'TCP' }] },
    },
  });
});

test('a configuration that cannot be read stops every component', () => {
  const broken = (value: object): object => ({ envs: [{ name: 'DYN_DEPLOYMENT_CONFIG', ...value }] });
  const secret = { valueFrom: { secretKeyRef: { name: 's', key: 'k' } } };
  const chain = 'failed to reconcile Dynamo components deployments: failed to generate the DynamoComponentsDeployments: ';
  const web = view(graph({ W: worker, Web: { componentType: 'frontend', ...broken(secret) } }), context());
  expect(web.chains).toEqual([`${chain}failed to unmarshal DYN_DEPLOYMENT_CONFIG: unexpected end of JSON input`]);
  expect(web.names.filter((name) => /Dynamo|Deployment/.test(name))).toEqual([]);
  const other = view(graph({ W: { ...worker, ...broken({ value: '' }) } }), context());
  expect(other.chains).toEqual([`${chain}failed to parse DYN_DEPLOYMENT_CONFIG: unexpected end of JSON input`]);
  expect(view(graph({ W: { ...worker, ...broken({ value: '{' }) } }), context('grove')).messages).toEqual([]);
  const inMain = { image: 'i', env: [{ name: 'DYN_DEPLOYMENT_CONFIG', value: '{' }] };
  const unread = { componentType: 'frontend', extraPodSpec: { mainContainer: inMain } };
  expect(view(graph({ Web: unread }), context()).messages).toEqual([]);
});
