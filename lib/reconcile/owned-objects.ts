import type { JsonObject } from '../json/index.ts';
import { isLookedAfter } from './kinds.ts';
import { keyOf, uidOf } from './metadata.ts';
import { coOwnedModelServices } from './model-service.ts';
import type { Reader } from './reader.ts';
import type { ObjectKind, Snapshot } from './snapshot.ts';

/** The objects of some kinds that a resource controls, and the Services of models that it shares with other resources. */
export function ownedObjects(kinds: readonly ObjectKind[], snapshot: Snapshot, reader: Reader): readonly JsonObject[] {
  const { resource } = snapshot;
  const { namespace } = keyOf(resource);
  const select = { controllerUid: uidOf(resource) };
  const controlled = kinds
    .filter((kind) => isLookedAfter(kind, snapshot))
    .flatMap((kind) => reader.list(kind, namespace, select));
  return [...controlled, ...coOwnedModelServices(resource, reader)];
}
