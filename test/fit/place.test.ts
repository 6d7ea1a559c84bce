import { array, assert, integer, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitGangs, viewNode, type Gang, type NodeView, type PodDemand } from '../../lib/fit/index.ts';
import type { JsonObject } from '../../lib/json/index.ts';

const gpu = 'nvidia.com/gpu';
const rdma = 'rdma/ib';

type Requests = Readonly<Record<string, number>>;

function pod(name: string, requests: Requests, spec: JsonObject = {}): PodDemand {
  return { component: `of ${name}`, name, labels: {}, spec, requests };
}

/** Pods that start together, called after the first. */
function gang(...pods: readonly PodDemand[]): Gang {
  return { component: pods[0]?.component ?? '', name: pods[0]?.name ?? '', pods };
}

const alone = (name: string, requests: Requests, spec?: JsonObject): Gang => gang(pod(name, requests, spec));

function node(name: string, amounts: Requests, labels: JsonObject = {}): NodeView {
  return viewNode({ metadata: { name, labels }, status: { allocatable: amounts } });
}

/** Where each pod went, as `pod@node`; a pod without a place as `pod@`. */
function places(gangs: readonly Gang[], nodes: readonly NodeView[]): readonly string[] {
  const { placements, missing } = fitGangs(gangs, nodes);
  return [...placements.map(({ pod: name, node: on }) => `${name}@${on}`), ...missing.map(({ gang: name }) => `${name}@`)].sort();
}

describe('a pod goes to the node that it leaves least of', () => {
  test('by GPUs of any vendor, then by cores', () => {
    const small = alone('p', { cpu: 1, [gpu]: 1 });
    expect(places([small], [node('a', { cpu: 8, [gpu]: 4 }), node('b', { cpu: 8, [gpu]: 2 })])).toEqual(['p@b']);
    expect(places([small], [node('a', { cpu: 8, [gpu]: 2 }), node('b', { cpu: 4, [gpu]: 2 })])).toEqual(['p@b']);
    expect(places([small], [node('a', { cpu: 4, [gpu]: 2 }), node('b', { cpu: 8, [gpu]: 2 })])).toEqual(['p@a']);
    expect(places([alone('p', {})], [node('a', { cpu: 1 }), node('b', {})])).toEqual(['p@b']);
    expect(places([alone('p', {})], [node('a', {}), node('b', { cpu: 1 })])).toEqual(['p@a']);
  });
});

describe('every order that may help is tried', () => {
  test('large pods before small ones, so that each finds the node of its size', () => {
    const gangs = [alone('small', { [gpu]: 1 }), alone('large', { [gpu]: 3 })];
    expect(places(gangs, [node('a', { [gpu]: 4 }), node('b', { [gpu]: 3 })])).toEqual(['large@b', 'small@a']);
  });

  test('gangs of many pods first', () => {
    const pair = gang(pod('l', { [gpu]: 1, [rdma]: 1 }), pod('w', { [gpu]: 1, [rdma]: 1 }));
    const nodes = [node('a', { [gpu]: 2, [rdma]: 2 }), node('b', { [gpu]: 2 })];
    expect(places([alone('one', { [gpu]: 2 }), pair], nodes)).toEqual(['l@a', 'one@b', 'w@a']);
  });

  test('pods with much memory first', () => {
    const gangs = [alone('gpus', { [gpu]: 2, memory: 3 }), alone('memory', { [gpu]: 1, memory: 8 })];
    const nodes = [node('a', { [gpu]: 2, memory: 10 }), node('b', { [gpu]: 2, memory: 4 })];
    expect(places(gangs, nodes)).toEqual(['gpus@b', 'memory@a']);
  });

  test('pods with many cores first', () => {
    // The second zone needs the tightest node first, so that only the order of the first can help.
    const [x, y] = ['x', 'y'].map((zone) => ({ nodeSelector: { zone } }));
    const gangs = [
      alone('gpus', { [gpu]: 2, cpu: 3, memory: 5 }, x),
      alone('cores', { [gpu]: 1, cpu: 8, memory: 1 }, x),
      alone('three', { [gpu]: 3 }, y),
      alone('two', { [gpu]: 2, [rdma]: 1 }, y),
    ];
    const nodes = [
      node('a', { [gpu]: 2, cpu: 10, memory: 6 }, { zone: 'x' }),
      node('b', { [gpu]: 4, cpu: 4, memory: 6 }, { zone: 'x' }),
      node('c', { [gpu]: 3 }, { zone: 'y' }),
      node('d', { [gpu]: 4, [rdma]: 1 }, { zone: 'y' }),
    ];
    expect(places(gangs, nodes)).toEqual(['cores@a', 'gpus@b', 'three@c', 'two@d']);
  });

  test('the roomiest nodes first', () => {
    const gangs = [alone('gpus', { [gpu]: 2 }), alone('rdma', { [gpu]: 1, [rdma]: 1 })];
    expect(places(gangs, [node('a', { [gpu]: 2, [rdma]: 1 }), node('b', { [gpu]: 4 })])).toEqual(['gpus@b', 'rdma@a']);
  });

  test('and the best counts where nothing fits all', () => {
    const gangs = [
      alone('never', { [gpu]: 64 }),
      alone('gpus', { [gpu]: 2, memory: 3 }),
      alone('memory', { [gpu]: 1, memory: 8 }),
    ];
    const nodes = [node('a', { [gpu]: 2, memory: 10 }), node('b', { [gpu]: 2, memory: 4 })];
    expect(places(gangs, nodes)).toEqual(['gpus@b', 'memory@a', 'never@']);
  });
});

describe('a gang without a place', () => {
  test('is told with its pods, its GPUs and what stands in the way of its most demanding pod, most frequent first', () => {
    const gangs = [gang(pod('l', { cpu: 1, [gpu]: 1 }), pod('w', { cpu: 1, [gpu]: 8 }))];
    const nodes = [node('a', { [gpu]: 8 }), node('b', { cpu: 9, [gpu]: 4 }), node('c', { cpu: 9, [gpu]: 4 })];
    expect(fitGangs(gangs, nodes)).toEqual({
      fits: false,
      placements: [],
      missing: [
        {
          component: 'of l',
          gang: 'l',
          pods: 2,
          gpus: 9,
          obstacles: [
            { reason: 'insufficient nvidia.com/gpu', nodes: 2 },
            { reason: 'insufficient cpu', nodes: 1 },
          ],
        },
      ],
    });
  });

  test('may have room for some of its pods', () => {
    const four = pod('p', { [gpu]: 4 });
    expect(fitGangs([gang(four, four)], [node('a', { [gpu]: 4 })]).missing[0]?.obstacles).toEqual([
      { reason: 'room for some but not all 2 pods of the gang', nodes: 1 },
    ]);
  });
});

test('pods of a gang that finds no room keep no node from others', () => {
  const labels = { app: 'pair' };
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: labels } };
  const apart = { affinity: { podAntiAffinity: { [required]: [term] } } };
  const [leader, worker] = ['l', 'w'].map((name) => ({ ...pod(name, { [gpu]: 2 }), labels }));
  if (leader === undefined || worker === undefined) throw new Error('no pair');
  expect(places([gang(leader, worker), alone('one', { [gpu]: 1 }, apart)], [node('a', { [gpu]: 2 })])).toEqual(['l@', 'one@a']);
});

test('an amount of zero needs no node that has the resource', () => {
  expect(places([alone('p', { [rdma]: 0 })], [node('a', { cpu: 1 })])).toEqual(['p@a']);
});

test('nothing to place fits, also on no node', () => {
  expect(fitGangs([], [])).toEqual({ fits: true, placements: [], missing: [] });
});

test('law: gangs are placed whole, no node gives more than it has, and nothing is lost', () => {
  const amounts = record({ cpu: integer({ min: 0, max: 4 }), [gpu]: integer({ min: 0, max: 4 }) });
  const demands = array(array(amounts, { minLength: 1, maxLength: 3 }), { maxLength: 6 });
  assert(
    property(demands, array(amounts, { maxLength: 4 }), (asked, offered) => {
      const gangs = asked.map((pods, i) => gang(...pods.map((requests, j) => pod(`${i}.${j}`, requests))));
      const nodes = offered.map((amount, i) => node(`n${i}`, amount));
      const { fits, placements, missing } = fitGangs(gangs, nodes);
      expect(fits).toBe(missing.length === 0);
      const placed = placements.map(({ pod: name }) => name);
      for (const { name, pods } of gangs) {
        const isMissing = missing.some((one) => one.gang === name);
        expect(pods.filter((one) => placed.includes(one.name))).toHaveLength(isMissing ? 0 : pods.length);
      }
      const all = gangs.flatMap(({ pods }) => pods);
      expect(new Set(placed).size).toBe(placed.length);
      for (const { name, allocatable } of nodes)
        for (const resource of ['cpu', gpu]) {
          const on = placements.filter((one) => one.node === name);
          const used = on.reduce((sum, one) => sum + (all.find((p) => p.name === one.pod)?.requests[resource] ?? 0), 0);
          expect(used).toBeLessThanOrEqual(allocatable[resource] ?? 0);
        }
    }),
  );
});

test('law: pods that each need a node of their own fit when there are as many nodes', () => {
  assert(
    property(array(integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 6 }), (sizes) => {
      const gangs = sizes.map((size, i) => alone(`p${i}`, { [gpu]: size }));
      const nodes = sizes.toReversed().map((size, i) => node(`n${i}`, { [gpu]: size }));
      expect(fitGangs(gangs, nodes).fits).toBe(true);
    }),
  );
});
