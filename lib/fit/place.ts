import type { Amounts, Gang, PodDemand } from './demand.ts';
import { gpusOf } from './gpu.ts';
import { antiAffinity, refusesPod, selects, type NodeView } from './node.ts';

/** Where a pod went. */
interface PodPlacement {
  readonly component: string;
  readonly pod: string;
  readonly node: string;
}

/** Why nodes did not take a pod: a reason and how many nodes gave it. */
interface Obstacle {
  readonly reason: string;
  readonly nodes: number;
}

/** A gang that found no place. */
interface Missing {
  readonly component: string;
  readonly gang: string;
  readonly pods: number;
  readonly gpus: number;
  readonly obstacles: readonly Obstacle[];
}

/** Whether everything fits, where each pod went, and what did not find a place. */
export interface Fit {
  readonly fits: boolean;
  readonly placements: readonly PodPlacement[];
  readonly missing: readonly Missing[];
}

/** A node while pods are put on it. */
interface Room {
  readonly node: NodeView;
  readonly free: Record<string, number>;
  readonly pods: PodDemand[];
  /** How many of its pods keep away from others. */
  apart: number;
}

function lacking(free: Amounts, requests: Amounts): string | undefined {
  return Object.entries(requests).find(([name, amount]) => amount > 0 && (free[name] ?? 0) < amount)?.[0];
}

function sameTopology(a: NodeView, b: NodeView, key: string): boolean {
  return key === 'kubernetes.io/hostname' ? a.name === b.name : a.labels[key] !== undefined && a.labels[key] === b.labels[key];
}

/** Whether a pod and those already placed keep apart; pods without such terms cost nothing. */
function repelled(pod: PodDemand, room: Room, rooms: readonly Room[]): boolean {
  const apart = rooms.filter((r) => r.apart > 0);
  if (apart.length === 0 && antiAffinity(pod).length === 0) return false;
  const near = (key: unknown): readonly PodDemand[] =>
    typeof key === 'string' ? rooms.filter((r) => sameTopology(r.node, room.node, key)).flatMap((r) => r.pods) : [];
  const mine = antiAffinity(pod).some((term) =>
    near(term['topologyKey']).some((other) => selects(term['labelSelector'], other.labels)),
  );
  return (
    mine ||
    apart.some((r) =>
      r.pods.some((other) =>
        antiAffinity(other).some(
          (term) =>
            typeof term['topologyKey'] === 'string' &&
            sameTopology(r.node, room.node, term['topologyKey']) &&
            selects(term['labelSelector'], pod.labels),
        ),
      ),
    )
  );
}

/** Why a room does not take a pod now. */
function obstacle(pod: PodDemand, room: Room, rooms: readonly Room[]): string | undefined {
  const refused = refusesPod(room.node, pod);
  if (refused !== undefined) return refused;
  const short = lacking(room.free, pod.requests);
  if (short !== undefined) return `too little ${short}`;
  return repelled(pod, room, rooms) ? 'pod anti-affinity' : undefined;
}

function put(pod: PodDemand, room: Room, sign: 1 | -1): void {
  for (const [name, amount] of Object.entries(pod.requests)) room.free[name] = (room.free[name] ?? 0) - sign * amount;
  if (sign === 1) room.pods.push(pod);
  else room.pods.pop();
  if (antiAffinity(pod).length > 0) room.apart += sign;
}

/** A pod and the node it was put on. */
interface Placed {
  readonly pod: PodDemand;
  readonly room: Room;
}

/** Puts a gang's pods on nodes, all or none; `preference` orders the rooms a pod may go to. */
function placeGang(gang: Gang, rooms: readonly Room[], preference: (a: Room, b: Room) => number): readonly Placed[] | undefined {
  const placed: Placed[] = [];
  for (const pod of gang.pods) {
    const room = rooms.filter((r) => obstacle(pod, r, rooms) === undefined).sort(preference)[0];
    if (room === undefined) {
      for (const taken of placed.toReversed()) put(taken.pod, taken.room, -1);
      return undefined;
    }
    put(pod, room, 1);
    placed.push({ pod, room });
  }
  return placed;
}

function tightest(a: Room, b: Room): number {
  return gpusOf(a.free) - gpusOf(b.free) || (a.free['cpu'] ?? 0) - (b.free['cpu'] ?? 0);
}

/** How big a gang is: pods on one node first by GPUs, then by cores and memory. */
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

/** A way to go about it: which gangs first, and which of the nodes that would do. */
interface Way {
  readonly order: (a: Gang, b: Gang) => number;
  readonly preference: (a: Room, b: Room) => number;
}

const usual: Way = { order: bySize([0, 1, 2, 3]), preference: tightest };
const others: readonly Way[] = [
  { order: bySize([1, 0, 2, 3]), preference: tightest },
  { order: bySize([2, 0, 1, 3]), preference: tightest },
  { order: bySize([3, 0, 2, 1]), preference: tightest },
  { order: bySize([0, 1, 2, 3]), preference: (a, b) => tightest(b, a) },
];

function attempt(gangs: readonly Gang[], nodes: readonly NodeView[], { order, preference }: Way): Fit {
  const rooms = nodes.map((node): Room => ({ node, free: { ...node.allocatable }, pods: [], apart: 0 }));
  const placements: PodPlacement[] = [];
  const missing: Missing[] = [];
  for (const gang of gangs.toSorted(order)) {
    const placed = placeGang(gang, rooms, preference);
    if (placed)
      placements.push(...placed.map(({ pod, room }) => ({ component: gang.component, pod: pod.name, node: room.node.name })));
    else
      missing.push({
        component: gang.component,
        gang: gang.name,
        pods: gang.pods.length,
        gpus: gang.pods.reduce((sum, pod) => sum + gpusOf(pod.requests), 0),
        obstacles: obstacles(gang, rooms),
      });
  }
  return { fits: missing.length === 0, placements, missing };
}

/** What keeps a gang's most demanding pod from each node. */
function obstacles(gang: Gang, rooms: readonly Room[]): readonly Obstacle[] {
  const [pod] = gang.pods.toSorted((a, b) => gpusOf(b.requests) - gpusOf(a.requests));
  const counts = new Map<string, number>();
  for (const room of rooms) {
    const told = (pod && obstacle(pod, room, rooms)) ?? `room for some but not all ${gang.pods.length} pods of the gang`;
    counts.set(told, (counts.get(told) ?? 0) + 1);
  }
  return [...counts].map(([reason, number]) => ({ reason, nodes: number })).sort((a, b) => b.nodes - a.nodes);
}

/** Whether gangs fit on empty nodes, tried in several orders; the result is that of the best order. */
export function fitGangs(gangs: readonly Gang[], nodes: readonly NodeView[]): Fit {
  let best = attempt(gangs, nodes, usual);
  for (const way of others) {
    if (best.fits) return best;
    const tried = attempt(gangs, nodes, way);
    if (tried.missing.length < best.missing.length) best = tried;
  }
  return best;
}
