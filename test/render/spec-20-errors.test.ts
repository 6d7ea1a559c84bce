import { describe, expect, test } from 'vitest';
import { isObject, type Json } from '../../lib/api/index.ts';
import { renderLevels } from '../../lib/render/index.ts';
import { context, graph, stored } from './graphs.ts';
import { ownRecordings, readRecordings, renderRecording, type Recording } from './recordings.ts';
import { view } from './rendered.ts';

/** The messages of conditions that are false at the end of a recording. */
function failures(recording: Recording): readonly string[] {
  const { final } = recording as Recording & { readonly final?: readonly Json[] };
  return (final ?? []).flatMap((object) => {
    const status = isObject(object) ? object['status'] : undefined;
    const conditions = isObject(status) ? status['conditions'] : undefined;
    return Array.isArray(conditions) ? conditions.flatMap((condition: Json) => falseMessage(condition)) : [];
  });
}

function falseMessage(condition: Json): readonly string[] {
  if (!isObject(condition) || condition['status'] !== 'False' || typeof condition['message'] !== 'string') return [];
  return [condition['message'].replace(/^Failed to reconcile DynamoComponentDeployment: /, '')];
}

describe('the chain of a render error is what the original wrote into the condition', () => {
  const failing = readRecordings(ownRecordings).filter(([, { error }]) => error !== undefined);
  test.each(failing)('%s', (_name, recording) => {
    const recorded = failures(recording);
    expect(recorded.length).toBeGreaterThan(0);
    expect(renderRecording(recording).issues.map(({ chain }) => chain)).toContainEqual(
      expect.toSatisfy((chain: string) => recorded.includes(chain)),
    );
  });
});

describe('roles of the chart that are not there', () => {
  const services = { W: {}, E: { componentType: 'epp', eppConfig: { configMapRef: { name: 'c', key: 'k' } } } };
  const request = {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeploymentRequest',
    metadata: { name: 'r', namespace: 'ns' },
    spec: { model: 'm', backend: 'vllm', profilingConfig: { profilerImage: 'i', config: {} } },
  };
  const without = { ...context().cluster, clusterRole: () => 'absent' as const };
  const absent = (name: string): string =>
    `cluster role "dynamo-platform-dynamo-operator-${name}" does not exist: ensure it is created by Helm before deploying components`;

  test('fail the graph and the request, each in its own words', () => {
    const named = { ...context(), cluster: without };
    expect(view(graph(services), named).chains).toEqual([
      `failed to ensure planner RBAC: ${absent('planner')}`,
      `failed to ensure EPP RBAC: ${absent('epp')}`,
    ]);
    expect(renderLevels(stored(request), named).issues.map(({ chain }) => chain)).toEqual([
      `failed to ensure profiling job RBAC: ${absent('dgdr-profiling')}`,
    ]);
  });

  test('fail also where the operator was never told their names', () => {
    const unnamed = context('none', { plannerClusterRole: '', eppClusterRole: '', profilingClusterRole: '' });
    expect(view(graph(services), unnamed).chains).toEqual([
      'planner ClusterRole name is required in cluster-wide mode',
      'EPP ClusterRole name is required in cluster-wide mode when EPP service is present',
    ]);
    expect(renderLevels(stored(request), unnamed).issues.map(({ chain }) => chain)).toEqual([
      'failed to ensure profiling job RBAC: cluster role name is required',
    ]);
  });
});

test('a KAI queue that is not there stops the PodCliqueSet', () => {
  const queue = { apiVersion: 'scheduling.run.ai/v2', kind: 'Queue', metadata: { name: 'other' } };
  const rendered = view(graph({ W: {} }), context('kai', {}, [queue]));
  expect(rendered.chains).toEqual([
    "failed to reconcile Dynamo components deployments: failed to reconcile the Grove PodClique Set: failed to generate the Grove GangSet: failed to determine kai-scheduler queue: kai-scheduler queue validation failed: queue 'dynamo' not found in cluster. Ensure the queue exists before using kai-scheduler",
  ]);
  expect(rendered.names.filter((name) => /PodCliqueSet|^Service\//.test(name))).toEqual([]);
});
