import { describe, expect, test } from 'vitest';
import { fitGangs, hypotheticalNodes, viewNode, type NodeView, type PodDemand } from '../../lib/fit/index.ts';
import type { Json, JsonObject } from '../../lib/json/index.ts';

const hostname = 'kubernetes.io/hostname';
const required = 'requiredDuringSchedulingIgnoredDuringExecution';

function demand(spec: JsonObject, labels: Readonly<Record<string, string>> = {}): PodDemand {
  return { component: 'Worker', name: 'w', labels, spec, requests: { cpu: 1 } };
}

function node(name: string, { labels = {}, ...spec }: JsonObject & { readonly labels?: JsonObject } = {}): NodeView {
  return viewNode({ kind: 'Node', metadata: { name, labels }, spec, status: { allocatable: { cpu: '8' } } });
}

/** What keeps pods, each for itself and one after the other, off nodes. */
function reasons(pods: readonly PodDemand[], ...nodes: readonly NodeView[]): readonly string[] {
  const gangs = pods.map((pod) => ({ component: 'Worker', name: 'w', pods: [pod] }));
  return fitGangs(gangs, nodes).missing.flatMap(({ obstacles }) => obstacles.map(({ reason }) => reason));
}

describe('a node as read', () => {
  test('has its name, labels, taints and what it offers', () => {
    const read = viewNode({
      metadata: { name: 'n', labels: { zone: 'a' } },
      spec: {
        taints: [
          { key: 'k', value: 'v', effect: 'NoExecute' },
          { key: 'l', effect: 'NoSchedule' },
        ],
      },
      status: { allocatable: { cpu: '3500m', memory: '1Ki', 'nvidia.com/gpu': '8', pods: '110' }, capacity: { cpu: '4' } },
    });
    expect(read).toEqual({
      name: 'n',
      labels: { zone: 'a' },
      taints: [
        { key: 'k', value: 'v', effect: 'NoExecute' },
        { key: 'l', value: '', effect: 'NoSchedule' },
      ],
      allocatable: { cpu: 3.5, memory: 1024, 'nvidia.com/gpu': 8, pods: 110 },
    });
  });

  test('offers its capacity where nothing says what is allocatable, and nothing of an amount that is none', () => {
    expect(viewNode({ metadata: { name: 'n' }, status: { capacity: { cpu: '4', memory: 'much' } } }).allocatable).toEqual({
      cpu: 4,
      memory: 0,
      pods: Number.MAX_SAFE_INTEGER,
    });
  });

  test('has the taint of a cordoned node once', () => {
    const taint = { key: 'node.kubernetes.io/unschedulable', value: '', effect: 'NoSchedule' };
    expect(node('n', { unschedulable: true }).taints).toEqual([taint]);
    expect(node('n', { unschedulable: true, taints: [{ key: 'k', effect: 'NoExecute' }] }).taints).toEqual([
      { key: 'k', value: '', effect: 'NoExecute' },
      taint,
    ]);
    expect(node('n', { unschedulable: true, taints: [taint] }).taints).toEqual([taint]);
    expect(node('n', { unschedulable: false }).taints).toEqual([]);
  });
});

test('hypothetical nodes have the GPUs under every requested resource name, and enough of all other resources', () => {
  const nodes = hypotheticalNodes(2, 8, ['cpu', 'nvidia.com/mig-1g.5gb']);
  expect(nodes.map(({ name }) => name)).toEqual(['node-1', 'node-2']);
  const plenty = Number.MAX_SAFE_INTEGER;
  const allocatable = { 'nvidia.com/gpu': 8, 'nvidia.com/mig-1g.5gb': 8, cpu: plenty, pods: plenty };
  for (const one of nodes) expect(one).toMatchObject({ labels: {}, taints: [], allocatable, hypothetical: true });
  expect(reasons([demand({ nodeSelector: { zone: 'a' }, nodeName: 'other' })], ...nodes)).toEqual([]);
});

describe('tolerations', () => {
  const taint = { key: 'gpu', value: 'a100', effect: 'NoSchedule' };
  // https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/
  test.each<[JsonObject, boolean]>([
    [{ key: 'gpu', operator: 'Equal', value: 'a100', effect: 'NoSchedule' }, true],
    [{ key: 'gpu', value: 'a100' }, true],
    [{ key: 'gpu', operator: 'Exists' }, true],
    [{ operator: 'Exists' }, true],
    [{ operator: 'Exists', effect: 'NoSchedule' }, true],
    [{ key: 'gpu', value: 'h100' }, false],
    [{ key: 'gpu' }, false],
    [{ key: 'cpu', operator: 'Exists' }, false],
    [{ key: 'cpu', value: 'a100' }, false],
    [{ key: 'gpu', operator: 'Exists', effect: 'NoExecute' }, false],
    [{ operator: 'Exists', effect: 'NoExecute' }, false],
    [{ value: 'a100' }, false],
  ])('%j: %s', (toleration, tolerated) => {
    const found = reasons([demand({ tolerations: [toleration] })], node('n', { taints: [taint] }));
    expect(found).toEqual(tolerated ? [] : ['taint gpu=a100:NoSchedule is not tolerated']);
  });

  test('are needed for every taint but those that only prefer', () => {
    const tolerations = [{ key: 'gpu', operator: 'Exists' }];
    const taints = [taint, { key: 'soft', effect: 'PreferNoSchedule' }];
    expect(reasons([demand({ tolerations })], node('n', { taints }))).toEqual([]);
    expect(reasons([demand({ tolerations })], node('n', { taints: [...taints, { key: 'hard', effect: 'NoExecute' }] }))).toEqual([
      'taint hard:NoExecute is not tolerated',
    ]);
  });
});

test('a node selector requires every label', () => {
  const pod = demand({ nodeSelector: { zone: 'a', disk: 'ssd' } });
  expect(reasons([pod], node('n', { labels: { zone: 'a', disk: 'ssd', more: 'x' } }))).toEqual([]);
  expect(reasons([pod], node('n', { labels: { zone: 'a' } }))).toEqual(['label disk is not set, the node selector requires ssd']);
  expect(reasons([pod], node('n', { labels: { zone: 'b', disk: 'ssd' } }))).toEqual([
    'label zone is b, the node selector requires a',
  ]);
});

test('a pod that names its node goes nowhere else', () => {
  expect(reasons([demand({ nodeName: 'n' })], node('n'))).toEqual([]);
  expect(reasons([demand({ nodeName: 'm' })], node('n'))).toEqual(['spec.nodeName is m']);
});

describe('node affinity', () => {
  const refuses = (terms: Json, labels: JsonObject): boolean => {
    const pod = demand({ affinity: { nodeAffinity: { [required]: { nodeSelectorTerms: terms } } } });
    const found = reasons([pod], node('n', { labels }));
    expect(found.filter((reason) => reason !== 'required node affinity does not match')).toEqual([]);
    return found.length > 0;
  };

  // https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#operators
  test.each<[JsonObject, JsonObject, boolean]>([
    [{ operator: 'In', values: ['a', 'b'] }, { k: 'b' }, true],
    [{ operator: 'In', values: ['a', 'b'] }, { k: 'c' }, false],
    [{ operator: 'In', values: ['a', 'b'] }, {}, false],
    [{ operator: 'NotIn', values: ['a', 'b'] }, { k: 'b' }, false],
    [{ operator: 'NotIn', values: ['a', 'b'] }, { k: 'c' }, true],
    [{ operator: 'NotIn', values: ['a', 'b'] }, {}, true],
    [{ operator: 'Exists' }, { k: '' }, true],
    [{ operator: 'Exists' }, { other: '' }, false],
    [{ operator: 'DoesNotExist' }, { k: '' }, false],
    [{ operator: 'DoesNotExist' }, { other: '' }, true],
    [{ operator: 'Gt', values: ['10'] }, { k: '11' }, true],
    [{ operator: 'Gt', values: ['10'] }, { k: '9' }, false],
    [{ operator: 'Gt', values: ['10'] }, { k: '10' }, false],
    [{ operator: 'Gt', values: ['-1'] }, {}, false],
    [{ operator: 'Lt', values: ['10'] }, { k: '9' }, true],
    [{ operator: 'Lt', values: ['10'] }, { k: '11' }, false],
    [{ operator: 'Lt', values: ['10'] }, { k: '10' }, false],
    [{ operator: 'Lt', values: ['10'] }, {}, false],
    [{ operator: 'Near', values: ['10'] }, { k: '10' }, false],
  ])('%j of the labels %j: %s', (expression, labels, takes) => {
    expect(refuses([{ matchExpressions: [{ key: 'k', ...expression }] }], labels)).toBe(!takes);
  });

  test('holds when one term holds, and a term when all of it does', () => {
    const [a, b] = ['a', 'b'].map((key) => ({ key, operator: 'Exists' }));
    expect(refuses([{ matchExpressions: [a ?? {}] }, { matchExpressions: [b ?? {}] }], { b: '' })).toBe(false);
    expect(refuses([{ matchExpressions: [a ?? {}, b ?? {}] }], { b: '' })).toBe(true);
    expect(refuses([{ matchExpressions: [a ?? {}, b ?? {}] }], { a: '', b: '' })).toBe(false);
  });

  test('may name the node', () => {
    const named = (name: string): JsonObject => ({ key: 'metadata.name', operator: 'In', values: [name] });
    expect(refuses([{ matchFields: [named('n')] }], {})).toBe(false);
    expect(refuses([{ matchFields: [named('m')] }], {})).toBe(true);
    expect(refuses([{ matchFields: [named('n')], matchExpressions: [{ key: 'a', operator: 'Exists' }] }], {})).toBe(true);
    expect(refuses([{ matchFields: [named('m')], matchExpressions: [{ key: 'a', operator: 'Exists' }] }], { a: '' })).toBe(true);
  });

  test('without a term, or with one that says nothing, takes no node', () => {
    expect(refuses([], {})).toBe(true);
    expect(refuses([{}], {})).toBe(true);
  });
});

describe('pods that keep apart', () => {
  const apart = (labelSelector: Json, topologyKey: string = hostname): JsonObject => ({
    affinity: { podAntiAffinity: { [required]: [{ topologyKey, labelSelector }] } },
  });
  const x = { matchLabels: { app: 'x' } };
  const shy = demand(apart(x), { app: 'shy' });
  const target = demand({}, { app: 'x' });
  const other = demand({}, { app: 'y' });
  const kept = ['pod anti-affinity'];

  test('do so whichever comes first', () => {
    expect(reasons([shy, target], node('n'))).toEqual(kept);
    expect(reasons([target, shy], node('n'))).toEqual(kept);
    expect(reasons([shy, target], node('n'), node('m'))).toEqual([]);
    expect(reasons([target, shy], node('n'), node('m'))).toEqual([]);
  });

  test('do not mind others', () => {
    expect(reasons([shy, other], node('n'))).toEqual([]);
    expect(reasons([other, shy], node('n'))).toEqual([]);
    expect(reasons([shy, shy], node('n'))).toEqual([]);
    expect(reasons([target, target], node('n'))).toEqual([]);
  });

  test('do so in a whole zone where the topology says so, and not where nodes have no zone', () => {
    const zonal = demand(apart(x, 'zone'));
    const [a, b] = [node('a', { labels: { zone: '1' } }), node('b', { labels: { zone: '1' } })];
    for (const pods of [
      [zonal, target],
      [target, zonal],
    ]) {
      expect(reasons(pods, a, b)).toEqual([...kept]);
      expect(reasons(pods, a, node('c', { labels: { zone: '2' } }))).toEqual([]);
      expect(reasons(pods, node('d'))).toEqual([]);
      expect(reasons(pods, node('d'), node('e'))).toEqual([]);
    }
  });

  test.each<[Json, boolean]>([
    [{}, true],
    [null, false],
    [{ matchLabels: { app: 'x', tier: 'web' } }, true],
    [{ matchLabels: { app: 'x', tier: 'db' } }, false],
    [{ matchExpressions: [{ key: 'tier', operator: 'In', values: ['web'] }] }, true],
    [{ matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] }, false],
    [{ matchLabels: { app: 'x' }, matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] }, false],
    [{ matchLabels: { app: 'y' }, matchExpressions: [{ key: 'tier', operator: 'Exists' }] }, false],
  ])('are those that the selector %j picks: %s', (selector, picked) => {
    const web = demand({}, { app: 'x', tier: 'web' });
    expect(reasons([web, demand(apart(selector), { app: 'shy', tier: 'db' })], node('n'))).toEqual(picked ? kept : []);
  });
});
