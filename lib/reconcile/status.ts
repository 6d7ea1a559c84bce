import { isEqual, type JsonObject } from '../json/index.ts';
import { keyOf } from './metadata.ts';
import type { Step } from './plan.ts';

/** The longest message of a condition: `maxLength` of metav1.Condition. */
const longestMessage = 32_768;

/** A message, cut to the length that a condition can hold. */
export function cutMessage(message: string): string {
  return message.length <= longestMessage ? message : `${message.slice(0, longestMessage - 3)}...`;
}

/** The write of a status; none where it equals the stored one. */
export function statusStep(resource: JsonObject, status: JsonObject, chain = ''): readonly Step[] {
  if (isEqual(resource['status'] ?? {}, status)) return [];
  return [[{ write: { verb: 'status', target: keyOf(resource), object: { ...resource, status } }, chain }]];
}
