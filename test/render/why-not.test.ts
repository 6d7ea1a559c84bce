/** Why something cannot be rendered: the field, a code, what is wrong and what to change, and the original's words. */
import { describe, expect, test } from 'vitest';
import type { ComponentSpec, Json } from '../../lib/api/index.ts';
import { formatPath } from '../../lib/json/index.ts';
import { renderLevels, type RenderContext, type RenderableResource } from '../../lib/render/index.ts';
import { overlayProbe } from '../../lib/render/pod/overlay-probe.ts';
import { restartTokens } from '../../lib/render/restart-tokens.ts';
import { component, context, graph } from './graphs.ts';

type Reason = readonly [path: string, code: string, message: string, chain?: string];

function why(resource: RenderableResource, around: RenderContext): readonly Reason[] {
  const { issues, warnings } = renderLevels(resource, around);
  return [
    ...issues.map(({ path, code, message, chain }): Reason => [formatPath(path), code, message, chain]),
    ...warnings.map(({ path, code, message }): Reason => [formatPath(path), code, message]),
  ];
}

const main = { image: 'registry.example.com/a:1', command: ['python3'], args: ['-m', 'x'] };
const worker: ComponentSpec = { componentType: 'worker', replicas: 1, extraPodSpec: { mainContainer: main } };
const queue = (name: string): Json => ({ apiVersion: 'scheduling.run.ai/v2', kind: 'Queue', metadata: { name } });
const components = 'failed to reconcile Dynamo components deployments: ';

describe('a graph', () => {
  const missing = (name: string): string =>
    `failed to determine kai-scheduler queue: kai-scheduler queue validation failed: queue '${name}' not found in cluster. Ensure the queue exists before using kai-scheduler`;
  test.each([
    ['the default queue is missing', {}, [queue('other')], ['metadata.name', 'missing_queue', missing('dynamo')]],
    [
      'the queue it names is missing',
      { 'nvidia.com/kai-scheduler-queue': 'mine' },
      [queue('other')],
      ['metadata.annotations.nvidia.com/kai-scheduler-queue', 'missing_queue', missing('mine')],
    ],
    [
      'no queue is known',
      {},
      [],
      [
        'metadata.name',
        'unknown_queue',
        'the kai-scheduler queue "dynamo" is not among the given documents: it must exist in the cluster',
      ],
    ],
  ])('with KAI says where %s', (_, annotations, documents, expected) => {
    const [reason] = why(graph({ W: worker }, { annotations }), context('kai', {}, documents));
    expect(reason?.slice(0, 3)).toEqual(expected);
    if (reason?.[3] !== undefined) expect(reason[3].endsWith(reason[2])).toBe(true);
  });

  test('that nothing can spread over nodes says which services ask for it', () => {
    const spread = { ...worker, multinode: { nodeCount: 2 } };
    const message =
      'no multinode orchestrator available: install Grove, or LeaderWorkerSet together with Volcano, or remove multinode';
    const chain = `${components}no multinode orchestrator available`;
    expect(why(graph({ B: spread, A: spread, One: worker }), context())).toEqual([
      ['spec.services.A.multinode', 'no_orchestrator', message, chain],
      ['spec.services.B.multinode', 'no_orchestrator', message, chain],
    ]);
  });

  test('whose endpoint picker has no configuration says what to set', () => {
    const message = 'EPP configuration is required: either eppConfig.configMapRef or eppConfig.config must be specified';
    expect(why(graph({ E: { componentType: 'epp', replicas: 1 } }), context('grove'))).toContainEqual([
      'spec.services.E.eppConfig',
      'required',
      message,
      `failed to reconcile EPP resources: failed to generate EPP ConfigMap: ${message}`,
    ]);
  });

  test('says which variable holds a configuration that is no JSON', () => {
    const envs = [{ name: 'A' }, { name: 'DYN_DEPLOYMENT_CONFIG', value: '{]' }];
    const message = 'failed to parse DYN_DEPLOYMENT_CONFIG: the value is not valid JSON';
    expect(why(graph({ W: { ...worker, envs } }), context())).toEqual([
      ['spec.services.W.envs[1].value', 'invalid_deployment_config', message, expect.stringMatching(message)],
    ]);
  });

  test('says which claims are not there, or may not be', () => {
    const pvcs = [
      { name: 'made', create: true, size: '1Gi', storageClass: 's', volumeAccessMode: 'ReadWriteOnce' },
      { name: 'c' },
    ];
    const around = context('grove');
    const absent = { ...around, cluster: { ...around.cluster, claim: () => 'absent' as const } };
    const message = 'PersistentVolumeClaim "c" not found';
    expect(why(graph({ W: worker }, { spec: { pvcs } }), context('grove'))).toEqual([
      [
        'spec.pvcs[1]',
        'unknown_claim',
        `${message} among the given documents: it must exist in the cluster, or set create: true`,
      ],
    ]);
    expect(why(graph({ W: worker }, { spec: { pvcs } }), absent)).toEqual([
      ['spec.pvcs[1]', 'missing_claim', message, `failed to reconcile top-level PVCs: ${message}`],
    ]);
  });
});

describe('a component', () => {
  const spread = (more: ComponentSpec): ComponentSpec => ({ ...worker, multinode: { nodeCount: 2 }, ...more });
  const gpu = { resources: { limits: { gpu: '1' } } };
  test.each([
    [
      'spread over nodes without a GPU limit',
      spread({}),
      'spec.resources.limits.gpu',
      'required',
      'GPU limit is not set for LWS worker pod; set resources.limits.gpu',
    ],
    [
      'spread over nodes without arguments',
      spread({ ...gpu, componentType: 'planner', extraPodSpec: { mainContainer: { image: 'i', command: ['x'] } } }),
      'spec.extraPodSpec.mainContainer',
      'invalid_main_container',
      'container Args cannot be empty for LWS pod; set mainContainer.args',
    ],
    [
      'with two engines in its command',
      { ...worker, extraPodSpec: { mainContainer: { ...main, args: ['python3 -m dynamo.vllm; python3 -m dynamo.sglang'] } } },
      'spec.extraPodSpec.mainContainer',
      'ambiguous_framework',
      'could not determine backend framework: multiple backend frameworks detected from command: [vllm sglang] in "python3 python3 -m dynamo.vllm; python3 -m dynamo.sglang"; set backendFramework',
    ],
    [
      'with another engine in its command than it says',
      { ...worker, backendFramework: 'trtllm', extraPodSpec: { mainContainer: { ...main, args: ['python3 -m dynamo.vllm'] } } },
      'spec.extraPodSpec.mainContainer',
      'framework_mismatch',
      'backend framework mismatch: detected "vllm" from command but explicitly configured as "trtllm"; change backendFramework or the command',
    ],
    [
      'with an amount that is none',
      { ...worker, resources: { requests: { memory: 'much' } } },
      'spec.resources.requests.memory',
      'invalid_quantity',
      expect.stringMatching(
        /^failed to get resources config: parse requests memory quantity: .*, got "much"; use an amount such as 2, 500m or 8Gi$/,
      ),
    ],
  ])('%s', (_, spec: object, path, code, message) => {
    const reasons = why(component({ dynamoNamespace: 'd', ...spec }), context('lws'));
    expect(reasons.map((reason) => reason.slice(0, 3))).toContainEqual([path, code, message]);
  });

  test('without a Dynamo namespace', () => {
    expect(why(component(worker), context())).toContainEqual([
      'spec.dynamoNamespace',
      'required',
      'expected DynamoComponentDeployment c to have a dynamoNamespace; set spec.dynamoNamespace',
      expect.stringMatching(/: expected DynamoComponentDeployment c to have a dynamoNamespace$/),
    ]);
  });
});

describe("a user's probe over the default one", () => {
  const base = { httpGet: { path: '/health', port: 'system' }, periodSeconds: 10, timeoutSeconds: 4 };
  test.each([
    ['has no say where there is none', base, undefined, base],
    ['is all there is where there is no default', undefined, { periodSeconds: 3 }, { periodSeconds: 3 }],
    ['changes a member', base, { periodSeconds: 3 }, { ...base, periodSeconds: 3 }],
    ['names another port', base, { httpGet: { port: 'http' } }, { ...base, httpGet: { path: '/health', port: 'http' } }],
    ['does not replace the port by a number', base, { httpGet: { port: 80 } }, base],
    ['does not replace the port by nothing', base, { httpGet: { port: '' } }, base],
    ['leaves two handlers where it has another one', base, { exec: { command: ['x'] } }, { ...base, exec: { command: ['x'] } }],
    [
      'is joined with gRPC of the default',
      { grpc: { port: 1, service: 's' } },
      { grpc: { port: 0, service: '' } },
      { grpc: { port: 1, service: 's' } },
    ],
    [
      'replaces gRPC of the default',
      { grpc: { port: 1, service: 's' } },
      { grpc: { port: 2, service: 't' } },
      { grpc: { port: 2, service: 't' } },
    ],
  ])('%s', (_, standard, user, expected) => {
    expect(overlayProbe(standard, user)).toEqual(expected);
  });
});

describe('the restart that a stored graph tells of', () => {
  const tokens = (spec: object, restart: object): object => {
    const stored = { ...graph({ A: {}, B: {} }, { spec }), status: { restart } };
    return Object.fromEntries(restartTokens(stored as ReturnType<typeof graph>, undefined));
  };
  const again = { restart: { id: 'r2', strategy: { type: 'Sequential' } } };
  test.each([
    ['completed, its request gone', {}, { observedID: 'r1', phase: 'Completed' }, { A: 'r1', B: 'r1' }],
    ['failed, its request gone', {}, { observedID: 'r1', phase: 'Failed' }, { A: 'r1', B: 'r1' }],
    ['in progress, its request gone', {}, { observedID: 'r1', phase: 'Restarting', inProgress: ['A'] }, {}],
    ['completed', again, { observedID: 'r2', phase: 'Completed' }, { A: 'r2', B: 'r2' }],
    ['at its second service', again, { observedID: 'r2', phase: 'Restarting', inProgress: ['B'] }, { A: 'r2', B: 'r2' }],
    ['of another request', again, { observedID: 'r1', phase: 'Restarting', inProgress: ['B'] }, { A: 'r2' }],
    ['not begun', again, { observedID: 'r2', phase: 'Pending', inProgress: [] }, { A: 'r2' }],
  ])('%s', (_, spec, restart, expected) => {
    expect(tokens(spec, restart)).toEqual(expected);
  });
});
