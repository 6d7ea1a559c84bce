/** Records an event on a component when one of its pods is stuck, so that `kubectl describe` of the component shows the reason. */
import type { KubernetesObject } from '../../api/index.ts';
import { label, serviceObjectName } from '../../render/index.ts';
import { stuckReason } from '../../status/index.ts';
import type { CacheChange } from '../cache/cache.ts';
import type { ControllerContext } from '../controller.ts';
import type { EventRecorder } from '../events/recorder.ts';
import { ownKinds } from './watched-kinds.ts';

/** Records events about stuck pods until the signal is aborted, each reason of a pod once. */
export function tellStuckPods(context: ControllerContext, recorder: EventRecorder, signal: AbortSignal): void {
  // The API server counts whole seconds: a pod of the second we started in is taken for a new one.
  const started = Math.floor(context.clock.date().getTime() / 1000) * 1000;
  /** The last recorded reason of each existing pod, by uid. */
  const told = new Map<string, string>();
  const stop = context.cache.onChange((change) => {
    const pod = stuckPodOf(change);
    if (pod === undefined || !context.scope.includes(pod.metadata.namespace ?? '')) return;
    const { uid = '', name, creationTimestamp = '' } = pod.metadata;
    const stuck = stuckReason(pod);
    if (stuck === undefined || told.get(uid) === stuck.reason) return;
    // An earlier process has recorded what it saw.
    const isOld = !told.has(uid) && change.before === undefined && Date.parse(creationTimestamp) < started;
    told.set(uid, stuck.reason);
    if (told.size > remembered) told.delete(told.keys().next().value ?? '');
    const subject = isOld ? undefined : ownerOf(pod, context);
    if (subject !== undefined)
      recorder.record(subject, {
        type: 'Warning',
        reason: 'PodStuck',
        message: `Pod ${name}: ${stuck.reason}: ${stuck.message}`,
      });
  });
  signal.addEventListener('abort', stop, { once: true });
}

const remembered = 4096;

function stuckPodOf({ watched, after }: CacheChange): KubernetesObject | undefined {
  return watched.kind === 'Pod' && watched.selection?.labelSelector === label.graph ? after : undefined;
}

/** The component a pod belongs to; on Grove, where there is none, its graph. */
function ownerOf({ metadata }: KubernetesObject, { cache }: ControllerContext): KubernetesObject | undefined {
  const { namespace = '', labels = {} } = metadata;
  const graph = labels[label.graph] ?? '';
  const names = [serviceObjectName(graph, labels[label.component] ?? ''), labels[label.selector] ?? ''];
  const components = names.map((name) => cache.get({ ...ownKinds.component, namespace, name })?.value);
  return components.find((found) => found !== undefined) ?? cache.get({ ...ownKinds.graph, namespace, name: graph })?.value;
}
