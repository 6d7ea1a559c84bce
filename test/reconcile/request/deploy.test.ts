import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/json/index.ts';
import { completeJob, createdIn, decided, eventsIn, request, statusIn, writesIn } from './snapshots.ts';

const generatedDeployment = {
  apiVersion: 'nvidia.com/v1alpha1',
  kind: 'DynamoGraphDeployment',
  metadata: { name: 'asked', namespace: 'ignored', labels: { team: 'a', x: 'generated' }, annotations: { note: 'generated' } },
  spec: { services: { f: { extraPodSpec: { containers: null, mainContainer: { name: '', resources: {} } } } } },
  status: {},
};
const tracking = {
  'dgdr.nvidia.com/name': 'ask',
  'dgdr.nvidia.com/namespace': 'demo',
  'nvidia.com/managed-by': 'dynamo-operator',
};
const deployed = { name: 'asked', namespace: 'demo', state: 'pending', created: true };

function deploying(spec: JsonObject = {}, status: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return request(
    { autoApply: true, ...spec },
    { state: 'Deploying', observedGeneration: 1, generatedDeployment, ...status },
    metadata,
  );
}

function graph(state: string, metadata: JsonObject = {}, conditions: readonly JsonObject[] = []): JsonObject {
  return {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeployment',
    metadata: { name: 'asked', namespace: 'demo', uid: 'g1', labels: tracking, ...metadata },
    status: { state, conditions },
  };
}

describe('creating the graph', () => {
  test('creates it with labels that lead back, and says so', () => {
    const decision = decided(deploying(), []);
    expect(writesIn(decision)).toEqual([
      ['create DynamoGraphDeployment demo/asked'],
      ['status DynamoGraphDeploymentRequest demo/ask'],
    ]);
    expect(createdIn(decision, 'DynamoGraphDeployment')).toEqual({
      apiVersion: 'nvidia.com/v1alpha1',
      kind: 'DynamoGraphDeployment',
      metadata: {
        name: 'asked',
        namespace: 'demo',
        labels: { team: 'a', x: 'generated', ...tracking },
        annotations: { note: 'generated' },
      },
      spec: { services: { f: { extraPodSpec: { mainContainer: { name: '', resources: {} } } } } },
    });
    expect(statusIn(decision)).toMatchObject({
      state: 'Deploying',
      deployment: deployed,
      conditions: [
        {
          type: 'DeploymentReady',
          status: 'False',
          reason: 'DeploymentCreated',
          message: 'DGD asked created, waiting for Ready',
        },
      ],
    });
    expect(statusIn(decision)?.['conditions']).not.toMatchObject([{ observedGeneration: 1 }]);
    expect(eventsIn(decision)).toEqual(['Normal DeploymentCreated: DynamoGraphDeployment asked created successfully']);
  });

  test('goes by the overrides, except for the labels that lead back', () => {
    const deploymentOverrides = {
      name: 'mine',
      namespace: 'prod',
      labels: { x: 'override', 'dgdr.nvidia.com/name': 'stolen' },
      annotations: { note: 'override', more: 'y' },
    };
    const decision = decided(deploying({ deploymentOverrides }), []);
    expect(createdIn(decision, 'DynamoGraphDeployment')['metadata']).toEqual({
      name: 'mine',
      namespace: 'prod',
      labels: { team: 'a', x: 'override', ...tracking },
      annotations: { note: 'override', more: 'y' },
    });
    expect(statusIn(decision)).toMatchObject({ deployment: { name: 'mine', namespace: 'prod' } });
  });

  test('takes a graph for its own that a crash kept it from noting', () => {
    const decision = decided(deploying(), [graph('pending')]);
    expect(writesIn(decision)).toEqual([['status DynamoGraphDeploymentRequest demo/ask']]);
    expect(statusIn(decision)).toMatchObject({ deployment: deployed });
    expect(decision.events).toEqual([]);
    // A graph that is ready does not change, so that nothing else would lead to the next pass.
    expect(decision.lookAgainSeconds).toBe(0);
  });

  test.each([
    [{}, ''],
    [{ 'dgdr.nvidia.com/name': 'other', 'dgdr.nvidia.com/namespace': 'demo' }, ' but for other'],
  ])('leaves a graph alone that is not its own, and says so once: %j', (labels, whose) => {
    const message = `DynamoGraphDeployment demo/asked exists already and was not made for this request${whose}: delete it, or make a request with another spec.deploymentOverrides.name`;
    const first = decided(deploying(), [graph('successful', { labels })]);
    expect(writesIn(first)).toEqual([['status DynamoGraphDeploymentRequest demo/ask']]);
    expect(statusIn(first)).toMatchObject({
      state: 'Deploying',
      conditions: [{ type: 'DeploymentReady', status: 'False', reason: 'DeploymentConflict', message }],
    });
    expect(statusIn(first)).not.toHaveProperty('deployment');
    expect(eventsIn(first)).toEqual([`Warning DeploymentCreationFailed: ${message}`]);
    expect(first.lookAgainSeconds).toBe(60);
    const again = decided(deploying({}, statusIn(first)), [graph('successful', { labels })]);
    expect(again).toEqual({ steps: [], events: [], lookAgainSeconds: 60 });
    expect(writesIn(decided(deploying({}, statusIn(first)), []))[0]).toEqual(['create DynamoGraphDeployment demo/asked']);
  });

  test('tells why the API server refuses it in the status and once in an event, and tries again', () => {
    const target = { apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoGraphDeployment', namespace: 'demo', name: 'asked' };
    const refused = { write: 0, verb: 'create', target, message: 'denied the request: bad', status: 403 } as const;
    const first = decided(deploying(), [], { refused });
    expect(writesIn(first)).toEqual([['status DynamoGraphDeploymentRequest demo/ask']]);
    expect(statusIn(first)).toMatchObject({
      state: 'Deploying',
      conditions: [
        { type: 'DeploymentReady', status: 'False', reason: 'DeploymentCreationFailed', message: 'denied the request: bad' },
      ],
    });
    expect(eventsIn(first)).toEqual(['Warning DeploymentCreationFailed: denied the request: bad']);
    expect(first.error).toBe('denied the request: bad');
    expect(decided(deploying({}, statusIn(first)), [], { refused })).toEqual({
      steps: [],
      events: [],
      error: 'denied the request: bad',
    });
  });

  test('tells no failure any longer once the graph is there, though the answer to its creation was lost', () => {
    const target = { apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoGraphDeployment', namespace: 'demo', name: 'asked' };
    const refused = { write: 0, verb: 'create', target, message: 'failed calling webhook', status: 500 } as const;
    const refusedOnce = deploying({}, statusIn(decided(deploying(), [], { refused })));
    const adopted = decided(refusedOnce, [graph('pending')]);
    expect(statusIn(adopted)).toMatchObject({
      deployment: deployed,
      conditions: [{ reason: 'DeploymentCreated', message: 'DGD asked created, waiting for Ready' }],
    });
    expect(decided(deploying({}, statusIn(adopted)), [graph('pending')])).toEqual({ steps: [], events: [] });
  });

  test('tells a message that a condition cannot hold once', () => {
    const target = { apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoGraphDeployment', namespace: 'demo', name: 'asked' };
    const refused = { write: 0, verb: 'create', target, message: 'x'.repeat(40_000), status: 403 } as const;
    const first = decided(deploying(), [], { refused });
    expect([first.steps.length, first.events.length]).toEqual([1, 1]);
    const second = decided(deploying({}, statusIn(first)), [], { refused });
    expect([second.steps.length, second.events.length]).toEqual([0, 0]);
  });

  test('is an error without a generated graph', () => {
    expect(decided(request({ autoApply: true }, { state: 'Deploying', observedGeneration: 1 }))).toEqual({
      steps: [],
      events: [],
      error: 'generatedDeployment is not set',
    });
  });

  test('is Ready where nothing is to be applied', () => {
    const decision = decided(deploying({ autoApply: false }));
    expect(statusIn(decision)).toMatchObject({ state: 'Ready' });
    expect(decision.events).toEqual([]);
  });
});

describe('following the graph', () => {
  const following = (state: string, graphState: string): JsonObject =>
    deploying({}, { state, deployment: { ...deployed, state: graphState } });

  test('mirrors its state and writes nothing where that is the same', () => {
    expect(statusIn(decided(following('Deploying', ''), [graph('pending')]))).toMatchObject({
      state: 'Deploying',
      deployment: deployed,
    });
    expect(decided(following('Deploying', 'pending'), [graph('pending')])).toEqual({ steps: [], events: [] });
    expect(decided(following('Ready', 'successful'), [graph('successful')])).toEqual({ steps: [], events: [] });
  });

  test('is Ready with it', () => {
    const decision = decided(following('Deploying', 'pending'), [graph('successful')]);
    const message = 'DynamoGraphDeployment asked is ready';
    expect(statusIn(decision)).toMatchObject({
      state: 'Ready',
      deployment: { state: 'successful' },
      conditions: [{ type: 'DeploymentReady', status: 'True', reason: 'DeploymentReady', message }],
    });
    expect(eventsIn(decision)).toEqual([`Normal DeploymentReady: ${message}`]);
  });

  test.each(['pending', 'failed'])('degrades with it to %s, and recovers', (state) => {
    const decision = decided(following('Ready', 'successful'), [graph(state)]);
    expect(statusIn(decision)).toMatchObject({
      state: 'Deploying',
      deployment: { state },
      conditions: [
        { type: 'DeploymentReady', status: 'False', reason: 'DeploymentDegraded', message: `Deployment degraded to ${state}` },
      ],
    });
    expect(eventsIn(decision)).toEqual([
      `Warning DeploymentDegraded: DynamoGraphDeployment asked degraded from Ready to ${state}`,
    ]);
    expect(statusIn(decided(deploying({}, statusIn(decision)), [graph('successful')]))).toMatchObject({ state: 'Ready' });
  });

  test('says why a graph failed', () => {
    const conditions = [{ type: 'Ready', status: 'False', reason: 'failed_to_reconcile', message: 'no such claim' }];
    expect(statusIn(decided(following('Deploying', 'pending'), [graph('failed', {}, conditions)]))).toMatchObject({
      state: 'Deploying',
      deployment: { state: 'failed' },
      conditions: [{ type: 'DeploymentReady', status: 'False', reason: 'failed_to_reconcile', message: 'no such claim' }],
    });
  });

  test('tells no failure of the graph any longer once that is over', () => {
    const conditions = [{ type: 'Ready', status: 'False', reason: 'failed_to_reconcile', message: 'no such claim' }];
    const failed = statusIn(decided(following('Deploying', 'pending'), [graph('failed', {}, conditions)]));
    const pending = statusIn(decided(deploying({}, failed), [graph('pending')]));
    expect(pending).toMatchObject({
      deployment: { state: 'pending' },
      conditions: [{ reason: 'DeploymentCreated', message: 'DGD asked created, waiting for Ready' }],
    });
    expect(decided(deploying({}, pending), [graph('pending')])).toEqual({ steps: [], events: [] });
  });

  test('tells that it degraded until it is ready again', () => {
    const degraded = statusIn(decided(following('Ready', 'successful'), [graph('pending')]));
    expect(decided(deploying({}, degraded), [graph('pending')])).toEqual({ steps: [], events: [] });
  });

  test.each(['Deploying', 'Ready'])('does not make it again where it was deleted in state %s', (state) => {
    const decision = decided(following(state, 'successful'), []);
    expect(statusIn(decision)).toMatchObject({
      state: 'DeploymentDeleted',
      deployment: { name: 'asked', namespace: 'demo', state: '', created: true },
      conditions: [
        {
          type: 'DeploymentReady',
          status: 'False',
          reason: 'DeploymentDeleted',
          message: 'Deployment was deleted by user. Create a new DGDR to redeploy.',
        },
      ],
    });
    expect(eventsIn(decision)).toEqual([
      'Warning DeploymentDeleted: DGD asked was deleted. DGDR will not recreate it. Delete this DGDR and create a new one to redeploy.',
    ]);
    expect(decided(deploying({}, statusIn(decision)), [graph('successful')])).toEqual({ steps: [], events: [] });
  });

  test('goes on following after an edit that was refused', () => {
    const annotations = {
      'dgdr.nvidia.com/accepted-spec': '{"autoApply":true,"useMocker":false}',
      'dgdr.nvidia.com/rejected-generation': '2',
    };
    const status = { state: 'Ready', deployment: { ...deployed, state: 'successful' } };
    const edited = deploying({ autoApply: false }, status, { generation: 2, annotations });
    expect(statusIn(decided(edited, [graph('pending')]))).toMatchObject({ state: 'Deploying', observedGeneration: 1 });
  });
});

describe('states that stay', () => {
  test.each(['Failed', 'DeploymentDeleted'])('does nothing in %s', (state) => {
    expect(decided(request({}, { state }), [completeJob])).toEqual({ steps: [], events: [] });
  });

  test('does nothing in Ready without a deployment, whatever the spec says', () => {
    expect(decided(request({ autoApply: true }, { state: 'Ready', observedGeneration: 1 }))).toEqual({ steps: [], events: [] });
  });

  test('fails in a state it does not know', () => {
    const decision = decided(request({}, { state: 'Dreaming' }));
    expect(statusIn(decision)).toEqual({ state: 'Failed' });
    expect(decision.events).toEqual([]);
    expect(statusIn(decided(request({}, { state: 'toString' })))).toEqual({ state: 'Failed' });
  });
});

describe('edits', () => {
  const edited = (state: string, annotations: JsonObject = {}): JsonObject =>
    request({ model: 'other' }, { state, observedGeneration: 1 }, { generation: 2, annotations });

  test.each(['Profiling', 'Deploying', 'Ready', 'DeploymentDeleted'])('are refused once in %s', (state) => {
    const decision = decided(edited(state));
    expect(eventsIn(decision)).toEqual([
      `Warning SpecChangeRejected: Cannot modify spec in state '${state}'. DynamoGraphDeploymentRequest is immutable once profiling starts. Create a new resource with a different name instead.`,
    ]);
    expect(writesIn(decision)).toEqual([['patch DynamoGraphDeploymentRequest demo/ask']]);
    const told = decided(edited(state, { 'dgdr.nvidia.com/rejected-generation': '2' }), [completeJob]);
    expect(told.events.map(({ reason }) => reason)).not.toContain('SpecChangeRejected');
  });

  test('are told again where there is another', () => {
    expect(decided(edited('Ready', { 'dgdr.nvidia.com/rejected-generation': '1' })).events).toHaveLength(1);
  });

  test('bring a failed request no second chance', () => {
    expect(decided(edited('Failed'))).toEqual({ steps: [], events: [] });
  });
});

describe('deletion', () => {
  const deletionTimestamp = '2026-11-16T12:00:00Z';
  const kept = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'planner-profile-data',
      namespace: 'demo',
      resourceVersion: '2',
      labels: tracking,
      ownerReferences: [{ uid: 'u1' }, { uid: 'other' }],
    },
  };

  test('lets a request go', () => {
    const decision = decided(request({}, { state: 'Profiling' }, { deletionTimestamp }));
    expect(decision).toMatchObject({ steps: [[{ patch: [{}, { op: 'remove', path: '/metadata/finalizers/0' }] }]], events: [] });
  });

  const annotations = {
    'dgdr.nvidia.com/additional-resources':
      'kind: ConfigMap\nmetadata:\n  name: planner-profile-data\n\n---\nkind: Secret\nmetadata:\n  name: x\n',
  };

  test('hands what the graph mounts over to the graph', () => {
    const metadata = { deletionTimestamp, annotations };
    const decision = decided(deploying({}, { deployment: deployed }, metadata), [graph('successful'), kept]);
    expect(writesIn(decision)).toEqual([
      ['patch ConfigMap demo/planner-profile-data'],
      ['patch DynamoGraphDeploymentRequest demo/ask'],
    ]);
    expect(decision.steps[0]).toMatchObject([
      {
        patch: [{}, { value: [{ uid: 'other' }, { kind: 'DynamoGraphDeployment', name: 'asked', uid: 'g1' }] }],
      },
    ]);
  });

  test('hands nothing over where no graph is there, not even one applied by hand', () => {
    const ready = request({}, { state: 'Ready', generatedDeployment }, { deletionTimestamp, annotations });
    expect(writesIn(decided(ready, [kept]))).toEqual([['patch DynamoGraphDeploymentRequest demo/ask']]);
    expect(writesIn(decided(ready, [graph('pending', { labels: {} }), kept]))).toHaveLength(2);
  });

  test('does nothing about a request that another finalizer holds', () => {
    expect(decided(request({}, {}, { deletionTimestamp, finalizers: ['other'] }))).toEqual({ steps: [], events: [] });
  });
});
