import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/json/index.ts';
import { readOutput } from '../../../lib/reconcile/request/profiling-output.ts';
import {
  completeJob,
  decided,
  eventsIn,
  graphText,
  output,
  plannerText,
  profiling,
  request,
  statusIn,
  writesIn,
} from './snapshots.ts';

const running = request({}, profiling);

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

  const target = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'demo', name: 'planner-profile-data' };
  const cluster = [completeJob, output({ 'config_with_planner.yaml': `${plannerText}\n---\n${graphText}` })];
  const notCreated = (message: string): string =>
    `Failed to create ConfigMaps from profiling output: failed to create ConfigMap planner-profile-data: ${message}`;

  test.each([403, 422])('goes on without a ConfigMap that the API server does not take: %i', (status) => {
    const refused = { write: 1, verb: 'create', target, message: 'denied', status } as const;
    const decision = decided(running, cluster, { refused });
    expect(statusIn(decision)).toMatchObject({ state: 'Ready' });
    expect(eventsIn(decision)).toEqual([
      `Warning ConfigMapCreationFailed: ${notCreated('denied')}`,
      'Normal SpecGenerated: DynamoGraphDeployment spec generated successfully',
    ]);
  });

  test('waits while the API server fails to make a ConfigMap, says so in the status and once in an event', () => {
    const message = 'Internal error occurred: read tcp 10.0.0.1:40712->10.0.0.2:443: connection reset by peer';
    const refused = { write: 1, verb: 'create', target, message, status: 500 } as const;
    const first = decided(running, cluster, { refused });
    expect(writesIn(first)).toEqual([['status DynamoGraphDeploymentRequest demo/ask']]);
    expect(statusIn(first)).toMatchObject({
      state: 'Profiling',
      conditions: [
        { type: 'Profiling', status: 'True', reason: 'ProfilingCompleted' },
        { type: 'SpecGenerated', status: 'False', reason: 'ConfigMapCreationFailed', message: notCreated(message) },
      ],
    });
    expect(eventsIn(first)).toEqual([`Warning ConfigMapCreationFailed: ${notCreated(message)}`]);
    expect(first.error).toBe(notCreated(message));
    const waiting = request({}, statusIn(first));
    const later = { ...refused, message: message.replace('40712', '51000') };
    expect(decided(waiting, cluster, { refused: later })).toEqual({
      steps: [],
      events: [],
      error: notCreated(later.message),
    });
    const over = decided(waiting, cluster);
    expect(writesIn(over).flat()).toContain('create ConfigMap demo/planner-profile-data');
    expect(statusIn(over)).toMatchObject({ state: 'Ready', conditions: [{}, { type: 'SpecGenerated', status: 'True' }] });
  });

  test('says that it may not become an owner of the output', () => {
    const outputKey = { ...target, name: 'dgdr-output-ask' };
    const refused = { write: 0, verb: 'patch', target: outputKey, message: 'denied', status: 403 } as const;
    const decision = decided(running, cluster, { refused });
    expect(statusIn(decision)).toMatchObject({ state: 'Ready' });
    expect(eventsIn(decision)[0]).toBe(
      'Warning ConfigMapCreationFailed: Failed to set the owner of output ConfigMap dgdr-output-ask: denied',
    );
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
