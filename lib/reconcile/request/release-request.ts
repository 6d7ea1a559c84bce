import { findObject, stringAt } from '../../json/index.ts';
import { statusOf } from '../condition.ts';
import type { Decision } from '../decision.ts';
import { kinds } from '../kinds.ts';
import { annotationsOf, keyOf, metadataPatch, ownersOf, uidOf } from '../metadata.ts';
import type { Reader } from '../reader.ts';
import type { Snapshot } from '../snapshot.ts';
import { acceptedSpec } from './accepted-spec.ts';
import { keptConfigMaps, ownerReference } from './additional-resources.ts';
import { requestAnnotation } from './request-keys.ts';

/**
 * Ends the deletion of a request. Its Job and output are deleted with it. A graph that was created from its result stays, and so do the ConfigMaps
 * that the graph mounts: the graph becomes their owner.
 */
export function releaseRequest({ resource }: Snapshot, reader: Reader): Decision {
  const release = metadataPatch(resource, { finalizer: 'remove' });
  const { namespace } = keyOf(resource);
  const status = statusOf(resource);
  const generated = findObject(status, 'generatedDeployment');
  const { overrides } = acceptedSpec(resource);
  const graphName =
    stringAt(findObject(status, 'deployment'), 'name') || stringAt(overrides, 'name') || stringAt(generated, 'metadata', 'name');
  const home = stringAt(findObject(status, 'deployment'), 'namespace') || stringAt(overrides, 'namespace') || namespace;
  if (graphName === '' || home !== namespace) return { steps: [release], events: [] };
  const graph = reader.get(kinds.graph, namespace, graphName);
  if (graph === undefined) return { steps: [release], events: [] };
  const names = keptConfigMaps(stringAt(annotationsOf(resource), requestAnnotation.additionalResources));
  const kept = names.map((name) => reader.get(kinds.configMap, namespace, name)).filter((found) => found !== undefined);
  const handedOver = kept.flatMap((configMap) => {
    const owners = ownersOf(configMap).filter((owner) => stringAt(owner, 'uid') !== uidOf(resource));
    if (owners.length === ownersOf(configMap).length) return [];
    const isOwner = owners.some((owner) => stringAt(owner, 'uid') === uidOf(graph));
    return metadataPatch(configMap, { owners: isOwner ? owners : [...owners, ownerReference(graph)] });
  });
  return { steps: [handedOver, release].filter((step) => step.length > 0), events: [] };
}
