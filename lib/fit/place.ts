import type { Amounts, Gang, PodDemand } from './demand.ts';
import { gpusOf } from './gpu.ts';
import { antiAffinity, rejectionReason, selects, type NodeView } from './node.ts';

/** The node a pod was placed on. */
interface PodPlacement {
  readonly component: string;
  readonly pod: string;
  readonly node: string;
}

/** A reason why nodes reject a pod, and the number of nodes it applies to. */
interface Obstacle {
  readonly reason: string;
  readonly nodes: number;
}

/** A gang that could not be placed. */
interface UnplacedGang {
  readonly component: string;
  readonly gang: string;
  readonly pods: number;
  readonly gpus: number;
  readonly obstacles: readonly Obstacle[];
}

/** Whether all gangs fit, the node of each placed pod, and the gangs that could not be placed. */
export interface Fit {
  readonly fits: boolean;
  readonly placements: readonly PodPlacement[];
  readonly missing: readonly UnplacedGang[];
}

/** A node with the pods placed on it so far. */
interface NodeState {
  readonly node: NodeView;
  readonly free: Record<string, number>;
  readonly pods: PodDemand[];
  /** How many of its pods have required anti-affinity terms. */
  podsWithAntiAffinity: number;
}

function insufficientResource(free: Amounts, requests: Amounts): string | undefined {
  return Object.entries(requests).find(([name, amount]) => amount > 0 && (free[name] ?? 0) < amount)?.[0];
}

function sameTopology(a: NodeView, b: NodeView, key: string): boolean {
  return key === 'kubernetes.io/hostname' ? a.name === b.name : a.labels[key] !== undefined && a.labels[key] === b.labels[key];
}

/** Whether required anti-affinity, of the pod or of pods already placed, keeps the pod off a node. */
function violatesAntiAffinity(pod: PodDemand, state: NodeState, states: readonly NodeState[]): boolean {
  const withAntiAffinity = states.filter((s) => s.podsWithAntiAffinity > 0);
  if (withAntiAffinity.length === 0 && antiAffinity(pod).length === 0) return false;
  const near = (key: unknown): readonly PodDemand[] =>
    typeof key === 'string' ? states.filter((s) => sameTopology(s.node, state.node, key)).flatMap((s) => s.pods) : [];
  const mine = antiAffinity(pod).some((term) =>
    near(term['topologyKey']).some((other) => selects(term['labelSelector'], other.labels)),
  );
  return (
    mine ||
    withAntiAffinity.some((s) =>
      s.pods.some((other) =>
        antiAffinity(other).some(
          (term) =>
            typeof term['topologyKey'] === 'string' &&
            sameTopology(s.node, state.node, term['topologyKey']) &&
            selects(term['labelSelector'], pod.labels),
        ),
      ),
    )
  );
}

/** Why a node cannot take a pod at this point; undefined when it can. */
function obstacle(pod: PodDemand, state: NodeState, states: readonly NodeState[]): string | undefined {
  const refused = rejectionReason(state.node, pod);
  if (refused !== undefined) return refused;
  const short = insufficientResource(state.free, pod.requests);
  if (short !== undefined) return `insufficient ${short}`;
  return violatesAntiAffinity(pod, state, states) ? 'pod anti-affinity' : undefined;
}

/** Adds a pod to a node; with sign -1 removes the pod that was added last. */
function put(pod: PodDemand, state: NodeState, sign: 1 | -1): void {
  for (const [name, amount] of Object.entries(pod.requests)) state.free[name] = (state.free[name] ?? 0) - sign * amount;
  if (sign === 1) state.pods.push(pod);
  else state.pods.pop();
  if (antiAffinity(pod).length > 0) state.podsWithAntiAffinity += sign;
}

/** A pod and the node it was placed on. */
interface Placed {
  readonly pod: PodDemand;
  readonly state: NodeState;
}

/** Places all pods of a gang or none; `preference` orders the nodes that can take a pod. */
function placeGang(
  gang: Gang,
  states: readonly NodeState[],
  preference: (a: NodeState, b: NodeState) => number,
): readonly Placed[] | undefined {
  const placed: Placed[] = [];
  for (const pod of gang.pods) {
    const state = states.filter((s) => obstacle(pod, s, states) === undefined).sort(preference)[0];
    if (state === undefined) {
      for (const taken of placed.toReversed()) put(taken.pod, taken.state, -1);
      return undefined;
    }
    put(pod, state, 1);
    placed.push({ pod, state });
  }
  return placed;
}

function tightest(a: NodeState, b: NodeState): number {
  return gpusOf(a.free) - gpusOf(b.free) || (a.free['cpu'] ?? 0) - (b.free['cpu'] ?? 0);
}

/** Sort keys of a gang: most GPUs of a pod, number of pods, most memory of a pod, most CPU of a pod. */
function size(gang: Gang): readonly number[] {
  const most = (read: (pod: PodDemand) => number): number => Math.max(0, ...gang.pods.map(read));
  return [
    most((p) => gpusOf(p.requests)),
    gang.pods.length,
    most((p) => p.requests['memory'] ?? 0),
    most((p) => p.requests['cpu'] ?? 0),
  ];
}

function bySize(order: readonly number[]): (a: Gang, b: Gang) => number {
  return (a, b) => {
    const [left, right] = [size(a), size(b)];
    for (const i of order) if (left[i] !== right[i]) return (right[i] ?? 0) - (left[i] ?? 0);
    return 0;
  };
}

/** The order in which gangs are placed, and the order in which nodes are tried. */
interface Strategy {
  readonly order: (a: Gang, b: Gang) => number;
  readonly preference: (a: NodeState, b: NodeState) => number;
}

const defaultStrategy: Strategy = { order: bySize([0, 1, 2, 3]), preference: tightest };
const otherStrategies: readonly Strategy[] = [
  { order: bySize([1, 0, 2, 3]), preference: tightest },
  { order: bySize([2, 0, 1, 3]), preference: tightest },
  { order: bySize([3, 0, 2, 1]), preference: tightest },
  { order: bySize([0, 1, 2, 3]), preference: (a, b) => tightest(b, a) },
];

function attempt(gangs: readonly Gang[], nodes: readonly NodeView[], { order, preference }: Strategy): Fit {
  const states = nodes.map((node): NodeState => ({ node, free: { ...node.allocatable }, pods: [], podsWithAntiAffinity: 0 }));
  const placements: PodPlacement[] = [];
  const missing: UnplacedGang[] = [];
  for (const gang of gangs.toSorted(order)) {
    const placed = placeGang(gang, states, preference);
    if (placed)
      placements.push(...placed.map(({ pod, state }) => ({ component: gang.component, pod: pod.name, node: state.node.name })));
    else
      missing.push({
        component: gang.component,
        gang: gang.name,
        pods: gang.pods.length,
        gpus: gang.pods.reduce((sum, pod) => sum + gpusOf(pod.requests), 0),
        obstacles: obstacles(gang, states),
      });
  }
  return { fits: missing.length === 0, placements, missing };
}

/** Why each node rejects the pod with the most GPUs of a gang, counted by reason. */
function obstacles(gang: Gang, states: readonly NodeState[]): readonly Obstacle[] {
  const [pod] = gang.pods.toSorted((a, b) => gpusOf(b.requests) - gpusOf(a.requests));
  const counts = new Map<string, number>();
  for (const state of states) {
    const reason = (pod && obstacle(pod, state, states)) ?? `room for some but not all ${gang.pods.length} pods of the gang`;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, number]) => ({ reason, nodes: number })).sort((a, b) => b.nodes - a.nodes);
}

/** Whether gangs fit on empty nodes. Tries several strategies and returns the result with the fewest unplaced gangs. */
export function fitGangs(gangs: readonly Gang[], nodes: readonly NodeView[]): Fit {
  let best = attempt(gangs, nodes, defaultStrategy);
  for (const strategy of otherStrategies) {
    if (best.fits) return best;
    const tried = attempt(gangs, nodes, strategy);
    if (tried.missing.length < best.missing.length) best = tried;
  }
  return best;
}
