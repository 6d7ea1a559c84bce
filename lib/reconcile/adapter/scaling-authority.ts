/** Which of several adapters scales a service. If two did, each would undo the other's replicas for ever. */
import { isTrueAt, stringAt, type JsonObject } from '../../json/index.ts';
import { serviceObjectName } from '../../render/index.ts';
import { isDeleting, keyOf } from '../metadata.ts';
import { controls, unlessLeftOver } from '../ownership.ts';

/** The index of adapters by the service they scale. */
export const scaledServiceIndex = 'scaled-service';

/** The value of `scaledServiceIndex` for an adapter. */
export function scaledServiceOf(adapter: JsonObject): string {
  return `${stringAt(adapter, 'spec', 'dgdRef', 'name')}/${stringAt(adapter, 'spec', 'dgdRef', 'serviceName')}`;
}

/** The name of the adapter that scales a service: the graph's own where it has one switched on, else the oldest. */
export function scalingAuthority(
  graph: JsonObject,
  service: string,
  component: JsonObject,
  adapters: readonly JsonObject[],
): string | undefined {
  if (isTrueAt(component, 'scalingAdapter', 'enabled')) return serviceObjectName(keyOf(graph).name, service);
  const staying = adapters.filter((one) => !isDeleting(one) && !controls(graph, one) && unlessLeftOver(one, graph) !== undefined);
  const age = (one: JsonObject): string => `${stringAt(one, 'metadata', 'creationTimestamp')} ${keyOf(one).name}`;
  const [oldest] = staying.toSorted((a, b) => (age(a) < age(b) ? -1 : 1));
  return oldest && keyOf(oldest).name;
}
