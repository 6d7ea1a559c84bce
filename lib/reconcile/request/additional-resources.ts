import { byteLength, isEqual, type Json, type JsonObject, objectAt, type PatchOperation, stringAt } from '../../json/index.ts';
import { readManifests } from '../../manifest/index.ts';
import { goYaml } from '../../render/index.ts';
import type { Event, Write } from '../decision.ts';
import { kinds } from '../kinds.ts';
import { guardedPatch, keyOf, labelsOf, ownersOf, uidOf } from '../metadata.ts';
import type { Reader } from '../reader.ts';
import { requestAnnotation, trackingLabel, trackingLabels } from './request-keys.ts';

/** The most bytes that the annotation with the additional resources of a profiler's output may have. */
const mostBytes = 250_000;

/** The annotation that keeps additional resources, or why they do not fit. */
export function additionalResourcesText(
  additional: readonly JsonObject[],
): { readonly text: string } | { readonly problem: string } {
  const text = additional.map((object) => goYaml(object)).join('\n---\n');
  const bytes = byteLength(text);
  if (bytes <= mostBytes) return { text };
  const advice = 'consider reducing the number of resources or storing them separately';
  return {
    problem: `additional resources YAML size (${bytes} bytes) exceeds maximum annotation size (${mostBytes} bytes); ${advice}`,
  };
}

/** Names of the ConfigMaps among the additional resources that an annotation keeps. */
export function keptConfigMaps(text: string): readonly string[] {
  const { documents } = readManifests(text, requestAnnotation.additionalResources);
  return documents.flatMap(({ value }) => {
    const name = stringAt(value, 'metadata', 'name');
    return stringAt(value, 'kind') === 'ConfigMap' && name !== '' ? [name] : [];
  });
}

/** Writes for the ConfigMaps among the additional resources, and warnings about ConfigMaps of these names that were not made for the request. */
export function configMapWrites(
  request: JsonObject,
  additional: readonly JsonObject[],
  namespace: string,
  reader: Reader,
): { readonly writes: readonly Write[]; readonly events: readonly Event[] } {
  const outcomes = additional
    .filter((object) => stringAt(object, 'kind') === 'ConfigMap')
    .map((object) => configMapWrite(request, wantedConfigMap(request, object, namespace), reader));
  return {
    writes: outcomes.flatMap((outcome) => ('write' in outcome ? [outcome.write] : [])),
    events: outcomes.flatMap((outcome) => ('event' in outcome ? [outcome.event] : [])),
  };
}

/** An owner reference, not as controller: the garbage collector deletes the object with the request. */
export function ownerReference(request: JsonObject): JsonObject {
  const { apiVersion, kind, name } = keyOf(request);
  return { apiVersion, kind, name, uid: uidOf(request) };
}

/** Owner references with the request added; undefined if the request is an owner already or the object is in another namespace. */
export function ownersWith(object: JsonObject, request: JsonObject): readonly Json[] | undefined {
  if (keyOf(object).namespace !== keyOf(request).namespace) return undefined;
  const owners = ownersOf(object);
  return owners.some((owner) => stringAt(owner, 'uid') === uidOf(request)) ? undefined : [...owners, ownerReference(request)];
}

function wantedConfigMap(request: JsonObject, object: JsonObject, namespace: string): JsonObject {
  const { metadata, ...body } = object;
  const { namespace: home, name } = keyOf(request);
  const { resourceVersion: _version, uid: _uid, ownerReferences: _owners, ...kept } = objectAt({ metadata }, 'metadata');
  return {
    ...body,
    ...kinds.configMap,
    metadata: {
      ...kept,
      namespace,
      labels: { ...labelsOf(object), ...trackingLabels(name, home) },
      ...(namespace === home && { ownerReferences: [ownerReference(request)] }),
    },
  };
}

function configMapWrite(
  request: JsonObject,
  wanted: JsonObject,
  reader: Reader,
): { readonly write: Write } | { readonly event: Event } | Record<string, never> {
  const target = keyOf(wanted);
  const live = reader.get(kinds.configMap, target.namespace, target.name);
  if (live === undefined) return { write: { verb: 'create', target, object: wanted } };
  const { name, namespace } = keyOf(request);
  const labels = labelsOf(live);
  if (stringAt(labels, trackingLabel.name) !== name || stringAt(labels, trackingLabel.namespace) !== namespace) {
    const owner = stringAt(labels, trackingLabel.name) || 'no request';
    const message = [
      `ConfigMap ${target.namespace}/${target.name} exists already, made for ${owner}: it is left as it is,`,
      'so that a deployment of this request runs with its data. Delete it, or deploy into another namespace',
    ].join(' ');
    return { event: { type: 'Warning', reason: 'ConfigMapConflict', message } };
  }
  const changes = ['data', 'binaryData'].flatMap((field): PatchOperation[] => {
    const [is, should] = [live[field], wanted[field]];
    if (isEqual(is, should)) return [];
    return should === undefined ? [{ op: 'remove', path: `/${field}` }] : [{ op: 'add', path: `/${field}`, value: should }];
  });
  const owners = ownersWith(live, request);
  if (owners !== undefined) changes.push({ op: 'add', path: '/metadata/ownerReferences', value: owners });
  return changes.length === 0 ? {} : { write: guardedPatch(live, changes) };
}
