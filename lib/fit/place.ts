import { maximum, type JsonObject } from '../json/index.ts';
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
  freeGpus: number;
  /** How many of each pod are on the node. Replicas are one and the same pod. */
  readonly pods: Map<PodDemand, number>;
}

function insufficientResource(free: Amounts, requests: Amounts): string | undefined {
  for (const name in requests) {
    const amount = requests[name] ?? 0;
    if (amount > 0 && (free[name] ?? 0) < amount) return name;
  }
  return undefined;
}

/** Values of topology keys that are closed to a pod. */
type ClosedDomains = ReadonlyMap<string, ReadonlySet<string>>;

function domainOf(node: NodeView, key: string): string | undefined {
  return key === 'kubernetes.io/hostname' ? node.name : node.labels[key];
}

/** The topology domains that required anti-affinity, of the pod or of pods already placed, closes to a pod. */
function closedDomains(pod: PodDemand, states: readonly NodeState[]): ClosedDomains {
  const closed = new Map<string, Set<string>>();
  const close = ({ node }: NodeState, { topologyKey }: JsonObject): void => {
    const domain = typeof topologyKey === 'string' ? domainOf(node, topologyKey) : undefined;
    if (typeof topologyKey !== 'string' || domain === undefined) return;
    closed.set(topologyKey, (closed.get(topologyKey) ?? new Set()).add(domain));
  };
  const own = antiAffinity(pod);
  for (const state of states)
    for (const other of state.pods.keys()) {
      for (const term of own) if (selects(term['labelSelector'], other.labels)) close(state, term);
      for (const term of antiAffinity(other)) if (selects(term['labelSelector'], pod.labels)) close(state, term);
    }
  return closed;
}

function isClosed(node: NodeView, closed: ClosedDomains): boolean {
  for (const [key, domains] of closed) {
    const domain = domainOf(node, key);
    if (domain !== undefined && domains.has(domain)) return true;
  }
  return false;
}

/** Adds a pod to a node, or with sign -1 removes it. */
function put(pod: PodDemand, state: NodeState, sign: 1 | -1): void {
  for (const [name, amount] of Object.entries(pod.requests)) state.free[name] = (state.free[name] ?? 0) - sign * amount;
  state.freeGpus -= sign * gpusOf(pod.requests);
  const count = (state.pods.get(pod) ?? 0) + sign;
  if (count > 0) state.pods.set(pod, count);
  else state.pods.delete(pod);
}

/** A pod and the node it was placed on. */
interface Placed {
  readonly pod: PodDemand;
  readonly state: NodeState;
}

/** Which of the nodes with room for a pod takes it: the one with the least or the most free GPUs, then cores. */
type Preference = 'tightest' | 'emptiest';

/** Places gangs one after the other. */
class Placement {
  readonly #states: readonly NodeState[];
  readonly #preference: Preference;
  /** The pods of the gang before. Replicas share them. */
  #pods: readonly PodDemand[] = [];
  /** The nodes with room for each of these pods. Placed pods only take room, so a node that is too full for a pod stays so. */
  readonly #roomy = new Map<PodDemand, readonly NodeState[]>();
  /** The pod placed last. */
  #last: Placed | undefined;
  #hasAntiAffinity = false;
  /** Why these pods could not be placed. A replica cannot be placed after another one could not. */
  #obstacles: readonly Obstacle[] | undefined;

  constructor(nodes: readonly NodeView[], preference: Preference) {
    this.#states = nodes.map((node) => ({
      node,
      free: { ...node.allocatable },
      freeGpus: gpusOf(node.allocatable),
      pods: new Map(),
    }));
    this.#preference = preference;
  }

  /** Places all pods of a gang, or none and says why. */
  place(pods: readonly PodDemand[]): { readonly placed: readonly Placed[] } | { readonly obstacles: readonly Obstacle[] } {
    if (pods !== this.#pods) {
      this.#pods = pods;
      this.#roomy.clear();
      this.#obstacles = undefined;
    }
    if (this.#obstacles !== undefined) return { obstacles: this.#obstacles };
    const placed: Placed[] = [];
    for (const pod of pods) {
      const state = this.#choose(pod);
      if (state === undefined) {
        for (const taken of placed) put(taken.pod, taken.state, -1);
        this.#last = undefined;
        this.#obstacles = this.#findObstacles(pods);
        return { obstacles: this.#obstacles };
      }
      put(pod, state, 1);
      this.#last = { pod, state };
      this.#hasAntiAffinity ||= antiAffinity(pod).length > 0;
      placed.push(this.#last);
    }
    return { placed };
  }

  #choose(pod: PodDemand): NodeState | undefined {
    const closed = this.#closedDomains(pod);
    const last = this.#last?.pod === pod ? this.#last.state : undefined;
    // The tightest node is still the tightest after it took a pod.
    if (this.#preference === 'tightest' && last && obstacle(pod, last, closed) === undefined) return last;
    const accepting = this.#roomy.get(pod) ?? this.#states.filter(({ node }) => rejectionReason(node, pod) === undefined);
    const roomy = accepting.filter(({ free }) => insufficientResource(free, pod.requests) === undefined);
    this.#roomy.set(pod, roomy);
    const sign = this.#preference === 'tightest' ? 1 : -1;
    let best: NodeState | undefined;
    for (const state of roomy)
      if (!isClosed(state.node, closed) && (best === undefined || sign * byRoom(state, best) < 0)) best = state;
    return best;
  }

  #closedDomains(pod: PodDemand): ClosedDomains {
    return this.#hasAntiAffinity || antiAffinity(pod).length > 0 ? closedDomains(pod, this.#states) : new Map();
  }

  /** Why each node rejects the pod with the most GPUs of a gang, counted by reason. */
  #findObstacles(pods: readonly PodDemand[]): readonly Obstacle[] {
    const [pod] = pods.toSorted((a, b) => gpusOf(b.requests) - gpusOf(a.requests));
    const closed: ClosedDomains = pod === undefined ? new Map() : this.#closedDomains(pod);
    const counts = new Map<string, number>();
    for (const state of this.#states) {
      const reason = (pod && obstacle(pod, state, closed)) ?? `room for some but not all ${pods.length} pods of the gang`;
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    return [...counts].map(([reason, number]) => ({ reason, nodes: number })).sort((x, y) => y.nodes - x.nodes);
  }
}

/** Why a node cannot take a pod at this point; undefined when it can. */
function obstacle(pod: PodDemand, { node, free }: NodeState, closed: ClosedDomains): string | undefined {
  const refused = rejectionReason(node, pod);
  if (refused !== undefined) return refused;
  const short = insufficientResource(free, pod.requests);
  if (short !== undefined) return `insufficient ${short}`;
  return isClosed(node, closed) ? 'pod anti-affinity' : undefined;
}

function byRoom(a: NodeState, b: NodeState): number {
  return a.freeGpus - b.freeGpus || (a.free['cpu'] ?? 0) - (b.free['cpu'] ?? 0);
}

/** Sort keys of a gang: most GPUs of a pod, number of pods, most memory of a pod, most CPU of a pod. */
function size(pods: readonly PodDemand[]): readonly number[] {
  return [
    maximum(pods.map((p) => gpusOf(p.requests))),
    pods.length,
    maximum(pods.map((p) => p.requests['memory'] ?? 0)),
    maximum(pods.map((p) => p.requests['cpu'] ?? 0)),
  ];
}

/** Sorts gangs by their sort keys in the given order, the largest first. */
function bySize(keys: readonly number[]): (gangs: readonly Gang[]) => readonly Gang[] {
  return (gangs) => {
    const sizes = new Map<readonly PodDemand[], readonly number[]>();
    for (const { pods } of gangs) if (!sizes.has(pods)) sizes.set(pods, size(pods));
    return gangs.toSorted((a, b) => {
      const [left, right] = [sizes.get(a.pods), sizes.get(b.pods)];
      for (const key of keys) if (left?.[key] !== right?.[key]) return (right?.[key] ?? 0) - (left?.[key] ?? 0);
      return 0;
    });
  };
}

/** The order in which gangs are placed, and the order in which nodes are tried. */
interface Strategy {
  readonly order: (gangs: readonly Gang[]) => readonly Gang[];
  readonly preference: Preference;
}

const defaultStrategy: Strategy = { order: bySize([0, 1, 2, 3]), preference: 'tightest' };
const otherStrategies: readonly Strategy[] = [
  { order: bySize([1, 0, 2, 3]), preference: 'tightest' },
  { order: bySize([2, 0, 1, 3]), preference: 'tightest' },
  { order: bySize([3, 0, 2, 1]), preference: 'tightest' },
  { order: bySize([0, 1, 2, 3]), preference: 'emptiest' },
];

function attempt(gangs: readonly Gang[], nodes: readonly NodeView[], { order, preference }: Strategy): Fit {
  const placement = new Placement(nodes, preference);
  const placements: PodPlacement[] = [];
  const missing: UnplacedGang[] = [];
  for (const { component, name, pods } of order(gangs)) {
    const outcome = placement.place(pods);
    if ('placed' in outcome)
      for (const { pod, state } of outcome.placed) placements.push({ component, pod: pod.name, node: state.node.name });
    else {
      const gpus = pods.reduce((sum, pod) => sum + gpusOf(pod.requests), 0);
      missing.push({ component, gang: name, pods: pods.length, gpus, obstacles: outcome.obstacles });
    }
  }
  return { fits: missing.length === 0, placements, missing };
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
