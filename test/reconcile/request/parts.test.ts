/** The parts of deciding on a request, each by itself. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/json/index.ts';
import { readerOf } from '../../../lib/reconcile/reader.ts';
import {
  acceptedGeneration,
  acceptedSpec,
  acceptedSpecText,
  isEditRejected,
} from '../../../lib/reconcile/request/accepted-spec.ts';
import { additionalResourcesText, keptConfigMaps, ownersWith } from '../../../lib/reconcile/request/additional-resources.ts';
import { readOutput } from '../../../lib/reconcile/request/profiling-output.ts';
import { profilingProgress } from '../../../lib/reconcile/request/profiling-progress.ts';
import { isDefinitive } from '../../../lib/reconcile/request/refusal.ts';
import { gpuDiscoveryWarning } from '../../../lib/reconcile/request/validate-request.ts';
import { lookupKey, type Snapshot } from '../../../lib/reconcile/snapshot.ts';
import { config, job, request } from './snapshots.ts';

describe('an edit', () => {
  const edited = (state: string, observedGeneration: number | undefined, more: JsonObject = {}): JsonObject =>
    request(
      { autoApply: true, useMocker: true, deploymentOverrides: { name: 'new' } },
      { state, ...(observedGeneration === undefined ? {} : { observedGeneration }), ...more },
      { generation: 2 },
    );

  test.each([
    ['Profiling', true],
    ['Deploying', true],
    ['Ready', true],
    ['DeploymentDeleted', true],
    ['Pending', false],
    ['Failed', false],
    ['', false],
  ])('in state %j comes too late: %s', (state, late) => {
    expect(isEditRejected(edited(state, 1))).toBe(late);
    expect(acceptedGeneration(edited(state, 1))).toBe(late ? 1 : 2);
    expect(isEditRejected(edited(state, 2))).toBe(false);
    expect(isEditRejected(edited(state, undefined))).toBe(false);
    expect(isEditRejected(edited(state, 0))).toBe(false);
  });

  test('changes nothing of what was noted when the request was accepted', () => {
    const noted = { autoApply: false, useMocker: false, deploymentOverrides: { name: 'old' } };
    const annotations = { 'dgdr.nvidia.com/accepted-spec': JSON.stringify(noted) };
    const late = { ...edited('Ready', 1), metadata: { ...(request()['metadata'] as JsonObject), generation: 2, annotations } };
    expect(acceptedSpec(late)).toEqual({ autoApply: false, useMocker: false, overrides: { name: 'old' } });
  });

  test('of a request without a note deploys nothing that was not deployed', () => {
    const of = (state: string, more?: JsonObject) => acceptedSpec(edited(state, 1, more)).autoApply;
    expect(of('Ready')).toBe(false);
    expect(of('Profiling')).toBe(false);
    expect(of('Deploying')).toBe(true);
    expect(of('Ready', { deployment: { name: 'g' } })).toBe(true);
    expect(acceptedSpec(edited('Ready', 1))).toMatchObject({ useMocker: true, overrides: { name: 'new' } });
    for (const text of ['', 'not JSON', '[]', '"x"']) {
      const metadata = { generation: 2, annotations: { 'dgdr.nvidia.com/accepted-spec': text } };
      const odd = request({ autoApply: true }, { state: 'Ready', observedGeneration: 1 }, metadata);
      expect(acceptedSpec(odd).autoApply).toBe(false);
    }
  });

  test('in time counts', () => {
    expect(acceptedSpec(edited('Pending', 1))).toEqual({ autoApply: true, useMocker: true, overrides: { name: 'new' } });
  });

  test('is noted with what is still needed of it, and no more', () => {
    expect(acceptedSpecText(request())).toBe('{"autoApply":false,"useMocker":false}');
    const overrides = { name: 'n', namespace: 's', labels: { a: 'b' }, annotations: { c: 'd' }, workersImage: 'w' };
    expect(JSON.parse(acceptedSpecText(request({ autoApply: true, useMocker: true, deploymentOverrides: overrides })))).toEqual({
      autoApply: true,
      useMocker: true,
      deploymentOverrides: { name: 'n', namespace: 's', labels: { a: 'b' }, annotations: { c: 'd' } },
    });
  });
});

describe('what a profiler puts out', () => {
  const graph =
    'apiVersion: nvidia.com/v1alpha1\nkind: DynamoGraphDeployment\nmetadata: {name: g}\nspec: {services: {A: {replicas: 1}}}\n';
  const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n';

  test('is a graph, the last of several, and other objects in their order', () => {
    const found = readOutput(`${map}---\n${graph.replace('name: g', 'name: first')}---\nno: kind\n---\n${graph}`, 'k');
    expect(found).toMatchObject({
      graph: { apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoGraphDeployment', metadata: { name: 'g' }, status: {} },
      additional: [{ kind: 'ConfigMap' }],
    });
  });

  test('keeps the version that it names, and has one where it names none', () => {
    expect(readOutput(graph.replace('apiVersion: nvidia.com/v1alpha1\n', ''), 'k')).toMatchObject({
      graph: { apiVersion: 'nvidia.com/v1alpha1' },
    });
    expect(readOutput(graph.replace('v1alpha1', 'v1beta1'), 'k')).toMatchObject({ graph: { apiVersion: 'nvidia.com/v1beta1' } });
  });

  test.each([
    ['', 'no DynamoGraphDeployment found in YAML content'],
    [map, 'no DynamoGraphDeployment found in YAML content'],
    ['a: [', /^no DynamoGraphDeployment found in YAML content; a document cannot be read: line \d+: /],
    [
      graph.replace('replicas: 1', 'replicas: many'),
      'failed to convert to DynamoGraphDeployment: spec.services.A.replicas: must be an integer, got "many"',
    ],
    [graph.replace('name: g', 'name: 5'), 'failed to convert to DynamoGraphDeployment: metadata.name: must be a string, got 5'],
    [`${graph}---\n`.repeat(1001), '1001 documents are more than the 1000 that are read'],
  ])('is refused: %.40j', (text, message) => {
    const found = readOutput(text, 'final.yaml');
    expect(typeof found === 'string' ? found.replace('failed to extract DGD from final.yaml: ', '') : found).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
    expect(found).toMatch(/^failed to extract DGD from final\.yaml: /);
  });

  test('may be wrong in what is no matter of types: the graph says so itself', () => {
    expect(readOutput(graph.replace('replicas: 1', 'replicas: -1'), 'k')).toHaveProperty('graph');
    expect(readOutput(graph.replace('metadata: {name: g}\n', ''), 'k')).toMatchObject({ graph: { metadata: {} } });
  });

  test('is kept in an annotation, up to a size in bytes', () => {
    const object = (bytes: number): JsonObject => ({ a: 'é'.repeat(bytes) });
    const small = additionalResourcesText([
      { kind: 'ConfigMap', metadata: { name: 'm' } },
      { kind: 'Secret', metadata: { name: 's' } },
    ]);
    expect(small).toHaveProperty('text');
    const { text = '' } = 'text' in small ? small : {};
    expect(keptConfigMaps(text)).toEqual(['m']);
    expect(text).toContain('\n---\n');
    expect(additionalResourcesText([object(100_000)])).toHaveProperty('text');
    expect(additionalResourcesText([object(125_000)])).toEqual({
      problem:
        'additional resources YAML size (250004 bytes) exceeds maximum annotation size (250000 bytes); consider reducing the number of resources or storing them separately',
    });
    expect(keptConfigMaps('kind: ConfigMap\n---\nkind: ConfigMap\nmetadata: {name: ""}\n')).toEqual([]);
  });

  test('belongs to the request once, in its own namespace only', () => {
    const map = (metadata: JsonObject): JsonObject => ({ metadata: { namespace: 'demo', ...metadata } });
    const reference = { apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoGraphDeploymentRequest', name: 'ask', uid: 'u1' };
    expect(ownersWith(map({}), request())).toEqual([reference]);
    expect(ownersWith(map({ ownerReferences: [{ uid: 'x' }] }), request())).toEqual([{ uid: 'x' }, reference]);
    expect(ownersWith(map({ ownerReferences: [{ uid: 'u1' }] }), request())).toBeUndefined();
    expect(ownersWith(map({ namespace: 'other' }), request())).toBeUndefined();
  });
});

describe('how far a profiler has come', () => {
  const key = lookupKey({ question: 'get', apiVersion: 'batch/v1', kind: 'Job', namespace: 'demo', name: 'profile-ask' });
  const podsKey = lookupKey({
    question: 'list',
    apiVersion: 'v1',
    kind: 'Pod',
    namespace: 'demo',
    select: { labels: { 'job-name': 'profile-ask' } },
  });
  const pod = (phase: string, state: JsonObject, more: JsonObject = {}): JsonObject => ({
    metadata: { name: 'p', ...more },
    status: {
      phase,
      containerStatuses: [
        { name: 'sidecar', state: { terminated: { exitCode: 9 } } },
        { name: 'profiler', state },
      ],
    },
  });
  const progress = (live: JsonObject | null, ...pods: readonly JsonObject[]): unknown => {
    const found = profilingProgress(
      request(),
      readerOf({ objects: { [key]: live }, lists: { [podsKey]: pods } } as unknown as Snapshot),
    );
    return found.progress === 'failed' ? found.message : found.progress;
  };
  const ended = (type: string, status = 'True', message = 'why') => job([{ type, status, message }]);

  test('is what its Job says', () => {
    expect(progress(job())).toBe('running');
    expect(progress(ended('Complete'))).toBe('complete');
    expect(progress(ended('Complete', 'False'))).toBe('running');
    expect(progress(ended('Suspended'))).toBe('running');
    expect(progress(ended('Failed'))).toBe('profiling job failed: why');
    expect(progress(null)).toBe('Job.batch "profile-ask" not found');
    expect(progress(job([], { ownerReferences: [{ uid: 'other', controller: true }] }))).toBe(
      'Job.batch "profile-ask" not found',
    );
  });

  test('is told with how the profiler ended', () => {
    const end = { terminated: { exitCode: 3, reason: 'Error', message: 'boom' } };
    const start = 'profiling job failed: why. Details: Pod: p, Container: profiler, ';
    expect(progress(ended('Failed'), pod('Running', end), pod('Failed', end))).toBe(
      `${start}ExitCode: 3, Reason: Error, Message: boom`,
    );
    expect(progress(ended('Failed'), pod('Failed', { terminated: { reason: 'OOMKilled' } }))).toBe(
      `${start}ExitCode: 0, Reason: OOMKilled`,
    );
    expect(progress(ended('Failed'), pod('Failed', { waiting: { reason: 'ErrImagePull', message: 'no' } }))).toBe(
      `${start}Waiting - Reason: ErrImagePull, Message: no`,
    );
    expect(progress(ended('Failed'), pod('Failed', { running: {} }))).toBe('profiling job failed: why');
    expect(progress(ended('Failed'), pod('Running', end))).toBe('profiling job failed: why');
  });

  test('is over when the profiler crashed, although its sidecar waits', () => {
    const crash = { terminated: { exitCode: 3, reason: 'Error' } };
    expect(progress(job(), pod('Running', crash))).toBe(
      'profiling job failed: the profiler ended with exit code 3. Details: Pod: p, Container: profiler, ExitCode: 3, Reason: Error',
    );
    expect(progress(job(), pod('Running', { terminated: { exitCode: 0 } }))).toBe('running');
    expect(progress(job(), pod('Failed', crash))).toBe('running');
    expect(progress(job(), pod('Running', crash, { deletionTimestamp: '2026-01-01T00:00:00Z' }))).toBe('running');
    expect(progress(job(), pod('Running', { running: {} }))).toBe('running');
  });
});

test.each([
  [400, true],
  [404, true],
  [405, true],
  [410, true],
  [413, true],
  [422, true],
  [403, false],
  [409, false],
  [429, false],
  [500, false],
  [undefined, false],
])('an answer %s is the last word: %s', (status, last) => {
  const target = { apiVersion: 'batch/v1', kind: 'Job', namespace: 'demo', name: 'j' };
  expect(isDefinitive({ write: 0, verb: 'create', target, message: 'm', ...(status === undefined ? {} : { status }) })).toBe(
    last,
  );
});

test('GPU discovery is warned of where the profiler may not read nodes', () => {
  const warned = (enableGpuDiscovery: boolean, operatorNamespace: string | undefined, restrictedNamespace = ''): number =>
    gpuDiscoveryWarning({
      resource: request({ enableGpuDiscovery }),
      config: { ...config, restrictedNamespace },
      operatorNamespace,
    } as unknown as Snapshot).length;
  expect(warned(true, 'system')).toBe(1);
  expect(warned(false, 'system')).toBe(0);
  expect(warned(true, 'demo')).toBe(0);
  expect(warned(true, undefined)).toBe(0);
  expect(warned(true, 'system', 'demo')).toBe(0);
  expect(
    gpuDiscoveryWarning({
      resource: request({ enableGpuDiscovery: true }),
      config,
      operatorNamespace: 'system',
    } as unknown as Snapshot),
  ).toEqual([
    {
      type: 'Warning',
      reason: 'GPUDiscoveryNotPermitted',
      message:
        'spec.enableGpuDiscovery has no effect in namespace demo: the profiler may read nodes only in namespace system. Create the request there, or set hardware.min_num_gpus_per_engine, hardware.max_num_gpus_per_engine and hardware.num_gpus_per_node in spec.profilingConfig.config',
    },
  ]);
});
