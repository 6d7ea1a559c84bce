import type { JsonObject } from '../../json/index.ts';
import { deletion } from '../child.ts';
import type { GraphPass } from './graph-pass.ts';
import { kinds } from '../kinds.ts';
import { isDeleting, keyOf } from '../metadata.ts';
import { isModelService, releaseModelService } from '../model-service.ts';
import { ownedObjects } from '../owned-objects.ts';
import { controls } from '../ownership.ts';
import type { Step } from '../plan.ts';
import type { Reader } from '../reader.ts';
import type { ObjectKind, Snapshot } from '../snapshot.ts';

/** Kinds that a graph may control and delete; adapters have their own stage, and claims are never deleted. */
const owned: readonly ObjectKind[] = [
  kinds.component,
  kinds.podCliqueSet,
  kinds.service,
  kinds.ingress,
  kinds.virtualService,
  kinds.serviceAccount,
  kinds.role,
  kinds.roleBinding,
  kinds.configMap,
  kinds.inferencePool,
];

/** Everything a graph controls and may have to remove, and the Services of models it shares. */
export function ownedByGraph(snapshot: Snapshot, reader: Reader): readonly JsonObject[] {
  return ownedObjects(owned, snapshot, reader);
}

/** Kinds deleted without waiting for new workloads: components of removed services; on Grove, disabled Ingresses and VirtualServices. */
const atOnce = {
  components: new Set<string>([kinds.component.kind]),
  grove: new Set<string>([kinds.ingress.kind, kinds.virtualService.kind]),
} as const;

/** Deletes objects that a graph no longer wants. What pods may still use, and workloads of another orchestrator, wait until the new workloads are ready. */
export function graphGarbage(
  pass: GraphPass,
  children: readonly JsonObject[],
  onGrove: boolean,
  ready: boolean,
): readonly Step[] {
  const key = (object: JsonObject): string => `${keyOf(object).kind}/${keyOf(object).name}`;
  const wanted = new Set(pass.rendering.objects.map(({ object }) => key(object)));
  const garbage = children.filter(
    (object) =>
      (controls(pass.resource, object) || isModelService(object)) &&
      !isDeleting(object) &&
      !wanted.has(key(object)) &&
      (ready || atOnce[onGrove ? 'grove' : 'components'].has(keyOf(object).kind)),
  );
  return [
    garbage.flatMap((object) =>
      isModelService(object) ? releaseModelService(object, pass.resource, '') : [deletion(object, '')],
    ),
  ];
}
