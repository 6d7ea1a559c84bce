import { isEqual, type JsonObject } from '../json/index.ts';
import { keyOf } from './metadata.ts';
import type { Step } from './plan.ts';

/** Longest message the API server takes in a condition. */
const longestMessage = 32_768;

/** A message as far as a condition can hold it. */
export function cutMessage(message: string): string {
  return message.length <= longestMessage ? message : `${message.slice(0, longestMessage - 3)}...`;
}

/** The write of a status; none where it says what is stored already. */
export function statusStep(resource: JsonObject, status: JsonObject, chain = ''): readonly Step[] {
  if (isEqual(resource['status'] ?? {}, status)) return [];
  return [[{ write: { verb: 'status', target: keyOf(resource), object: { ...resource, status } }, chain }]];
}
