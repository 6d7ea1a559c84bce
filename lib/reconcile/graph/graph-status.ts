import { isEqual, objectAt, sortedKeys, stringAt, type JsonObject } from '../../json/index.ts';
import type { RestartStatus } from '../../render/index.ts';
import { conditionOf, sameCondition, statusOf, withCondition, type Condition } from '../condition.ts';
import type { Event } from '../decision.ts';
import type { WorkloadsPlan } from './workloads.ts';
import { cutMessage } from '../status.ts';

/** The status of a graph after a pass whose writes all succeeded. */
export function graphStatus(
  resource: JsonObject,
  { notReady, services }: WorkloadsPlan,
  restart: RestartStatus | undefined,
  now: string,
): JsonObject {
  const { restart: _before, services: _counts, ...kept } = statusOf(resource);
  const ready = notReady.length === 0;
  const reasons = notReady.map(({ name, reason }) => `${name}: ${reason}`).join('; ');
  const condition: Condition = ready
    ? { type: 'Ready', status: 'True', reason: 'all_resources_are_ready', message: 'All resources are ready' }
    : {
        type: 'Ready',
        status: 'False',
        reason: 'some_resources_are_not_ready',
        message: cutMessage(`Resources not ready: ${reasons}`),
      };
  return {
    ...withCondition(kept, condition, now),
    state: ready ? 'successful' : 'pending',
    ...(Object.keys(services).length > 0 && { services }),
    ...(restart && { restart: restartJson(restart) }),
  };
}

/** Whether two statuses differ at most in replica counts and the text of the message. */
export function differsInCountsOnly(before: JsonObject, after: JsonObject): boolean {
  const gist = (status: JsonObject): JsonObject => {
    const ready = conditionOf(status, 'Ready');
    const services = sortedKeys(objectAt(status, 'services'));
    return {
      state: status['state'] ?? '',
      restart: status['restart'] ?? {},
      ready: [stringAt(ready, 'status'), stringAt(ready, 'reason')],
      services,
    };
  };
  return isEqual(gist(before), gist(after));
}

function restartJson({ observedID, phase, inProgress }: RestartStatus): JsonObject {
  return {
    ...(observedID !== undefined && { observedID }),
    ...(phase !== undefined && { phase }),
    ...(inProgress !== undefined && inProgress.length > 0 && { inProgress }),
  };
}

/** Reason and message of a failed pass over a graph. */
export interface GraphFailure {
  readonly reason: 'ValidationFailed' | 'failed_to_handle_the_finalizer' | 'failed_to_reconcile_the_resources';
  readonly message: string;
}

/** The status of a graph whose pass failed. Replica counts and restart progress stay as they were. */
export function failedStatus(resource: JsonObject, { reason, message }: GraphFailure, now: string): JsonObject {
  const condition: Condition = { type: 'Ready', status: 'False', reason, message: cutMessage(message) };
  return { ...withCondition(statusOf(resource), condition, now), state: 'failed' };
}

/** Events of a failed pass. A failure that the Ready condition already has is not recorded again. */
export function failureEvents(resource: JsonObject, status: JsonObject, events: readonly Event[]): readonly Event[] {
  const isKnown = sameCondition(statusOf(resource), status, 'Ready');
  return events.filter(({ type }) => type === 'Normal' || !isKnown);
}
