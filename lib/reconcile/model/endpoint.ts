import { byteOrder, findObject, isObject, isTrueAt, type JsonObject, listAt, stringAt } from '../../json/index.ts';
import { labelsOf } from '../metadata.ts';

/** The system port of a worker, where it answers calls about LoRAs. Ports in the slice are ignored. */
const systemPort = 9090;

/** A pod that may serve a model, by one of its addresses. */
export interface Candidate {
  /** Base URL of the worker, such as `http://10.0.1.5:9090`. */
  readonly address: string;
  readonly podName: string;
  /** Whether the pod is ready. Pods that are not ready are asked to load too, after the others. */
  readonly ready: boolean;
}

/** Every address of every pod in the slices, in their order, without terminating pods and endpoints that are not pods. */
export function candidatesOf(slices: readonly JsonObject[]): readonly Candidate[] {
  return slices
    .flatMap((slice) => listAt(slice, 'endpoints').filter(isObject))
    .flatMap((endpoint) => {
      const target = findObject(endpoint, 'targetRef');
      const conditions = findObject(endpoint, 'conditions');
      if (stringAt(target, 'kind') !== 'Pod' || isTrueAt(conditions, 'terminating')) return [];
      const ready = conditions?.['ready'] !== false;
      return listAt(endpoint, 'addresses').flatMap((host) =>
        typeof host === 'string' && isAddress(host) ? [{ address: baseUrl(host), podName: stringAt(target, 'name'), ready }] : [],
      );
    });
}

/** One candidate for each pod, sorted by pod: a pod with two addresses is still one worker. */
export function endpointsOf(candidates: readonly Candidate[]): readonly Candidate[] {
  const sorted = candidates.toSorted((a, b) => byteOrder(a.podName, b.podName) || byteOrder(a.address, b.address));
  return sorted.filter((candidate, index) => index === 0 || candidate.podName !== sorted[index - 1]?.podName);
}

/** Names of the Services the slices belong to. */
export function serviceNames(slices: readonly JsonObject[]): ReadonlySet<string> {
  const names = slices.map((slice) => stringAt(labelsOf(slice), 'kubernetes.io/service-name'));
  return new Set(names.filter((name) => name !== ''));
}

/** Whether a host looks like an IP address. Others are not called: a host name in a slice could lead anywhere, and `bad.de` is one. */
function isAddress(host: string): boolean {
  return /^[0-9.]{7,15}$/.test(host) || (host.includes(':') && /^[0-9a-fA-F:.]{2,45}$/.test(host));
}

function baseUrl(host: string): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${systemPort}`;
}
