import { describe, expect, test } from 'vitest';
import type { Json } from '../../lib/api/index.ts';
import {
  chartConfig,
  clusterOfDocuments,
  flagDefaults,
  renderLevels,
  withFlags,
  type RenderResult,
  type RenderableResource,
} from '../../lib/render/index.ts';
import { registryHost } from '../../lib/render/pod/pull-secrets.ts';
import { operatorArguments } from '../../lib/platform/operator/arguments.ts';
import { parseArguments } from '../../lib/cli/operator-flags.ts';
import { component, context, graph, stored } from './graphs.ts';

const names = (result: Pick<RenderResult, 'objects'>): readonly string[] =>
  result.objects.map(({ object }) => `${object.kind}/${object.metadata.name}`);
const messages = (result: Pick<RenderResult, 'issues'>): readonly string[] => result.issues.map(({ message }) => message);
const render = (resource: RenderableResource, ...around: Parameters<typeof context>): ReturnType<typeof renderLevels> =>
  renderLevels(resource, context(...around));
const worker = { componentType: 'worker', replicas: 1, extraPodSpec: { mainContainer: { image: 'registry.example.com/a:1' } } };

describe('registry hosts', () => {
  test.each([
    ['docker.io', 'docker.io'],
    ['gitlab.example.com:5005/registry', 'gitlab.example.com:5005'],
    ['https://gitlab.example.com', 'gitlab.example.com'],
    ['https://user:pw@host/v1/', 'host'],
    ['registry.example.com/a/img:1', 'registry.example.com'],
    ['library/nginx', 'library'],
    ['', undefined],
    ['nginx:latest', undefined],
  ])('%j is on %j', (text, host) => {
    expect(registryHost(text)).toBe(host);
  });
});

describe('pull secrets', () => {
  const secret = (name: string, hosts: readonly string[], namespace = 'ns'): Json => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    type: 'kubernetes.io/dockerconfigjson',
    stringData: { '.dockerconfigjson': JSON.stringify({ auths: Object.fromEntries(hosts.map((host) => [host, {}])) }) },
  });
  const pullSecrets = (documents: readonly Json[]): readonly string[] =>
    clusterOfDocuments(documents, new Set(), 'ns').pullSecrets('ns', 'a.io');

  test('are found by host and namespace, by name', () => {
    expect(pullSecrets([secret('z', ['a.io/x']), secret('b', ['https://a.io', 'c.io']), secret('o', ['a.io'], 'other')])).toEqual(
      ['b', 'z'],
    );
  });

  test('are not found at all when one secret cannot be read', () => {
    expect(pullSecrets([secret('z', ['a.io']), secret('b', [''])])).toEqual([]);
  });

  test('follow those the user names, each once', () => {
    const pulls = { ...worker, extraPodSpec: { ...worker.extraPodSpec, imagePullSecrets: [{ name: 'own' }, { name: 'z' }] } };
    const documents = [secret('z', ['registry.example.com']), secret('b', ['registry.example.com'])];
    const [clique] = render(graph({ W: pulls }), 'grove', {}, documents).objects.filter(
      ({ object }) => object.kind === 'PodCliqueSet',
    );
    expect(JSON.stringify(clique?.object)).toContain('"imagePullSecrets":[{"name":"own"},{"name":"z"},{"name":"b"}]');
  });
});

describe('accounts', () => {
  test('are made unless they are there, and bindings to another role are made again', () => {
    const there = (roleName: string, kind = 'ClusterRole', apiGroup = 'rbac.authorization.k8s.io'): readonly Json[] => [
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'planner-serviceaccount', namespace: 'ns' } },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: { name: 'planner-serviceaccount-binding' },
        roleRef: { apiGroup, kind, name: roleName },
      },
    ];
    const planner = (documents: readonly Json[]): readonly string[] =>
      names(render(graph({ W: worker }), 'none', {}, documents)).filter((name) => name.includes('planner'));
    expect(planner([])).toEqual(['ServiceAccount/planner-serviceaccount', 'RoleBinding/planner-serviceaccount-binding']);
    expect(planner(there(chartConfig().plannerClusterRole))).toEqual([]);
    const role = chartConfig().plannerClusterRole;
    for (const other of [there('other'), there(role, 'Role'), there(role, 'ClusterRole', 'other.io')])
      expect(planner(other)).toEqual(['RoleBinding/planner-serviceaccount-binding']);
  });

  test('are left to the installation of a restricted operator', () => {
    expect(
      names(render(graph({ W: worker }), 'none', { restrictedNamespace: 'ns' })).filter((name) => name.includes('planner')),
    ).toEqual([]);
  });

  test('cannot be bound without a role', () => {
    const epp = { componentType: 'epp', replicas: 1, eppConfig: { configMapRef: { name: 'c', key: 'k' } } };
    expect(messages(render(graph({ E: epp }), 'none', { plannerClusterRole: '', eppClusterRole: '' }))).toEqual([
      'planner ClusterRole name is required in cluster-wide mode',
      'EPP ClusterRole name is required in cluster-wide mode when EPP service is present',
    ]);
    const absent = context();
    const cluster = { ...absent.cluster, clusterRole: () => 'absent' as const };
    expect(messages(renderLevels(graph({ W: worker }), { ...absent, cluster }))).toEqual([
      'cluster role "dynamo-platform-dynamo-operator-planner" does not exist: ensure it is created by Helm before deploying components',
    ]);
  });
});

test('an endpoint picker needs a configuration', () => {
  expect(messages(render(graph({ E: { componentType: 'epp', replicas: 1 } }), 'grove'))).toEqual([
    'EPP configuration is required: either eppConfig.configMapRef or eppConfig.config must be specified',
  ]);
});

test('claims that nobody knows of are a warning, claims known to be missing an error', () => {
  const pvcs = graph({ W: worker }, { spec: { pvcs: [{ name: 'p' }] } });
  expect(render(pvcs).warnings).toMatchObject([{ path: ['spec', 'pvcs', 0], code: 'unknown_claim' }]);
  expect(
    render(pvcs, 'none', {}, [{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'p' } }]).warnings,
  ).toEqual([]);
  const around = context();
  const cluster = { ...around.cluster, claim: () => 'absent' as const };
  expect(renderLevels(pvcs, { ...around, cluster }).issues).toMatchObject([
    { chain: 'failed to reconcile top-level PVCs: PersistentVolumeClaim "p" not found' },
  ]);
});

describe('a KAI queue', () => {
  const queue = (name: string): Json => ({ apiVersion: 'scheduling.run.ai/v2', kind: 'Queue', metadata: { name } });
  const wanted = graph({ W: worker }, { annotations: { 'nvidia.com/kai-scheduler-queue': ' mine ' } });

  test('that is not given is a warning, unless others are', () => {
    expect(render(wanted, 'kai').warnings).toMatchObject([{ code: 'unknown_queue' }]);
    expect(render(wanted, 'kai', {}, [queue('mine')])).toMatchObject({ warnings: [], issues: [] });
    expect(messages(render(wanted, 'kai', {}, [queue('other')]))).toEqual([
      "failed to determine kai-scheduler queue: kai-scheduler queue validation failed: queue 'mine' not found in cluster. Ensure the queue exists before using kai-scheduler",
    ]);
  });

  test('is not asked for where another scheduler is named', () => {
    const own = { ...worker, extraPodSpec: { ...worker.extraPodSpec, schedulerName: 'mine' } };
    expect(JSON.stringify(render(graph({ W: own }), 'kai').objects.map(({ object }) => object))).not.toContain('kai');
  });
});

test('a live scaling adapter decides the replicas of its service, and of no other', () => {
  const live = { adapterReplicas: { A: 5, B: 5 } };
  const both = graph({ A: { ...worker, scalingAdapter: { enabled: true } }, B: worker });
  const replicas = (orchestrator: 'none' | 'grove'): readonly (number | undefined)[] =>
    renderLevels(both, { ...context(orchestrator), live }).objects.flatMap(({ object }) =>
      [...JSON.stringify(object['spec'] ?? {}).matchAll(/"replicas":(\d)/g)].map(([, count]) => Number(count)),
    );
  expect(replicas('none')).toEqual([5, 5, 1, 5, 1]);
  expect(replicas('grove')).toEqual([5, 1, 5, 1]);
});

test('a service with the name of a property of every object has its own replicas', () => {
  const scaled = graph({ constructor: { ...worker, replicas: 3, scalingAdapter: { enabled: true } } });
  const { objects } = renderLevels(scaled, { ...context('none'), live: { adapterReplicas: {} } });
  const replicas = objects.flatMap(({ object }) => (object.kind === 'Deployment' ? [object['spec']] : []));
  expect(replicas).toMatchObject([{ replicas: 3 }]);
});

test('the MPI secret is copied with its data, but not onto itself', () => {
  const source = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'mpi-run-ssh-secret', namespace: 'dynamo-system' },
    type: 'Opaque',
    data: { 'private.key': 'eA==' },
  };
  const secret = (...around: Parameters<typeof context>): object | undefined =>
    render(graph({ W: worker }), ...around).objects.find(({ object }) => object.kind === 'Secret')?.object;
  expect(secret('none', {}, [source])).toEqual({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'mpi-run-ssh-secret', namespace: 'ns' },
    type: 'Opaque',
    data: source.data,
  });
  expect(secret('none', { mpiSecretNamespace: 'ns' })).toBeUndefined();
});

test('a component on its own runs as the account marked for pods, or as default', () => {
  const own = component({
    componentType: 'worker',
    dynamoNamespace: 'd',
    annotations: { 'nvidia.com/dynamo-discovery-backend': 'etcd' },
  });
  const account = (documents: readonly Json[]): string => JSON.stringify(render(own, 'none', {}, documents).objects[0]?.object);
  const marked = (name: string): Json => ({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name, labels: { 'nvidia.com/dynamo-component-pod': 'true' } },
  });
  expect(account([])).toContain('"serviceAccountName":"default"');
  expect(account([marked('b'), marked('a')])).toContain('"serviceAccountName":"a"');
});

test('every problem of every service is told at once', () => {
  const wrong = (limits: object): object => ({
    componentType: 'worker',
    replicas: 1,
    resources: { limits },
    volumeMounts: [{ name: 'v' }],
  });
  const broken = graph({ A: wrong({ cpu: 'lots', memory: 'more' }), B: wrong({ custom: { 'x/y': 'z' } }) });
  const told = [
    ['spec.services.A.volumeMounts[0].mountPoint', 'volumeMount.mountPoint is required when useAsCompilationCache is false'],
    ['spec.services.A.resources.limits.cpu', /^failed to get resources config: parse limits cpu quantity: quantities must match/],
    ['spec.services.A.resources.limits.memory', /parse limits memory quantity/],
    ['spec.services.B.volumeMounts[0].mountPoint', /required/],
    ['spec.services.B.resources.limits.custom.x/y', /parse limits x\/y quantity/],
  ] as const;
  for (const orchestrator of ['none', 'grove'] as const) {
    const { issues } = render(broken, orchestrator);
    expect(issues).toHaveLength(told.length);
    for (const [index, [path, message]] of told.entries()) {
      expect(
        issues[index]?.path
          .map(String)
          .join('.')
          .replace(/\.(\d)\./, '[$1].'),
      ).toBe(path);
      expect(issues[index]?.message).toMatch(message);
    }
  }
});

test('errors carry the chain the original reports', () => {
  const mismatch = { ...worker, extraPodSpec: { mainContainer: { image: 'i', args: ['python3 -m dynamo.sglang'] } } };
  const chains = (resource: RenderableResource, orchestrator: 'none' | 'grove' | 'lws'): readonly string[] =>
    render(resource, orchestrator).issues.map(({ chain }) => chain);
  const leaf = 'backend framework mismatch: detected "sglang" from command but explicitly configured as "vllm"';
  const vllm = graph({ W: mismatch }, { spec: { backendFramework: 'vllm' } });
  expect(chains(vllm, 'none')).toEqual([
    `failed to reconcile the resources: failed to create or update the deployment: create or update deployment: failed to generate base pod spec: failed to determine backend framework: ${leaf}`,
  ]);
  expect(chains(vllm, 'grove')).toEqual([
    `failed to reconcile Dynamo components deployments: failed to reconcile the Grove PodClique Set: failed to generate the Grove GangSet: failed to determine backend framework for service W: ${leaf}`,
  ]);
  const lws = graph({ W: { ...worker, multinode: { nodeCount: 2 } } });
  const set = 'failed to reconcile the resources: failed to sync the LeaderWorkerSet: generateLeaderWorkerSet: ';
  expect(chains(lws, 'lws')).toEqual([
    `${set}failed to generate leader pod template: generateLeaderPodTemplateSpec: failed to check main container: container Args cannot be empty for LWS pod`,
    `${set}failed to generate worker pod template: generateWorkerPodTemplateSpec: GPU limit is not set for LWS worker pod`,
  ]);
  expect(chains(graph({ W: { ...worker, multinode: { nodeCount: 2 }, replicas: 0 } }), 'lws')).toEqual([]);
});

describe('a deployment request', () => {
  const request = (profiling: object, more: object = {}): RenderableResource =>
    stored({
      apiVersion: 'nvidia.com/v1alpha1',
      kind: 'DynamoGraphDeploymentRequest',
      metadata: { name: 'r', namespace: 'ns' },
      spec: { model: 'm', backend: 'vllm', profilingConfig: { profilerImage: 'p', config: {}, ...profiling }, ...more },
    });
  const job = (resource: RenderableResource): string => JSON.stringify(render(resource).objects.at(-1)?.object);

  test('becomes an account, its binding and a Job', () => {
    expect(names(render(request({})))).toEqual([
      'ServiceAccount/dgdr-profiling-job',
      'RoleBinding/dgdr-profiling-job-binding',
      'Job/profile-r',
    ]);
    expect(names(render(request({}), 'none', { restrictedNamespace: 'ns' }))).toEqual(['Job/profile-r']);
  });

  test('fills in what the resource decides and keeps the rest', () => {
    const config = { deployment: { namespace: 'own', model: 'x' }, output_dir: '/o', sla: { ttft: 1.5 } };
    const args = /"--profile-config","([^"]*)"/.exec(
      job(request({ config, configMapRef: { name: 'c' } }, { deploymentOverrides: { workersImage: 'w' } })),
    )?.[1];
    expect(args?.replaceAll('\\n', '\n')).toBe(
      'deployment:\n  dgd_image: w\n  model: m\n  namespace: own\nengine:\n  backend: vllm\n  config: /config/disagg.yaml\noutput_dir: /o\nsla:\n  ttft: 1.5\n',
    );
  });

  test('is labelled for the configurator and mounts a model cache', () => {
    expect(job(request({ config: { sweep: { useAiConfigurator: true } } }))).toContain('"app":"aic-profiler"');
    expect(job(request({ config: { sweep: { useAiConfigurator: false, use_ai_configurator: true } } }))).toContain(
      '"app":"dynamo-profiler"',
    );
    expect(job(request({ config: { deployment: { modelCache: { pvcName: 'c', mountPath: '/m' } } }, outputPVC: 'o' }))).toContain(
      '"volumes":[{"name":"profiling-output","persistentVolumeClaim":{"claimName":"o"}},{"name":"model-cache","persistentVolumeClaim":{"claimName":"c","readOnly":true}}]',
    );
  });

  test.each([
    [{ deployment: 'x' }, 'profilingConfig.config.deployment must be an object, got string'],
    [{ engine: [1] }, 'profilingConfig.config.engine must be an object, got []interface {}'],
    [{ engine: 1 }, 'profilingConfig.config.engine must be an object, got float64'],
    [{ engine: true }, 'profilingConfig.config.engine must be an object, got bool'],
  ])('rejects %j', (config, message) => {
    expect(messages(render(request({ config })))).toEqual([message]);
  });

  test('rejects a key that its ConfigMap lacks and a role nobody named', () => {
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { other: '' } };
    expect(messages(render(request({ configMapRef: { name: 'c' } }), 'none', {}, [map]))).toEqual([
      'key disagg.yaml not found in ConfigMap c',
    ]);
    expect(messages(render(request({}), 'none', { profilingClusterRole: '' }))).toEqual(['cluster role name is required']);
  });
});

test('the defaults are what the chart passes to the operator', () => {
  const values = { platform: { operator: { kind: 'dynamo-cdk8s', image: 'registry.example.com/operator:1' } } };
  expect(withFlags(flagDefaults, parseArguments(operatorArguments(values)))).toEqual(chartConfig());
  expect(withFlags(flagDefaults, parseArguments(operatorArguments(values, { release: 'r', namespace: 'n' })))).toEqual(
    chartConfig('r', 'n'),
  );
  expect(withFlags(flagDefaults, parseArguments(operatorArguments({}, { profile: 'parity' })))).toEqual(chartConfig());
});
