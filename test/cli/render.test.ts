import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { run, type Ran, type RunOptions } from './run.ts';

const graph = (services: string, more = ''): string => `apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata: {name: g}
spec:
${more}  services:
${services}`;
const frontend = '    Web: {componentType: frontend, replicas: 1, extraPodSpec: {mainContainer: {image: i:1}}}\n';
const worker = `    Worker:
      componentType: worker
      replicas: 2
      multinode: {nodeCount: 2}
      resources: {limits: {gpu: "8"}}
      extraPodSpec: {mainContainer: {image: i:1, command: [python3], args: [-m, dynamo.vllm, --tensor-parallel-size, "16"]}}
`;

interface KubernetesObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly annotations?: object;
    readonly ownerReferences?: readonly object[];
  };
  readonly spec?: { readonly template?: { readonly spec: object; readonly terminationDelay?: string } };
}

async function render(text: string, ...argv: readonly string[]): Promise<Ran> {
  return await run(['render', '-f', 'g.yaml', ...argv], { files: { 'g.yaml': text } });
}

async function objects(text: string, ...argv: readonly string[]): Promise<readonly KubernetesObject[]> {
  const { code, out } = await render(text, '-o', 'json', ...argv);
  expect(code).toBe(0);
  const list = JSON.parse(out) as {
    readonly apiVersion: string;
    readonly kind: string;
    readonly items: readonly KubernetesObject[];
  };
  expect([list.apiVersion, list.kind]).toEqual(['v1', 'List']);
  return list.items;
}

describe('what is printed', () => {
  test('all levels, as the operator would send them', async () => {
    const items = await objects(graph(frontend), '-n', 'models');
    expect(items.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([
      'ServiceAccount/planner-serviceaccount',
      'RoleBinding/planner-serviceaccount-binding',
      'ServiceAccount/g-k8s-service-discovery',
      'Role/g-k8s-service-discovery-role',
      'RoleBinding/g-k8s-service-discovery-binding',
      'Secret/mpi-run-ssh-secret',
      'DynamoComponentDeployment/g-web',
      'Deployment/g-web',
      'Service/g-web',
      'Service/g-web-p',
      'Service/g-web-d',
    ]);
    const deployment = items.find(({ kind }) => kind === 'Deployment');
    expect(deployment?.metadata).toMatchObject({
      namespace: 'models',
      annotations: {
        'nvidia.com/last-applied-generation': '1',
        'nvidia.com/last-applied-hash': expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      },
      ownerReferences: [
        { kind: 'DynamoComponentDeployment', name: 'g-web', uid: '', controller: true, blockOwnerDeletion: true },
      ],
    });
  });

  test('YAML documents by default', async () => {
    const { out } = await render(graph(frontend));
    expect(parseAllDocuments(out).map((document) => (document.toJS() as KubernetesObject).kind)).toContain('Deployment');
  });

  test('one level, and clean for reading', async () => {
    const clean = await objects(graph(frontend), '--level', 'workload', '--clean');
    expect(clean.map(({ kind }) => kind)).toEqual(['Deployment', 'Service', 'Service', 'Service']);
    expect(JSON.stringify(clean)).not.toMatch(/ownerReferences|last-applied|"resources":\{\}/);
    const around = await objects(graph(frontend), '--level', 'graph');
    expect(around.map(({ kind }) => kind)).not.toContain('Deployment');
  });

  test('names as kubectl writes them', async () => {
    const { out } = await render(graph(frontend), '-o', 'name', '--level', 'workload');
    expect(out).toBe('deployment.apps/g-web\nservice/g-web\nservice/g-web-p\nservice/g-web-d\n');
  });

  test('a tree with replicas, GPUs and nodes, with LeaderWorkerSets', async () => {
    const { out } = await render(graph(frontend + worker), '-o', 'tree', '--orchestrator', 'lws', '--level', 'all');
    expect(out).toMatchInlineSnapshot(`
      "DynamoGraphDeployment/g in default
      ├─ ServiceAccount/planner-serviceaccount
      ├─ RoleBinding/planner-serviceaccount-binding
      ├─ ServiceAccount/g-k8s-service-discovery
      ├─ Role/g-k8s-service-discovery-role
      ├─ RoleBinding/g-k8s-service-discovery-binding
      ├─ Secret/mpi-run-ssh-secret
      ├─ DynamoComponentDeployment/g-web  1 replica, 0 GPUs, 1 node
      │  ├─ Deployment/g-web
      │  ├─ Service/g-web
      │  ├─ Service/g-web-p
      │  └─ Service/g-web-d
      └─ DynamoComponentDeployment/g-worker  2 replicas of 2 nodes, 32 GPUs, 4 nodes
         ├─ PodGroup/g-worker-0
         ├─ LeaderWorkerSet/g-worker-0
         ├─ PodGroup/g-worker-1
         ├─ LeaderWorkerSet/g-worker-1
         ├─ Service/g-worker
         ├─ Service/g-worker-p
         └─ Service/g-worker-d
      total: 2 components, 3 replicas, 32 GPUs, up to 5 nodes
      "
    `);
  });

  test('a tree on Grove', async () => {
    const { out } = await render(graph(frontend + worker), '-o', 'tree', '--orchestrator', 'grove');
    expect(out).toContain(
      '├─ PodCliqueSet/g\n│  ├─ Web  1 replica, 0 GPUs, 1 node\n│  └─ Worker  2 replicas of 2 nodes, 32 GPUs, 4 nodes\n',
    );
    expect(out).toContain('total: 2 components, 3 replicas, 32 GPUs, up to 5 nodes\n');
  });

  test('each object once, whatever shares it', async () => {
    const second = graph(frontend).replace('name: g', 'name: h');
    const items = await objects(`${graph(frontend)}---\n${second}`);
    expect(items.filter(({ metadata }) => metadata.name === 'planner-serviceaccount')).toHaveLength(1);
    expect(items.filter(({ kind }) => kind === 'Deployment')).toHaveLength(2);
  });
});

describe('flags of the operator', () => {
  test('have the defaults of the chart', async () => {
    const text = JSON.stringify(await objects(graph(frontend)));
    expect(text).toContain('nats://dynamo-platform-nats.dynamo-system.svc.cluster.local:4222');
    expect(text).toContain('"name":"dynamo-platform-dynamo-operator-planner"');
    const [set] = (await objects(graph(frontend), '--orchestrator', 'grove')).filter(({ kind }) => kind === 'PodCliqueSet');
    expect(set?.spec?.template?.terminationDelay).toBe('4h0m0s');
  });

  test('can be given in any form', async () => {
    const argv = [
      '--natsAddr=nats://n:1',
      '--etcdAddr',
      'e:2',
      '--leader-elect',
      '--metrics-secure=false',
      '--zap-devel',
      '--restrictedNamespace=default',
    ];
    const items = await objects(graph(frontend), ...argv);
    expect(JSON.stringify(items)).toContain('"value":"nats://n:1"');
    expect(JSON.stringify(items)).toContain('"value":"e:2"');
    expect(items.map(({ metadata }) => metadata.name)).not.toContain('planner-serviceaccount');
  });

  test('can be derived from the values of the platform', async () => {
    const values =
      'dynamo-operator:\n  natsAddr: nats://mine:4222\n  dynamo:\n    ingress: {enabled: true, className: nginx}\n    ingressHostSuffix: example.com\n';
    const files = { 'g.yaml': graph(frontend), 'values.yaml': values };
    const { code, out, err } = await run(
      ['render', '-f', 'g.yaml', '-o', 'json', '--values', 'values.yaml', '--release', 'prod', '--platform-namespace', 'p'],
      { files },
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('nats://mine:4222');
    expect(out).toContain('g.example.com');
    expect(out).toContain('"prod-dynamo-operator-planner"');
  });

  test.each([
    ['discoveryBackend: zookeeper', 'values.yaml:1:19 dynamo-operator.discoveryBackend: must be one of kubernetes, etcd'],
    ['natsAddr: {a: 1}', 'values.yaml:1:19 dynamo-operator.natsAddr: must be a string'],
  ])('fail with values that platform rejects: %s', async (value, message) => {
    const files = { 'g.yaml': graph(frontend), 'values.yaml': `dynamo-operator: {${value}}\n` };
    const { code, out, err } = await run(['render', '-f', 'g.yaml', '--values', 'values.yaml'], { files });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(message);
  });

  test('fail with a namespace of the platform that cannot exist', async () => {
    const files = { 'g.yaml': graph(frontend), 'values.yaml': '{}\n' };
    const argv = ['render', '-f', 'g.yaml', '--values', 'values.yaml', '--platform-namespace', 'A_b'];
    const { code, err } = await run(argv, { files });
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining("option '--platform-namespace <name>' argument 'A_b' is invalid. must consist of"),
    });
  });

  test.each([
    ['--release', 'A b', 'must consist of lower case letters, digits, - and .'],
    ['--release', 'r'.repeat(54), 'must have at most 53 characters, got 54'],
    ['--platform-namespace', 'A_b', 'must consist of lower case letters, digits and -'],
  ])('fail with %s %s, which addresses of the platform would contain', async (flag, name, problem) => {
    const { code, out, err } = await render(graph(frontend), flag, name);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(`argument '${name}' is invalid. ${problem}`);
  });

  test('are those of all values files, of which the later ones override the earlier ones', async () => {
    const files = {
      'g.yaml': graph(frontend),
      'a.yaml': 'dynamo-operator: {natsAddr: "nats://a:1", etcdAddr: "a:1"}\n',
      'b.yaml': 'dynamo-operator: {etcdAddr: "b:1"}\n',
    };
    const { out } = await run(['render', '-f', 'g.yaml', '--values', 'a.yaml', '--values', 'b.yaml'], { files });
    expect(out).toContain('value: nats://a:1');
    expect(out).toContain('value: b:1');
  });

  test('of a release that lacks a field of the graph are an error at its line', async () => {
    const epp =
      '    Epp: {componentType: epp, eppConfig: {configMapRef: {name: c, key: k}}, extraPodSpec: {mainContainer: {image: e:1}}}\n';
    const render = async (values: string) => {
      const files = { 'g.yaml': graph(epp), 'values.yaml': values };
      return await run(['render', '-f', 'g.yaml', '--values', 'values.yaml'], { files });
    };
    const original = await render('{}\n');
    expect(original.code).toBe(1);
    expect(original.err).toContain(
      'spec.services.Epp.eppConfig: release 0.9.1 of the operator does not have the field eppConfig',
    );
    const own = await render('platform: {operator: {kind: dynamo-cdk8s, image: "registry.example.com/o:1"}}\n');
    expect({ code: own.code, err: own.err }).toEqual({ code: 0, err: expect.not.stringContaining('release 0.9.1') });
  });

  test.each([
    ['--discovery-backend=consul', 'must be kubernetes or etcd, got "consul"'],
    ['--grove-termination-delay=soon', 'must be a duration such as 30s, 15m or 1h30m, got "soon"'],
    ['--leader-elect=perhaps', 'must be true or false, got "perhaps"'],
  ])('reject %s', async (flag, message) => {
    const { code, out, err } = await render(graph(frontend), flag);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(message);
  });
});

describe('what is wrong', () => {
  test('is told all at once, at its line, and nothing is printed', async () => {
    const text = graph(
      '    A: {componentType: worker, replicas: 1, resources: {limits: {cpu: lots}}}\n    B: {componentType: worker, volumeMounts: [{name: v}]}\n',
    );
    const { code, out, err } = await render(text);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(
      'g.yaml:7:47 spec.services[B].volumeMounts[0].mountPoint is required when useAsCompilationCache is false\n',
    );
    const broken = await render(text.replace('volumeMounts: [{name: v}]', 'resources: {requests: {memory: more}}'));
    expect(broken.err).toContain(
      'g.yaml:6:66 spec.services.A.resources.limits.cpu: failed to get resources config: parse limits cpu quantity: ',
    );
    expect(broken.err).toContain(
      'spec.services.B.resources.requests.memory: failed to get resources config: parse requests memory quantity: ',
    );
    expect(broken.err).toMatch(/2 problems, nothing rendered\n$/);
  });

  test('is told of every document, by schema, admission and renderer', async () => {
    const bad = 'apiVersion: nvidia.com/v1alpha1\nkind: DynamoGraphDeployment\nmetadata: {name: bad}\nspec: {services: {}}\n';
    const worse =
      'apiVersion: nvidia.com/v1alpha1\nkind: DynamoGraphDeployment\nmetadata: {name: worse}\nspec: {services: {A: {replicas: -1}}}\n';
    const { code, err } = await render([bad, worse, graph(worker)].join('---\n'));
    expect(code).toBe(1);
    expect(err).toContain('g.yaml:4:8 spec.services must have at least one service');
    expect(err).toContain('spec.services.A.replicas: ');
    expect(err).toContain('spec.services.Worker.multinode: spans nodes, which needs an orchestrator');
    expect(err).toMatch(/3 problems, nothing rendered\n$/);
  });

  test('withholds only the resources it is about', async () => {
    const second = worker.replace('Worker:', 'Other:');
    const text = `${graph(worker + second)}---\n${graph(frontend).replace('name: g', 'name: h')}`;
    const { code, out, err } = await render(text, '-o', 'name', '--level', 'workload');
    expect({ code, out }).toEqual({ code: 1, out: 'deployment.apps/h-web\nservice/h-web\nservice/h-web-p\nservice/h-web-d\n' });
    expect(err.match(/--orchestrator/g)).toHaveLength(1);
    expect(err).toContain(
      'Other, Worker span nodes, which needs an orchestrator: set --orchestrator to that of the cluster (grove, grove+kai',
    );
    expect(err).toMatch(/1 problem, only 1 resource rendered\n$/);
    const none = await render(text, '--orchestrator', 'none');
    expect(none.err).toContain('no multinode orchestrator available: install Grove');
    expect((await render(text, '--orchestrator', 'lws')).code).toBe(0);
  });

  test('is told also of a resource that a later one replaces, and the last is rendered in its place', async () => {
    const quantity = frontend.replace('replicas: 1', 'replicas: 1, resources: {limits: {cpu: lots}}');
    const broken = await render(`${graph(quantity)}---\n${graph(frontend)}`, '-o', 'name');
    expect(broken).toMatchObject({ code: 1, out: expect.stringContaining('deployment.apps/g-web\n') as string });
    expect(broken.err).toContain('spec.services.Web.resources.limits.cpu: ');
    const first = graph(frontend).replace('image: i:1', 'image: first:1');
    const { code, out, err } = await render(
      [first, graph(frontend).replace('name: g', 'name: h'), graph(frontend)].join('---\n'),
    );
    expect(code).toBe(0);
    expect(out).not.toContain('first:1');
    expect(out.indexOf('name: h-web')).toBeLessThan(out.indexOf('name: g-web'));
    expect(err).toContain('DynamoGraphDeployment g is given more than once; this one is used\n');
    expect(err.match(/more than once/g)).toHaveLength(1);
  });

  test('is a key that is given twice', async () => {
    const { code, out, err } = await render(graph(frontend.replace('replicas: 1', 'replicas: 2, replicas: 1')));
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^g\.yaml:6:\d+ key "replicas" is given twice/);
  });

  test.each([
    ['nothing to render', 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n', 'nothing to render'],
    [
      'a model, which renders to no object',
      'apiVersion: nvidia.com/v1alpha1\nkind: DynamoModel\nmetadata: {name: m}\nspec: {modelName: m, baseModelName: m}\n',
      'nothing to render',
    ],
    ['a file that is not there', undefined, 'no such file or folder'],
    ['broken YAML', 'a: [', 'g.yaml:1'],
  ])('includes %s', async (_what, text, message) => {
    const surroundings: RunOptions = { files: text === undefined ? {} : { 'g.yaml': text } };
    const { code, out, err } = await run(['render', '-f', 'g.yaml'], surroundings);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(message);
    expect(err).not.toMatch(/\n\s+at /);
  });
});

describe('warnings', () => {
  test('name the child that will be refused, its field and the line that causes it', async () => {
    const { code, out, err } = await render(graph('    Web: {componentType: frontend, replicas: 1}\n'));
    expect(code).toBe(0);
    expect(out).toContain('kind: Deployment');
    expect(err).toContain('g.yaml:6:5 warning: spec.services.Web.extraPodSpec.mainContainer.image: ');
    expect(err).toContain('Deployment g-web: spec.template.spec.containers[0].image: Required value');
  });

  test('tell of quirks and missing claims', async () => {
    const text = graph(frontend.replace('replicas: 1', 'replicas: 1, labels: {a: b}'), '  pvcs: [{name: p}]\n');
    const { code, err } = await render(text);
    expect(code).toBe(0);
    expect(err).toContain('labels of a service are dropped without Grove');
    expect(err).toContain('PersistentVolumeClaim "p" not found among the given documents');
    expect((await render(text, '--strict')).code).toBe(1);
    expect((await render(graph(frontend), '--strict')).code).toBe(0);
  });

  test('are silenced by the objects the cluster has', async () => {
    const claim = 'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: p}\n';
    expect((await render(`${graph(frontend, '  pvcs: [{name: p}]\n')}---\n${claim}`)).err).toBe('');
  });
});

test('a graph read back from a cluster keeps the state of its restart', async () => {
  const live = graph(
    `${frontend}    Zeta: {componentType: frontend, replicas: 1, globalDynamoNamespace: true, extraPodSpec: {mainContainer: {image: i:1}}}\n`,
    '  restart: {id: r1}\n',
  )
    .replace('{name: g}', '{name: g, uid: u1}')
    .concat('status: {restart: {observedID: r1, phase: Completed}}\n');
  const token = (items: readonly KubernetesObject[]): readonly boolean[] =>
    items
      .filter(({ kind }) => kind === 'Deployment')
      .map((item) => JSON.stringify(item.spec).includes('"nvidia.com/restartAt":"r1"'));
  expect(token(await objects(live))).toEqual([true, true]);
  expect(token(await objects(live.replace(', uid: u1', '')))).toEqual([true, false]);
});

test('reads stdin and folders', async () => {
  const piped = await run(['render', '-f', '-', '-o', 'name'], { stdin: graph(frontend) });
  const folder = await run(['render', '-f', 'all', '-o', 'name'], { files: { 'all/a.yaml': graph(frontend) } });
  expect(folder.out).toBe(piped.out);
  expect(parse(piped.out.replaceAll('\n', ' '))).toContain('deployment.apps/g-web');
});
