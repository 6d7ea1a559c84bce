import type { JsonObject } from '../../json/index.ts';
import { sameCondition, withCondition, type Condition } from '../condition.ts';
import type { Event } from '../decision.ts';
import { cutMessage } from '../status.ts';
import type { Candidate } from './endpoint.ts';

/** What a pass observed of a model. */
export interface Findings {
  readonly baseModel: string;
  readonly services: number;
  readonly endpoints: readonly Candidate[];
  /** Addresses of workers that have the adapter; absent where nothing is loaded. */
  readonly ready?: ReadonlySet<string>;
  /** Calls that failed. */
  readonly failed: number;
}

/** The time and the generation that a status is written for. */
interface Moment {
  readonly now: string;
  readonly generation: number;
}

/** The status and events of an invalid model. The endpoints in its status stay as they were. */
export function invalidStatus(
  before: JsonObject,
  error: string,
  moment: Moment,
): { readonly status: JsonObject; readonly events: readonly Event[] } {
  const counted = { readyEndpoints: 0, totalEndpoints: 0, ...before };
  const status = set(counted, moment, [
    { type: 'Valid', status: 'False', reason: 'ValidationFailed', message: `Validation failed: ${error}` },
  ]);
  return { status, events: changed(before, status, 'Valid', [{ type: 'Warning', reason: 'ValidationFailed', message: error }]) };
}

/** The status and events of a valid model. Only changed conditions lead to events. */
export function modelStatus(
  before: JsonObject,
  findings: Findings,
  moment: Moment,
): { readonly status: JsonObject; readonly events: readonly Event[] } {
  const { endpoints, ready } = findings;
  const { endpoints: _before, ...rest } = before;
  const found = endpoints.map(({ address, podName }) => ({ address, podName, ready: ready?.has(address) === true }));
  const conditions = set(rest, moment, [
    servicesFound(findings),
    endpointsReady(findings),
    { type: 'Valid', status: 'True', reason: 'ValidationPassed', message: 'DynamoModel spec is valid' },
  ]);
  const status: JsonObject = {
    ...conditions,
    ...(found.length > 0 && { endpoints: found }),
    readyEndpoints: found.filter((endpoint) => endpoint.ready).length,
    totalEndpoints: found.length,
  };
  return { status, events: changed(before, status, 'EndpointsReady', eventsOf(findings)) };
}

function set(status: JsonObject, { now, generation }: Moment, conditions: readonly Condition[]): JsonObject {
  return conditions.reduce(
    (into, condition) =>
      withCondition(into, { ...condition, message: cutMessage(condition.message), observedGeneration: generation }, now),
    status,
  );
}

/** Events are recorded when a condition changes, not in every pass. */
function changed(before: JsonObject, after: JsonObject, type: string, events: readonly Event[]): readonly Event[] {
  return sameCondition(before, after, type) ? [] : events;
}

const nothingFound = (baseModel: string): string => `No endpoint slices found for base model ${baseModel}`;

function servicesFound({ endpoints, services, baseModel }: Findings): Condition {
  const type = 'ServicesFound';
  if (endpoints.length > 0 && services > 0)
    return { type, status: 'True', reason: 'ServicesFound', message: `Found ${services} service(s)` };
  const message = endpoints.length > 0 ? 'No services associated with endpoint slices' : nothingFound(baseModel);
  return { type, status: 'False', reason: 'NoServicesFound', message };
}

function endpointsReady({ endpoints, ready, baseModel }: Findings): Condition {
  const type = 'EndpointsReady';
  const total = endpoints.length;
  if (total === 0) return { type, status: 'False', reason: 'NoEndpoints', message: nothingFound(baseModel) };
  if (ready === undefined)
    return { type, status: 'True', reason: 'EndpointsDiscovered', message: `Found ${total} endpoint(s) for base model` };
  if (ready.size === total)
    return { type, status: 'True', reason: 'AllEndpointsReady', message: `All ${total} endpoint(s) are ready` };
  return { type, status: 'False', reason: 'NotReady', message: `Found ${ready.size} ready endpoint(s) out of ${total} total` };
}

function eventsOf({ endpoints, ready, failed, baseModel }: Findings): readonly Event[] {
  const total = endpoints.length;
  if (total === 0) return [{ type: 'Warning', reason: 'NoEndpointsFound', message: nothingFound(baseModel) }];
  if (ready === undefined)
    return [
      { type: 'Normal', reason: 'EndpointsDiscovered', message: `Discovered ${total} endpoints for base model ${baseModel}` },
    ];
  if (ready.size === total)
    return [{ type: 'Normal', reason: 'EndpointsReady', message: `All ${total} endpoints ready for base model ${baseModel}` }];
  const message = `Only ${ready.size} of ${total} endpoints ready for base model ${baseModel}`;
  return [
    {
      type: 'Warning',
      reason: 'PartialEndpointFailure',
      message: `Some endpoints failed to load LoRA: ${failed} task(s) failed`,
    },
    { type: 'Warning', reason: 'NotReady', message },
  ];
}
