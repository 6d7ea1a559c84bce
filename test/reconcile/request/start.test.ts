import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/json/index.ts';
import { config, createdIn, decided, eventsIn, job, output, request, role, statusIn, writesIn } from './snapshots.ts';

const condition = (type: string, status: string, reason: string, message: string): JsonObject => ({
  type,
  status,
  reason,
  message,
  observedGeneration: 1,
  lastTransitionTime: '2026-11-16T12:00:00Z',
});

describe('a new request', () => {
  test('gets its finalizer, a note of what was accepted and the state Pending', () => {
    const decision = decided(request({}, undefined, { finalizers: [] }));
    expect(writesIn(decision)).toEqual([
      ['patch DynamoGraphDeploymentRequest demo/ask'],
      ['status DynamoGraphDeploymentRequest demo/ask'],
    ]);
    expect(decision.steps[0]?.[0]).toMatchObject({
      patch: [
        { op: 'test', path: '/metadata/resourceVersion', value: '7' },
        { op: 'add', path: '/metadata/finalizers', value: ['nvidia.com/finalizer'] },
        { op: 'add', path: '/metadata/annotations', value: {} },
        {
          op: 'add',
          path: '/metadata/annotations/dgdr.nvidia.com~1accepted-spec',
          value: '{"autoApply":false,"useMocker":false}',
        },
      ],
    });
    expect(statusIn(decision)).toEqual({
      state: 'Pending',
      backend: 'vllm',
      observedGeneration: 1,
      conditions: [condition('Validation', 'True', 'ValidationPassed', 'DynamoGraphDeploymentRequest spec is valid')],
    });
    expect(eventsIn(decision)).toEqual(['Normal Initialized: DGDR initialized successfully']);
    // A change of the status wakes nobody.
    expect(decision.lookAgainSeconds).toBe(0);
  });

  test.each<[string, JsonObject, string]>([
    ['no image', { profilingConfig: { config: {} } }, 'spec.profilingConfig.profilerImage is required'],
    ['no config', { profilingConfig: { profilerImage: 'x' } }, 'spec.profilingConfig.config is required and must not be empty'],
    [
      'neither',
      { profilingConfig: {} },
      'spec.profilingConfig.profilerImage is required\nspec.profilingConfig.config is required and must not be empty',
    ],
    [
      'no ConfigMap',
      { profilingConfig: { profilerImage: 'x', config: {}, configMapRef: { name: 'start' } } },
      'ConfigMap start not found in namespace demo',
    ],
    [
      'no claim',
      { profilingConfig: { profilerImage: 'x', config: { deployment: { modelCache: { pvcName: 'cache' } } } } },
      'model cache PVC cache not found in namespace demo',
    ],
  ])('fails for good with %s', (_name, spec, message) => {
    const decision = decided(request(spec));
    expect(statusIn(decision)).toEqual({
      state: 'Failed',
      conditions: [condition('Validation', 'False', 'ValidationFailed', message)],
    });
    expect(eventsIn(decision)).toEqual([`Warning ValidationFailed: ${message}`]);
  });

  test('fails for good where the ConfigMap has no such key', () => {
    const profilingConfig = { profilerImage: 'x', config: {}, configMapRef: { name: 'start', key: 'agg.yaml' } };
    const start = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'start', namespace: 'demo' },
      data: { 'disagg.yaml': '' },
    };
    expect(statusIn(decided(request({ profilingConfig }), [start]))).toMatchObject({
      state: 'Failed',
      conditions: [{ message: 'key agg.yaml not found in ConfigMap start' }],
    });
    const byDefault = { ...profilingConfig, configMapRef: { name: 'start' } };
    expect(statusIn(decided(request({ profilingConfig: byDefault }), [start]))).toMatchObject({ state: 'Pending' });
  });

  test('fails for good where a restricted operator is asked to look at nodes', () => {
    const restricted = { config: { ...config, restrictedNamespace: 'demo' } };
    expect(statusIn(decided(request({ enableGpuDiscovery: true }), [role], restricted))).toMatchObject({
      state: 'Failed',
      conditions: [
        {
          message:
            'spec.enableGpuDiscovery can only be set to true for cluster-wide operators. Namespace-restricted operators cannot access cluster nodes for GPU discovery. Please set enableGpuDiscovery to false and provide hardware configuration (hardware.min_num_gpus_per_engine, hardware.max_num_gpus_per_engine, hardware.num_gpus_per_node) in spec.profilingConfig.config',
        },
      ],
    });
  });

  test('is warned that profilers cannot look at nodes outside the namespace of the release', () => {
    const asks = request({ enableGpuDiscovery: true });
    const outside = decided(asks, [role], { operatorNamespace: 'dynamo-system' });
    expect(eventsIn(outside)).toEqual([
      'Normal Initialized: DGDR initialized successfully',
      expect.stringMatching(/^Warning GPUDiscoveryNotPermitted: spec\.enableGpuDiscovery has no effect in namespace demo/),
    ]);
    expect(statusIn(outside)).toMatchObject({ state: 'Pending' });
    expect(eventsIn(decided(asks, [role], { operatorNamespace: 'demo' }))).toHaveLength(1);
  });
});

describe('starting the profiler', () => {
  const pending = (spec: JsonObject = {}, generation = 1): JsonObject =>
    request(
      spec,
      {
        state: 'Pending',
        backend: 'vllm',
        observedGeneration: 1,
        conditions: [condition('Validation', 'True', 'ValidationPassed', 'DynamoGraphDeploymentRequest spec is valid')],
      },
      { generation, annotations: { 'dgdr.nvidia.com/accepted-spec': '{"autoApply":false,"useMocker":false}' } },
    );

  test('makes account, binding and Job, then says that profiling runs', () => {
    const decision = decided(pending());
    expect(writesIn(decision)).toEqual([
      ['create ServiceAccount demo/dgdr-profiling-job'],
      ['create RoleBinding demo/dgdr-profiling-job-binding'],
      ['create Job demo/profile-ask'],
      ['status DynamoGraphDeploymentRequest demo/ask'],
    ]);
    expect(statusIn(decision)).toMatchObject({
      state: 'Profiling',
      observedGeneration: 1,
      conditions: [{ type: 'Validation' }, condition('Profiling', 'False', 'ProfilingRunning', 'Profiling is in progress')],
    });
    expect(eventsIn(decision)).toEqual([
      'Normal CreateJob: Creating a new Job demo/profile-ask',
      'Normal CreateJob: Created Job demo/profile-ask',
      'Normal ProfilingJobCreated: Profiling job created',
    ]);
    expect(createdIn(decision, 'Job')).toMatchObject({
      metadata: {
        ownerReferences: [{ uid: 'u1', controller: true, blockOwnerDeletion: true }],
        labels: { app: 'dynamo-profiler' },
      },
    });
  });

  test.each<[JsonObject, string]>([
    [{ sweep: { use_ai_configurator: true } }, 'aic-profiler'],
    [{ sweep: { useAiConfigurator: true } }, 'aic-profiler'],
    [{ sweep: {} }, 'dynamo-profiler'],
    [{}, 'dynamo-profiler'],
    [{ sweep: { useAiConfigurator: false, use_ai_configurator: true } }, 'dynamo-profiler'],
  ])('labels the Job of %j with app=%s', (given, app) => {
    const decision = decided(pending({ profilingConfig: { profilerImage: 'x', config: given } }));
    expect(createdIn(decision, 'Job')).toMatchObject({ metadata: { labels: { app } } });
    const text = app === 'aic-profiler' ? 'AIC profiling job created' : 'Profiling job created';
    expect(eventsIn(decision).at(-1)).toBe(`Normal ProfilingJobCreated: ${text}`);
  });

  test('leaves the account alone that is there, and puts the binding right', () => {
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'dgdr-profiling-job', namespace: 'demo' } };
    const binding = (roleName: string, subject: string): JsonObject => ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'dgdr-profiling-job-binding', namespace: 'demo', uid: 'rb', resourceVersion: '9' },
      subjects: [{ kind: 'ServiceAccount', name: subject, namespace: 'demo' }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: roleName },
    });
    const writes = (live: JsonObject): readonly (readonly string[])[] => writesIn(decided(pending(), [role, account, live]));
    const end = [['create Job demo/profile-ask'], ['status DynamoGraphDeploymentRequest demo/ask']];
    expect(writes(binding('profiling', 'dgdr-profiling-job'))).toEqual(end);
    expect(writes(binding('old', 'dgdr-profiling-job'))).toEqual([
      ['delete RoleBinding demo/dgdr-profiling-job-binding'],
      ['create RoleBinding demo/dgdr-profiling-job-binding'],
      ...end,
    ]);
    expect(writes(binding('profiling', 'somebody'))).toEqual([['patch RoleBinding demo/dgdr-profiling-job-binding'], ...end]);
    expect(decided(pending(), [role, account, binding('profiling', 'somebody')]).steps[0]?.[0]).toMatchObject({
      patch: [
        { op: 'test', path: '/metadata/resourceVersion', value: '9' },
        { op: 'add', path: '/subjects', value: [{ kind: 'ServiceAccount', name: 'dgdr-profiling-job', namespace: 'demo' }] },
      ],
    });
  });

  test('makes no account in restricted mode', () => {
    const decision = decided(pending(), [], { config: { ...config, restrictedNamespace: 'demo' } });
    expect(writesIn(decision)[0]).toEqual(['create Job demo/profile-ask']);
  });

  test('removes the output that an earlier request of this name left', () => {
    const decision = decided(pending(), [role, output({})]);
    expect(decision.steps[0]).toEqual([
      {
        verb: 'delete',
        uid: 'cm-1',
        target: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'demo', name: 'dgdr-output-ask' },
      },
    ]);
  });

  test('takes an edit that comes before the Job, and its generation with it', () => {
    const decision = decided(pending({ autoApply: true }, 2));
    expect(writesIn(decision)[0]).toEqual(['patch DynamoGraphDeploymentRequest demo/ask']);
    expect(statusIn(decision)).toMatchObject({ state: 'Profiling', observedGeneration: 2 });
  });

  test('takes up its own Job where a crash came between Job and status', () => {
    const made = createdIn(decided(pending()), 'Job');
    const live = job([], { annotations: (made['metadata'] as JsonObject)['annotations'] ?? {} });
    const decision = decided(pending(), [role, live, output({})]);
    expect(writesIn(decision).flat()).not.toContain('create Job demo/profile-ask');
    expect(writesIn(decision).flat()).not.toContain('delete ConfigMap demo/dgdr-output-ask');
    expect(statusIn(decision)).toMatchObject({ state: 'Profiling' });
    expect(eventsIn(decision)).toEqual(['Normal ProfilingJobCreated: Profiling job created']);
  });

  test('makes its own Job anew where the spec was edited in between', () => {
    const live = job([], { annotations: { 'nvidia.com/last-applied-hash': 'other' } });
    expect(decided(pending(), [role, live])).toMatchObject({
      steps: [[{ verb: 'delete', uid: 'job-1', target: { kind: 'Job' } }]],
      lookAgainSeconds: 5,
    });
  });

  test('waits for the Job of an earlier request of this name to be collected', () => {
    const owner = { kind: 'DynamoGraphDeploymentRequest', name: 'ask', uid: 'earlier', controller: true };
    const live = job([{ type: 'Complete', status: 'True' }], { ownerReferences: [owner] });
    expect(decided(pending(), [role, live])).toEqual({ steps: [], events: [], lookAgainSeconds: 5 });
  });

  test.each([
    ['was not made by this operator', []],
    ['belongs to CronJob "nightly"', [{ kind: 'CronJob', name: 'nightly', uid: 'c', controller: true }]],
  ])('fails for good where a Job of that name %s', (whose, ownerReferences) => {
    const decision = decided(pending(), [role, job([], { ownerReferences })]);
    const message = `Job "demo/profile-ask" already exists and ${whose}: delete it or give the request another name`;
    expect(statusIn(decision)).toMatchObject({
      state: 'Failed',
      conditions: [{}, { type: 'Profiling', status: 'False', reason: 'JobCreationFailed', message }],
    });
    expect(eventsIn(decision)).toEqual([`Warning ProfilingJobFailed: ${message}`]);
  });

  test.each<[string, JsonObject, readonly JsonObject[], string, string]>([
    [
      'the role is missing',
      {},
      [],
      'profiling',
      'failed to ensure profiling job RBAC: cluster role "profiling" does not exist: ensure it is created by Helm before deploying components',
    ],
    ['the operator was told no role', {}, [], '', 'failed to ensure profiling job RBAC: cluster role name is required'],
    [
      'the configuration cannot be merged',
      { profilingConfig: { profilerImage: 'x', config: { engine: 'vllm' } } },
      [role],
      'profiling',
      'profilingConfig.config.engine must be an object, got string',
    ],
  ])('fails for good where %s', (_name, spec, cluster, profilingClusterRole, message) => {
    const decision = decided(pending(spec), cluster, { config: { ...config, profilingClusterRole } });
    expect(statusIn(decision)).toMatchObject({ state: 'Failed', conditions: [{}, { reason: 'JobCreationFailed', message }] });
    expect(writesIn(decision)).toEqual([['status DynamoGraphDeploymentRequest demo/ask']]);
  });

  const target = { apiVersion: 'batch/v1', kind: 'Job', namespace: 'demo', name: 'profile-ask' };

  test('fails for good where the API server does not take the Job', () => {
    const refused = { write: 2, verb: 'create', target, message: 'Job.batch "profile-ask" is invalid', status: 422 } as const;
    const decision = decided(pending(), [role], { refused });
    expect(statusIn(decision)).toMatchObject({
      state: 'Failed',
      conditions: [{}, { reason: 'JobCreationFailed', message: 'Job.batch "profile-ask" is invalid' }],
    });
    expect(eventsIn(decision)).toEqual([
      'Warning CreateJob: Failed to create Job demo/profile-ask: Job.batch "profile-ask" is invalid',
      'Warning ProfilingJobFailed: Job.batch "profile-ask" is invalid',
    ]);
  });

  test('tries again where it may not make the Job now', () => {
    const refused = { write: 2, verb: 'create', target, message: 'exceeded quota', status: 403 } as const;
    expect(decided(pending(), [role], { refused })).toMatchObject({
      events: [{ type: 'Warning', reason: 'ProfilingJobFailed', message: 'exceeded quota' }],
      error: 'exceeded quota',
    });
  });

  test.each([403, 500])('says in the status and once in an event why there is no Job, until there is one: %i', (status) => {
    const message = 'Internal error occurred: failed calling webhook "w"';
    const refused = { write: 2, verb: 'create', target, message, status } as const;
    const first = decided(pending(), [role], { refused });
    expect(writesIn(first)).toEqual([['status DynamoGraphDeploymentRequest demo/ask']]);
    expect(statusIn(first)).toMatchObject({
      state: 'Pending',
      conditions: [{ type: 'Validation' }, condition('Profiling', 'False', 'JobCreationFailed', message)],
    });
    const waiting = { ...pending(), status: statusIn(first) ?? {} };
    expect(decided(waiting, [role], { refused })).toEqual({ steps: [], events: [], error: message });
    const other = { ...refused, message: 'exceeded quota' };
    expect(eventsIn(decided(waiting, [role], { refused: other }))).toEqual(['Warning ProfilingJobFailed: exceeded quota']);
    expect(statusIn(decided(waiting))).toMatchObject({
      state: 'Profiling',
      conditions: [{}, { reason: 'ProfilingRunning', message: 'Profiling is in progress' }],
    });
  });

  test.each([
    ['delete', 'v1', 'ConfigMap', 'failed to delete existing output ConfigMap: forbidden'],
    ['create', 'v1', 'ServiceAccount', 'failed to ensure profiling job RBAC: forbidden'],
    ['create', 'rbac.authorization.k8s.io/v1', 'RoleBinding', 'failed to ensure profiling job RBAC: forbidden'],
  ] as const)('says what it was about where it may not %s a %s %s', (verb, apiVersion, kind, error) => {
    const refused = { write: 1, verb, target: { ...target, apiVersion, kind }, message: 'forbidden', status: 403 };
    expect(decided(pending(), [role], { refused })).toMatchObject({ error, events: [{ message: error }] });
  });
});
