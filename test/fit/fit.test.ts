import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import { fitGangs, podRequests, totalsOf, viewNode, type Gang, type PodDemand } from '../../lib/fit/index.ts';

function pod(requests: Record<string, number>, spec: JsonObject = {}, labels: Record<string, string> = {}): PodDemand {
  return { component: 'Worker', name: 'worker', labels, spec, requests };
}

function gang(...pods: readonly PodDemand[]): Gang {
  return { component: 'Worker', name: 'worker', pods };
}

function node(name: string, allocatable: Record<string, string>, more: { labels?: JsonObject; spec?: JsonObject } = {}) {
  return viewNode({
    kind: 'Node',
    metadata: { name, labels: more.labels ?? {} },
    spec: more.spec ?? {},
    status: { allocatable },
  });
}

const gpu = 'nvidia.com/gpu';

describe('requests of a pod', () => {
  test('are those of its containers, limits where there is no request', () => {
    const spec = {
      containers: [
        { name: 'main', resources: { limits: { cpu: '2', [gpu]: '4' }, requests: { cpu: '500m' } } },
        { name: 'side', resources: { requests: { memory: '1Gi' } } },
      ],
    };
    expect(podRequests(spec)).toEqual({ cpu: 0.5, [gpu]: 4, memory: 2 ** 30 });
  });

  test('are those of the largest init container where that asks for more', () => {
    const spec = {
      containers: [{ resources: { requests: { cpu: '1' } } }],
      initContainers: [{ resources: { requests: { cpu: '4' } } }],
    };
    expect(podRequests(spec)).toEqual({ cpu: 4 });
  });
});

test('totals count pods, nodes and GPUs by component', () => {
  const two = gang(pod({ [gpu]: 4 }), pod({ [gpu]: 4 }));
  expect(totalsOf([two, two])).toEqual({
    components: [{ component: 'Worker', replicas: 2, nodes: 2, pods: 4, gpusPerPod: 4, gpus: 16 }],
    pods: 4,
    gpus: 16,
  });
});

describe('fitting on nodes', () => {
  test('places pods where there is room', () => {
    const nodes = [node('a', { [gpu]: '8' }), node('b', { [gpu]: '8' })];
    const found = fitGangs([gang(pod({ [gpu]: 8 })), gang(pod({ [gpu]: 4 })), gang(pod({ [gpu]: 4 }))], nodes);
    expect(found.fits).toBe(true);
    expect(found.placements.map((p) => p.node).sort()).toEqual(['a', 'b', 'b']);
  });

  test('says what is missing and on how many nodes', () => {
    const nodes = [node('a', { [gpu]: '8' }), node('b', { cpu: '4' })];
    const { fits, missing } = fitGangs([gang(pod({ [gpu]: 16 }))], nodes);
    expect(fits).toBe(false);
    expect(missing[0]).toMatchObject({ gpus: 16, obstacles: [{ reason: 'insufficient nvidia.com/gpu', nodes: 2 }] });
  });

  test('places a gang whole or not at all', () => {
    const four = pod({ [gpu]: 4 });
    const { fits, placements, missing } = fitGangs([gang(four, four, four)], [node('a', { [gpu]: '8' })]);
    expect({ fits, placements, pods: missing[0]?.pods }).toEqual({ fits: false, placements: [], pods: 3 });
  });

  test('leaves the room of a gang that did not fit to others', () => {
    const four = pod({ [gpu]: 4 });
    const { placements, missing } = fitGangs([gang(four, four, four), gang(four)], [node('a', { [gpu]: '8' })]);
    expect([placements.length, missing.length]).toEqual([1, 1]);
  });

  test.each([
    [
      'an untolerated taint',
      { spec: { taints: [{ key: gpu, effect: 'NoSchedule' }] } },
      {},
      'taint nvidia.com/gpu:NoSchedule is not tolerated',
    ],
    [
      'a cordoned node',
      { spec: { unschedulable: true } },
      {},
      'taint node.kubernetes.io/unschedulable:NoSchedule is not tolerated',
    ],
    [
      'a node selector',
      { labels: { zone: 'b' } },
      { nodeSelector: { zone: 'a' } },
      'label zone is b, the node selector requires a',
    ],
    [
      'required node affinity',
      { labels: { zone: 'b' } },
      {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }],
            },
          },
        },
      },
      'required node affinity does not match',
    ],
  ])('respects %s', (_what, more, spec, reason) => {
    const { missing } = fitGangs([gang(pod({ cpu: 1 }, spec))], [node('a', { cpu: '4' }, more)]);
    expect(missing[0]?.obstacles).toEqual([{ reason, nodes: 1 }]);
  });

  test.each([
    [{ operator: 'Exists' }],
    [{ key: gpu, operator: 'Exists', effect: 'NoSchedule' }],
    [{ key: gpu, value: 'present' }],
  ])('lets a toleration %j through', (toleration) => {
    const tainted = node('a', { cpu: '4' }, { spec: { taints: [{ key: gpu, value: 'present', effect: 'NoSchedule' }] } });
    expect(fitGangs([gang(pod({ cpu: 1 }, { tolerations: [toleration] }))], [tainted]).fits).toBe(true);
  });

  test('keeps pods apart that ask for it', () => {
    const apart = {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'x' } } },
          ],
        },
      },
    };
    const one = gang(pod({ cpu: 1 }, apart, { app: 'x' }));
    expect(fitGangs([one, one], [node('a', { cpu: '4' })]).missing[0]?.obstacles[0]?.reason).toBe('pod anti-affinity');
    expect(fitGangs([one, one], [node('a', { cpu: '4' }), node('b', { cpu: '4' })]).fits).toBe(true);
  });

  test('respects how many pods a node takes', () => {
    const many = Array.from({ length: 3 }, () => gang(pod({ pods: 1 })));
    expect(fitGangs(many, [node('a', { pods: '2' })]).missing).toHaveLength(1);
    expect(fitGangs(many, [node('a', {})]).fits).toBe(true);
  });
});
