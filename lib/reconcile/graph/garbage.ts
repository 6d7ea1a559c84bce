import type { JsonObject } from '../../json/index.ts';
import { isModelServiceName } from '../../render/index.ts';
import { deletion } from '../child.ts';
import type { GraphPass } from './graph-pass.ts';
import { isServed, kinds } from '../kinds.ts';
import { isDeleting, keyOf, uidOf } from '../metadata.ts';
import { releaseModelService } from '../model-service.ts';
import { controls } from '../ownership.ts';
import type { Step } from '../plan.ts';
import type { Reader } from '../reader.ts';
import type { ObjectKind, Snapshot } from '../snapshot.ts';

/** What a graph may control; adapters are looked after by their own stage, and claims are never deleted. */
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

/** Everything a graph controls and may have to remove. */
export function ownedByGraph({ resource, apiGroups }: Snapshot, reader: Reader): readonly JsonObject[] {
  const { namespace } = keyOf(resource);
  const select = { controllerUid: uidOf(resource) };
  return owned.filter((kind) => isServed(kind, apiGroups)).flatMap((kind) => reader.list(kind, namespace, select));
}

/**
 * Removes what a graph has and no longer wants. Components of removed services go at once; what pods may still use, and the workloads of
 * another orchestrator, only when their successors are ready.
 */
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
      controls(pass.resource, object) &&
      !isDeleting(object) &&
      !wanted.has(key(object)) &&
      (ready || (!onGrove && keyOf(object).kind === kinds.component.kind)),
  );
  return [
    garbage.flatMap((object) => {
      const { kind, name } = keyOf(object);
      return kind === kinds.service.kind && isModelServiceName(name)
        ? releaseModelService(object, pass.resource, '')
        : [deletion(object, '')];
    }),
  ];
}
