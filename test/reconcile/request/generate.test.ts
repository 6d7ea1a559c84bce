import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/json/index.ts';
import { readOutput } from '../../../lib/reconcile/request/profiling-output.ts';
import {
  completeJob,
  createdIn,
  decided,
  eventsIn,
  graphText,
  job,
  output,
  plannerText,
  pod,
  profiling,
  request,
  statusIn,
  writesIn,
} from './snapshots.ts';

const failedJob = job([{ type: 'Failed', status: 'True', message: 'BackoffLimitExceeded' }]);
const running = request({}, profiling);

describe('watching the profiler', () => {
  test('waits while the Job runs', () => {
    expect(decided(running, [job()])).toEqual({ steps: [], events: [] });
    expect(decided(running, [job([{ type: 'Complete', status: 'False' }]), pod('Running', { running: {} })])).toEqual({
      steps: [],
      events: [],
    });
  });

  test.each<[string, readonly JsonObject[], string]>([
    ['the Job is gone', [], 'Job.batch "profile-ask" not found'],
    ['the Job is that of another request', [job([], { ownerReferences: [] })], 'Job.batch "profile-ask" not found'],
    ['the Job failed', [failedJob], 'profiling job failed: BackoffLimitExceeded'],
    [
      'the Job failed and its pod tells why',
      [failedJob, pod('Running', { running: {} }), pod('Failed', { terminated: { exitCode: 1, reason: 'Error' } })],
      'profiling job failed: BackoffLimitExceeded. Details: Pod: profile-ask-x, Container: profiler, ExitCode: 1, Reason: Error',
    ],
    [
      'the pod has a message',
      [failedJob, pod('Failed', { terminated: { exitCode: 137, reason: 'OOMKilled', message: 'out of memory' } })],
      'profiling job failed: BackoffLimitExceeded. Details: Pod: profile-ask-x, Container: profiler, ExitCode: 137, Reason: OOMKilled, Message: out of memory',
    ],
    [
      'the profiler never started',
      [failedJob, pod('Failed', { waiting: { reason: 'ImagePullBackOff', message: 'no such image' } })],
      'profiling job failed: BackoffLimitExceeded. Details: Pod: profile-ask-x, Container: profiler, Waiting - Reason: ImagePullBackOff, Message: no such image',
    ],
    [
      'the profiler failed and its sidecar waits for ever',
      [job(), pod('Running', { terminated: { exitCode: 2, reason: 'Error' } })],
      'profiling job failed: the profiler ended with exit code 2. Details: Pod: profile-ask-x, Container: profiler, ExitCode: 2, Reason: Error',
    ],
  ])('fails for good where %s', (_name, cluster, message) => {
    const decision = decided(running, cluster);
    expect(statusIn(decision)).toMatchObject({
      state: 'Failed',
      conditions: [{ type: 'Profiling', status: 'False', reason: 'ProfilingFailed', message }],
    });
    expect(eventsIn(decision)).toEqual([`Warning ProfilingCheckFailed: ${message}`]);
  });

  test.each([
    ['the profiler ended well', pod('Running', { terminated: { exitCode: 0 } })],
    ['the pod failed, so that the Job tries again', pod('Failed', { terminated: { exitCode: 1 } })],
    [
      'the pod is on its way out',
      pod('Running', { terminated: { exitCode: 143 } }, { deletionTimestamp: '2026-11-16T12:00:00Z' }),
    ],
  ])('waits on where %s', (_name, found) => {
    expect(decided(running, [job(), found])).toEqual({ steps: [], events: [] });
  });

  test('goes by the first condition that holds', () => {
    const both = job([
      { type: 'Complete', status: 'True' },
      { type: 'Failed', status: 'True', message: 'x' },
    ]);
    expect(statusIn(decided(running, [both]))).toMatchObject({ conditions: [{ reason: 'ProfilingCompleted' }, {}] });
  });
});

describe('taking the graph out of the output', () => {
  const generated = {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeployment',
    metadata: { name: 'asked' },
    spec: {
      services: {
        Frontend: {
          componentType: 'frontend',
          replicas: 1,
          extraPodSpec: { containers: null, mainContainer: { image: 'runtime:1', name: '', resources: {} } },
        },
      },
    },
    status: {},
  };

  test('stores the typed graph and is Ready', () => {
    const decision = decided(running, [completeJob, output({ 'config_with_planner.yaml': graphText })]);
    expect(writesIn(decision)).toEqual([
      ['patch ConfigMap demo/dgdr-output-ask'],
      ['status DynamoGraphDeploymentRequest demo/ask'],
    ]);
    expect(decision.steps[0]).toMatchObject([
      {
        patch: [
          { op: 'test', value: '5' },
          { op: 'add', path: '/metadata/ownerReferences', value: [{ name: 'ask', uid: 'u1' }] },
        ],
      },
    ]);
    expect(statusIn(decision)).toMatchObject({
      state: 'Ready',
      observedGeneration: 1,
      generatedDeployment: generated,
      profilingResults: 'configmap/dgdr-output-ask',
      conditions: [
        { type: 'Profiling', status: 'True', reason: 'ProfilingCompleted', message: 'Profiling job completed successfully' },
        {
          type: 'SpecGenerated',
          status: 'True',
          reason: 'SpecGenerated',
          message: 'Generated spec is available in status.generatedDeployment',
        },
      ],
    });
    expect(eventsIn(decision)).toEqual(['Normal SpecGenerated: DynamoGraphDeployment spec generated successfully']);
  });

  test('goes on to Deploying where it is to be applied', () => {
    const decision = decided(request({ autoApply: true }, profiling), [
      completeJob,
      output({ 'config_with_planner.yaml': graphText }),
    ]);
    expect(statusIn(decision)).toMatchObject({
      state: 'Deploying',
      conditions: [{}, { message: 'DynamoGraphDeployment spec generated successfully' }],
    });
  });

  test('takes the mocker variant where that is asked for', () => {
    const mocked = request({ useMocker: true }, profiling);
    const key = 'mocker_config_with_planner.yaml';
    expect(statusIn(decided(mocked, [completeJob, output({ [key]: graphText })]))).toMatchObject({ state: 'Ready' });
    expect(statusIn(decided(mocked, [completeJob, output({ 'config_with_planner.yaml': graphText })]))).toMatchObject({
      state: 'Failed',
      conditions: [{}, { message: `key ${key} not found in ConfigMap dgdr-output-ask` }],
    });
  });

  test('fails for good without output, as recorded', () => {
    const message = 'output ConfigMap dgdr-output-ask not found - profiling may not have completed yet';
    const decision = decided(running, [completeJob]);
    expect(statusIn(decision)).toMatchObject({
      state: 'Failed',
      conditions: [
        { type: 'Profiling', status: 'True', reason: 'ProfilingCompleted' },
        { type: 'SpecGenerated', status: 'False', reason: 'GenerationFailed', message },
      ],
    });
    expect(eventsIn(decision)).toEqual([`Warning GenerationFailed: ${message}`]);
  });

  test('says that the API server does not take the graph, and ends there', () => {
    const target = { apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoGraphDeploymentRequest', namespace: 'demo', name: 'ask' };
    const refused = { write: 1, verb: 'status', target, message: 'status.generatedDeployment: invalid', status: 422 } as const;
    const decision = decided(running, [completeJob, output({ 'config_with_planner.yaml': graphText })], { refused });
    expect(statusIn(decision)).toMatchObject({
      state: 'Failed',
      conditions: [{}, { message: 'status.generatedDeployment: invalid' }],
    });
    expect(statusIn(decision)).not.toHaveProperty('generatedDeployment');
  });

  test('goes on by the accepted spec after an edit that was refused', () => {
    const annotations = {
      'dgdr.nvidia.com/accepted-spec': '{"autoApply":true,"useMocker":false}',
      'dgdr.nvidia.com/rejected-generation': '2',
    };
    const edited = request({ autoApply: false, useMocker: true }, profiling, { generation: 2, annotations });
    const decision = decided(edited, [completeJob, output({ 'config_with_planner.yaml': graphText })]);
    expect(statusIn(decision)).toMatchObject({
      state: 'Deploying',
      observedGeneration: 1,
      conditions: [{ observedGeneration: 1 }, { observedGeneration: 1 }],
    });
  });

  test('deploys nothing after a refused edit where no note says that it may', () => {
    const annotations = { 'dgdr.nvidia.com/rejected-generation': '2' };
    const edited = request({ autoApply: true }, profiling, { generation: 2, annotations });
    const decision = decided(edited, [completeJob, output({ 'config_with_planner.yaml': graphText })]);
    expect(statusIn(decision)).toMatchObject({ state: 'Ready' });
  });
});

describe('what comes besides the graph', () => {
  const both = output({ 'config_with_planner.yaml': `${plannerText}\n---\n${graphText}` });
  const labels = {
    'dgdr.nvidia.com/name': 'ask',
    'dgdr.nvidia.com/namespace': 'demo',
    'nvidia.com/managed-by': 'dynamo-operator',
  };
  const planner = (more: JsonObject, data: JsonObject = { a: 'b' }): JsonObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'planner-profile-data', namespace: 'demo', uid: 'p', resourceVersion: '2', ...more },
    data,
  });

  test('is noted on the request, and its ConfigMaps are made', () => {
    const decision = decided(running, [completeJob, both]);
    expect(writesIn(decision)).toEqual([
      ['patch DynamoGraphDeploymentRequest demo/ask'],
      ['patch ConfigMap demo/dgdr-output-ask', 'create ConfigMap demo/planner-profile-data'],
      ['status DynamoGraphDeploymentRequest demo/ask'],
    ]);
    expect(decision.steps[0]).toMatchObject([
      {
        patch: [
          {},
          {},
          {
            path: '/metadata/annotations/dgdr.nvidia.com~1additional-resources',
            value: 'apiVersion: v1\ndata:\n  a: b\nkind: ConfigMap\nmetadata:\n  name: planner-profile-data\n',
          },
        ],
      },
    ]);
    expect(createdIn(decision, 'ConfigMap')).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'planner-profile-data',
        namespace: 'demo',
        labels,
        ownerReferences: [{ apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoGraphDeploymentRequest', name: 'ask', uid: 'u1' }],
      },
      data: { a: 'b' },
    });
  });

  test('goes into the namespace of the graph, without an owner there', () => {
    const elsewhere = request({ deploymentOverrides: { namespace: 'prod' } }, profiling);
    const made = createdIn(decided(elsewhere, [completeJob, both]), 'ConfigMap');
    expect(made['metadata']).toEqual({ name: 'planner-profile-data', namespace: 'prod', labels });
  });

  test('is brought up to date where this request made it, and left alone where it is right', () => {
    const owned = { labels, ownerReferences: [{ uid: 'u1' }] };
    expect(writesIn(decided(running, [completeJob, both, planner(owned)])).flat()).not.toContain(
      'patch ConfigMap demo/planner-profile-data',
    );
    const decision = decided(running, [completeJob, both, planner({ labels }, { a: 'old' })]);
    expect(decision.steps[1]?.[1]).toMatchObject({
      verb: 'patch',
      target: { name: 'planner-profile-data' },
      patch: [
        { op: 'test', value: '2' },
        { op: 'add', path: '/data', value: { a: 'b' } },
        { op: 'add', path: '/metadata/ownerReferences', value: [{ uid: 'u1' }] },
      ],
    });
  });

  test.each([
    [{}, 'no request'],
    [{ 'dgdr.nvidia.com/name': 'other', 'dgdr.nvidia.com/namespace': 'demo' }, 'other'],
  ])('is left alone where it is not of this request, with a warning: %j', (foreign, owner) => {
    const decision = decided(running, [completeJob, both, planner({ labels: foreign }, { a: 'theirs' })]);
    expect(
      writesIn(decision)
        .flat()
        .filter((write) => write.includes('planner-profile-data')),
    ).toEqual([]);
    expect(eventsIn(decision)[0]).toContain(
      `Warning ConfigMapConflict: ConfigMap demo/planner-profile-data exists already, made for ${owner}`,
    );
    expect(statusIn(decision)).toMatchObject({ state: 'Ready' });
  });

  test('does not hold the graph up where it cannot be made', () => {
    const target = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'demo', name: 'planner-profile-data' };
    const refused = { write: 2, verb: 'create', target, message: 'quota exceeded', status: 403 } as const;
    const decision = decided(running, [completeJob, both], { refused });
    expect(eventsIn(decision)).toEqual([
      'Warning ConfigMapCreationFailed: Failed to create ConfigMaps from profiling output: failed to create ConfigMap planner-profile-data: quota exceeded',
      'Normal SpecGenerated: DynamoGraphDeployment spec generated successfully',
    ]);
    expect(statusIn(decision)).toMatchObject({ state: 'Ready' });
    expect(writesIn(decision).flat()).not.toContain('create ConfigMap demo/planner-profile-data');
  });

  test('fails where it is more than an annotation holds', () => {
    const huge = JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'big' },
      data: { a: 'x'.repeat(250_000) },
    });
    const decision = decided(running, [completeJob, output({ 'config_with_planner.yaml': `${huge}\n---\n${graphText}` })]);
    expect(statusIn(decision)).toMatchObject({
      state: 'Failed',
      conditions: [
        {},
        {
          message: expect.stringMatching(
            /^additional resources YAML size \(\d+ bytes\) exceeds maximum annotation size \(250000 bytes\); consider reducing/,
          ),
        },
      ],
    });
  });

  test('is made only where it is a ConfigMap', () => {
    const secret = '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"}}';
    const decision = decided(running, [completeJob, output({ 'config_with_planner.yaml': `${secret}\n---\n${graphText}` })]);
    expect(
      writesIn(decision)
        .flat()
        .filter((write) => write.startsWith('create')),
    ).toEqual([]);
  });
});

describe('hostile output', () => {
  const key = 'config_with_planner.yaml';
  const dgd = 'apiVersion: nvidia.com/v1alpha1\nkind: DynamoGraphDeployment\nmetadata:\n  name: asked\nspec:\n  services: {}\n';
  const cm = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`;

  test.each([
    ['ConfigMap, then graph', `${cm('a')}---\n${dgd}`, ['a']],
    ['graph, then ConfigMap', `${dgd}---\n${cm('a')}`, ['a']],
    ['a graph alone', dgd, []],
    ['a leading separator', `---\n${dgd}`, []],
    ['two ConfigMaps and a graph', `${cm('b')}---\n${cm('a')}---\n${dgd}`, ['b', 'a']],
    ['a document that cannot be read between', `${cm('a')}---\n{ : [\n---\n${dgd}`, ['a']],
    ['documents without a kind', `a: b\n---\n- 1\n---\ntext\n---\n${dgd}`, []],
  ])('finds the graph in %s', (_name, text, additional) => {
    const read = readOutput(text, key);
    if (typeof read === 'string') throw new Error(read);
    expect(read.graph).toMatchObject({ metadata: { name: 'asked' } });
    expect(read.additional.map(({ metadata }) => metadata)).toEqual(additional.map((name) => ({ name })));
  });

  test('takes the last of several graphs', () => {
    expect(readOutput(`${dgd}---\n${dgd.replace('asked', 'last')}`, key)).toMatchObject({
      graph: { metadata: { name: 'last' } },
    });
  });

  test.each([
    ['a ConfigMap alone', cm('a'), 'no DynamoGraphDeployment found in YAML content'],
    ['nothing', '', 'no DynamoGraphDeployment found in YAML content'],
    ['garbage', '{ : [', /no DynamoGraphDeployment found in YAML content; a document cannot be read: line 1: /],
    [
      'a bomb of aliases',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
        .split('')
        .map((l, i) => `${l}: &${l} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(',')}]`)
        .join('\n')}\n`,
      /no DynamoGraphDeployment found/,
    ],
    ['depth', '['.repeat(100_000), /no DynamoGraphDeployment found/],
    ['control characters', `kind: Dynamo\u0000GraphDeployment`, /no DynamoGraphDeployment found/],
    ['a list for services', dgd.replace('{}', '[]'), /failed to convert to DynamoGraphDeployment: spec\.services: /],
    [
      'a text for replicas',
      dgd.replace('{}', '{a: {replicas: two}}'),
      /failed to convert to DynamoGraphDeployment: spec\.services\.a\.replicas: /,
    ],
    ['a number for a name', dgd.replace('asked', '7'), /failed to convert to DynamoGraphDeployment: metadata\.name: /],
    ['no spec at all', dgd.replace('spec:\n  services: {}\n', 'spec: 3\n'), /failed to convert to DynamoGraphDeployment: spec: /],
    ['two thousand documents', `${cm('a')}---\n`.repeat(2000) + dgd, /2001 documents are more than the 1000/],
  ])('says what is wrong with %s', (_name, text, problem) => {
    const read = readOutput(text, key);
    expect(read).toMatch(problem);
    expect(read).toMatch(/^failed to extract DGD from config_with_planner\.yaml: /);
  });

  test('reads keys that would reach into prototypes as plain data', () => {
    const read = readOutput(`${cm('a')}data:\n  __proto__: {x: y}\n  constructor: z\n---\n${dgd}`, key);
    expect(({} as JsonObject)['x']).toBeUndefined();
    expect(read).toMatchObject({ additional: [{ data: { constructor: 'z' } }] });
  });

  test('drops fields that a graph does not have and gives a graph without an API group one', () => {
    const read = readOutput(
      'kind: DynamoGraphDeployment\nmetadata: {name: a, odd: b}\nextra: 1\nspec: {odd: 1, services: {f: {odd: 2}}}\n',
      key,
    );
    expect(read).toEqual({
      graph: {
        apiVersion: 'nvidia.com/v1alpha1',
        kind: 'DynamoGraphDeployment',
        metadata: { name: 'a' },
        spec: { services: { f: {} } },
        status: {},
      },
      additional: [],
    });
  });
});
