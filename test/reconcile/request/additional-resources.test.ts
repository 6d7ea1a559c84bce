import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/json/index.ts';
import {
  completeJob,
  createdIn,
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
