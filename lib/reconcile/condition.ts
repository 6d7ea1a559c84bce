import { isObject, type Json, type JsonObject, listAt, objectAt, stringAt } from '../json/index.ts';

/** A condition to set on a resource. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
}

/**
 * When `lastTransitionTime` changes: with the status of the condition, or whenever the condition is set. The first is the convention of Kubernetes:
 * https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#typical-status-properties
 */
type TransitionTime = 'on flip' | 'always';

/** The condition of a type, as stored. */
export function conditionOf(status: JsonObject, type: string): JsonObject | undefined {
  return listAt(status, 'conditions')
    .filter(isObject)
    .find((entry) => stringAt(entry, 'type') === type);
}

/** Whether two messages say the same. The ports of connections from here differ at every try: `read tcp 10.0.0.1:40712->10.0.0.2:443`. */
export function isSameMessage(one: string, other: string): boolean {
  return one === other || withoutLocalPorts(one) === withoutLocalPorts(other);
}

function withoutLocalPorts(message: string): string {
  return message.replaceAll(/:\d+->/g, '->');
}

/** A status with a condition set: in the place of the one of its type, or last. A message that says the same stays as it is stored. */
export function withCondition(
  status: JsonObject,
  condition: Condition,
  now: string,
  transition: TransitionTime = 'on flip',
): JsonObject {
  const before = conditionOf(status, condition.type);
  const keepsTime = transition === 'on flip' && stringAt(before, 'status') === condition.status;
  const told = stringAt(before, 'message');
  const entry: JsonObject = {
    lastTransitionTime: keepsTime ? stringAt(before, 'lastTransitionTime') : toTime(now),
    ...condition,
    ...(isSameMessage(told, condition.message) && { message: told }),
  };
  const conditions: readonly Json[] = listAt(status, 'conditions');
  return {
    ...status,
    conditions: before === undefined ? [...conditions, entry] : conditions.map((other) => (other === before ? entry : other)),
  };
}

/** Whether status, reason and message of a condition are the same in both statuses. */
export function sameCondition(before: JsonObject, after: JsonObject, type: string): boolean {
  const [a, b] = [conditionOf(before, type), conditionOf(after, type)];
  return ['status', 'reason', 'message'].every((field) => stringAt(a, field) === stringAt(b, field));
}

/** The status of a stored object, empty where it has none. */
export function statusOf(object: JsonObject): JsonObject {
  return objectAt(object, 'status');
}

/** A time as Kubernetes writes it: RFC 3339 with whole seconds. */
export function toTime(moment: string): string {
  return moment.replace(/\.\d+Z$/, 'Z');
}
