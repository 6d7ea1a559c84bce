import { findNumber, findObject, findString, objectsAt, stringAt, type JsonObject } from '../json/index.ts';

/** Why a pod is not ready and will not become ready without a change. */
export interface StuckReason {
  /** A reason of Kubernetes, such as `ImagePullBackOff`. */
  readonly reason: string;
  readonly message: string;
}

/** Reasons of a waiting container that mean it failed; others, such as `ContainerCreating`, mean it is starting. */
const stuckWaiting = new Set([
  'CrashLoopBackOff',
  'CreateContainerConfigError',
  'CreateContainerError',
  'ErrImageNeverPull',
  'ErrImagePull',
  'ImageInspectError',
  'ImagePullBackOff',
  'InvalidImageName',
  'RunContainerError',
]);

/** Why a pod is stuck, from its status; undefined for a pod that is ready or still starting. */
export function stuckReason(pod: JsonObject): StuckReason | undefined {
  if (findString(pod, 'metadata', 'deletionTimestamp') !== undefined) return undefined;
  return failed(pod) ?? containerStuck(pod) ?? unschedulable(pod);
}

function failed(pod: JsonObject): StuckReason | undefined {
  const status = findObject(pod, 'status');
  if (findString(status, 'phase') !== 'Failed') return undefined;
  const ended = containers(pod)
    .map(terminated)
    .find((reason) => reason !== undefined);
  const reason = stringAt(status, 'reason') || ended?.reason || 'Failed';
  return { reason, message: stringAt(status, 'message') || ended?.message || 'the pod failed' };
}

function containerStuck(pod: JsonObject): StuckReason | undefined {
  for (const container of containers(pod)) {
    const reason = stringAt(container, 'state', 'waiting', 'reason');
    if (!stuckWaiting.has(reason)) continue;
    const last = terminatedIn(container, 'lastState');
    const message = last?.message ?? stringAt(container, 'state', 'waiting', 'message');
    return { reason, message: `container ${stringAt(container, 'name')}: ${message || reason}` };
  }
  return undefined;
}

function unschedulable(pod: JsonObject): StuckReason | undefined {
  const condition = objectsAt(pod, 'status', 'conditions').find(
    (entry) => stringAt(entry, 'type') === 'PodScheduled' && stringAt(entry, 'status') === 'False',
  );
  const reason = stringAt(condition, 'reason');
  return reason === 'Unschedulable' ? { reason, message: stringAt(condition, 'message') } : undefined;
}

function containers(pod: JsonObject): readonly JsonObject[] {
  return [...objectsAt(pod, 'status', 'initContainerStatuses'), ...objectsAt(pod, 'status', 'containerStatuses')];
}

function terminated(container: JsonObject): StuckReason | undefined {
  const ended = terminatedIn(container, 'state');
  return ended && { ...ended, message: `container ${stringAt(container, 'name')}: ${ended.message}` };
}

function terminatedIn(container: JsonObject, state: 'state' | 'lastState'): StuckReason | undefined {
  const ended = findObject(container, state, 'terminated');
  const code = findNumber(ended, 'exitCode');
  if (ended === undefined || code === 0) return undefined;
  const reason = stringAt(ended, 'reason') || 'Error';
  const message = stringAt(ended, 'message').trim();
  return { reason, message: `${reason}, exit code ${code ?? 'unknown'}${message === '' ? '' : `: ${message}`}` };
}

/** How often the containers of a pod were restarted. */
export function restartsOf(pod: JsonObject): number {
  return objectsAt(pod, 'status', 'containerStatuses').reduce(
    (sum, container) => sum + (findNumber(container, 'restartCount') ?? 0),
    0,
  );
}
