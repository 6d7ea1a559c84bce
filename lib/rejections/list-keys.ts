import { isObject, type Json, type JsonObject, listAt, type Path } from '../json/index.ts';
import type { FieldErrors } from './field-errors.ts';

/**
 * The map-type lists of a pod spec and their keys, which CRD schemas declare as `x-kubernetes-list-map-keys`.
 * https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy
 */
const podLists: Readonly<Record<string, readonly string[]>> = {
  volumes: ['name'],
  containers: ['name'],
  initContainers: ['name'],
  imagePullSecrets: ['name'],
  resourceClaims: ['name'],
  schedulingGates: ['name'],
  hostAliases: ['ip'],
  topologySpreadConstraints: ['topologyKey', 'whenUnsatisfiable'],
};
const containerLists: Readonly<Record<string, readonly string[]>> = {
  env: ['name'],
  ports: ['containerPort', 'protocol'],
  volumeMounts: ['mountPath'],
  volumeDevices: ['devicePath'],
};
const resourceLists: Readonly<Record<string, readonly string[]>> = { claims: ['name'] };

function checkLists(holder: Json, lists: Readonly<Record<string, readonly string[]>>, field: Path, errors: FieldErrors): void {
  for (const [name, keys] of Object.entries(lists)) {
    const seen = new Set<string>();
    for (const [i, item] of listAt(holder, name).entries()) {
      const identity = Object.fromEntries(
        keys.map((key) => [key, isObject(item) ? (item[key] ?? (key === 'protocol' ? 'TCP' : '')) : '']),
      );
      const key = JSON.stringify(identity);
      if (seen.has(key)) errors.duplicate([...field, name, i], identity);
      seen.add(key);
    }
  }
}

/** Checks a pod spec inside a custom resource for list items with the same key, which the CRD schema rejects. */
export function checkListKeys(pod: JsonObject, field: Path, errors: FieldErrors): void {
  checkLists(pod, podLists, field, errors);
  for (const list of ['containers', 'initContainers'])
    for (const [i, container] of listAt(pod, list).entries()) {
      const at = [...field, list, i];
      checkLists(container, containerLists, at, errors);
      const resources = isObject(container) ? (container['resources'] ?? {}) : {};
      checkLists(resources, resourceLists, [...at, 'resources'], errors);
    }
}
