import { findString, type JsonObject, type Path } from '../json/index.ts';
import { quantityValue } from '../fit/index.ts';
import type { FieldErrors } from './field-errors.ts';
import { checkQualifiedName } from './names.ts';

/**
 * Fields of a pod that are available to environment variables and to volumes.
 * https://kubernetes.io/docs/concepts/workloads/pods/downward-api/#available-fields
 */
const available = {
  env: [
    'metadata.name',
    'metadata.namespace',
    'metadata.uid',
    'spec.nodeName',
    'spec.serviceAccountName',
    'status.hostIP',
    'status.hostIPs',
    'status.podIP',
    'status.podIPs',
  ],
  volume: ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'],
} as const;

/** Fields that the API server knows as field paths, available or not. */
const known = [
  ...available.env,
  ...available.volume,
  'spec.restartPolicy',
  'spec.schedulerName',
  'spec.hostNetwork',
  'status.phase',
];

/** Checks a reference to a field of the pod. */
export function checkFieldPath(ref: JsonObject, target: keyof typeof available, field: Path, errors: FieldErrors): void {
  const path = findString(ref, 'fieldPath') ?? '';
  const version = findString(ref, 'apiVersion') || 'v1';
  const at = [...field, 'fieldPath'];
  if (path === '') return errors.required(at);
  if (version !== 'v1') return errors.invalid(at, path, `error converting fieldPath: unsupported pod version: ${version}`);
  const subscript = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path);
  const allowed: readonly string[] = available[target];
  // spec.host is an old name of spec.nodeName.
  if (allowed.includes(path) || (path === 'spec.host' && target === 'env')) return;
  if (subscript)
    return errors.each(
      checkQualifiedName(subscript[1] === 'annotations' ? (subscript[2] ?? '').toLowerCase() : (subscript[2] ?? '')),
      field,
      subscript[2],
    );
  if (known.includes(path) || path === 'spec.host') errors.unsupported(at, path, allowed);
  else errors.invalid(at, path, `error converting fieldPath: field label not supported: ${path}`);
}

const resources = [
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
];
const cpuDivisors = [0.001, 1];
const byteDivisors = [
  ...['', 'k', 'M', 'G', 'T', 'P', 'E'].map((_, i) => 1000 ** i),
  ...[1, 2, 3, 4, 5, 6].map((i) => 1024 ** i),
];

/** Checks a reference to a resource of a container. */
export function checkResourceField(ref: JsonObject, field: Path, errors: FieldErrors): void {
  const resource = findString(ref, 'resource') ?? '';
  if (resource === '') return errors.required([...field, 'resource']);
  if (!resources.includes(resource) && !/^(?:limits|requests)\.hugepages-/.test(resource))
    return errors.unsupported([...field, 'resource'], resource, resources);
  const divisor = quantityValue(ref['divisor']);
  if (divisor === undefined || divisor === 0) return;
  const allowed = resource.endsWith('.cpu') ? cpuDivisors : byteDivisors;
  if (!allowed.includes(divisor))
    errors.invalid(
      [...field, 'divisor'],
      resource,
      resource.endsWith('.cpu')
        ? "only divisor's values 1m and 1 are supported with the cpu resource"
        : "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with this resource",
    );
}
