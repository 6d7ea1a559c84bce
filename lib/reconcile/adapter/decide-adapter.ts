import { escapePointerKey, findNumber, findObject, isTrueAt, objectAt, stringAt, type JsonObject } from '../../json/index.ts';
import { label } from '../../render/index.ts';
import { askFor, decisionFor } from '../answer.ts';
import { statusOf, toTime } from '../condition.ts';
import type { Answer } from '../decision.ts';
import { kinds } from '../kinds.ts';
import { guardedPatch, isDeleting, keyOf } from '../metadata.ts';
import { controls, unlessLeftOver } from '../ownership.ts';
import type { Step } from '../plan.ts';
import { readerOf } from '../reader.ts';
import { scaledServiceIndex, scaledServiceOf, scalingAuthority } from './scaling-authority.ts';
import type { Snapshot } from '../snapshot.ts';
import { statusStep } from '../status.ts';

/**
 * What to do about a DynamoGraphDeploymentScalingAdapter: copy its replicas to the service of its graph. The status is written first. After a crash
 * between the two writes the graph still differs, so the next pass writes it, and `lastScaleTime` is already stored.
 */
export function decideAdapter(snapshot: Snapshot): Answer {
  const { resource, refused } = snapshot;
  if (isDeleting(resource)) return decisionFor([]);
  const { name, namespace } = keyOf(resource);
  const spec = objectAt(resource, 'spec');
  const reference = objectAt(spec, 'dgdRef');
  const [graphName, service] = [stringAt(reference, 'name'), stringAt(reference, 'serviceName')];
  const reader = readerOf(snapshot);
  const graph = reader.get(kinds.graph, namespace, graphName);
  const adapters = reader.list(kinds.adapter, namespace, { index: scaledServiceIndex, value: scaledServiceOf(resource) });
  const missing = askFor(reader);
  if (missing !== undefined) return missing;
  if (graph === undefined) return decisionFor([], { error: `DynamoGraphDeployment.nvidia.com "${graphName}" not found` });
  const component = findObject(objectAt(graph, 'spec', 'services'), service);
  if (component === undefined) return decisionFor([], { error: `service ${service} not found in DGD` });
  // An adapter that the graph switched off, or that belongs to a deleted graph of this name, is about to be deleted and scales nothing.
  const isOff = controls(graph, resource) && !isTrueAt(component, 'scalingAdapter', 'enabled');
  if (isOff || unlessLeftOver(resource, graph) === undefined) return decisionFor([]);
  const authority = scalingAuthority(graph, service, component, adapters);
  if (authority !== name)
    return decisionFor([], { error: `service ${service} of DGD ${graphName} is scaled by adapter ${authority ?? 'none'}` });
  const wanted = findNumber(spec, 'replicas') ?? 0;
  const scaling = scalingStep(graph, service, component, wanted);
  const status = adapterStatus(snapshot, wanted, scaling.length > 0);
  if (refused === undefined) return decisionFor([...statusStep(resource, status), ...scaling]);
  if (refused.verb === 'status') return decisionFor([], { error: refused.message });
  const message = `Failed to update DGD ${graphName}: ${refused.message}`;
  const unscaled = statusStep({ ...resource, status }, adapterStatus(snapshot, wanted, false));
  return decisionFor(unscaled, { events: [{ type: 'Warning', reason: 'UpdateFailed', message }], error: refused.message });
}

function scalingStep(graph: JsonObject, service: string, component: JsonObject, wanted: number): readonly Step[] {
  const present = findNumber(component, 'replicas') ?? 1;
  if (present === wanted || isDeleting(graph)) return [];
  const path = `/spec/services/${escapePointerKey(service)}/replicas`;
  const message = `Scaled service ${service} from ${present} to ${wanted} replicas`;
  return [
    [
      {
        write: guardedPatch(graph, [{ op: 'add', path, value: wanted }]),
        chain: '',
        told: { type: 'Normal', reason: 'Scaled', message },
      },
    ],
  ];
}

function adapterStatus({ resource, now }: Snapshot, replicas: number, scaled: boolean): JsonObject {
  const reference = objectAt(resource, 'spec', 'dgdRef');
  const labels = [
    [label.graph, stringAt(reference, 'name')],
    [label.component, stringAt(reference, 'serviceName')],
  ];
  const { replicas: _before, ...kept } = statusOf(resource);
  return {
    ...kept,
    // The original omits a zero.
    ...(replicas !== 0 && { replicas }),
    selector: labels.map((pair) => pair.join('=')).join(','),
    ...(scaled && { lastScaleTime: toTime(now) }),
  };
}
