/** Who may change the replicas of a service that has a scaling adapter. */
import { findNumber, findObject, isTrueAt, type Json } from '../json/index.ts';
import { broken, type AdmissionIssue } from './admission-issue.ts';

/** Who asks: what the API server tells a webhook about the caller. */
export interface User {
  readonly username?: string;
  readonly groups?: readonly string[];
}

const suffixes = ['-dynamo-operator-controller-manager', 'planner-serviceaccount'];

/** Whether a caller may change replicas that a scaling adapter governs: the operator's and the Planner's service accounts. */
export function maySetReplicas(user: User | undefined): boolean {
  const parts = (user?.username ?? '').split(':');
  if (parts.length !== 4 || parts[0] !== 'system' || parts[1] !== 'serviceaccount') return false;
  return suffixes.some((suffix) => parts[3]?.endsWith(suffix));
}

/** The services whose replicas a caller changed without being allowed to; `kept` holds services as they were and as they are to be. */
export function keepReplicas(
  user: User | undefined,
  kept: readonly (readonly [name: string, was: Json, is: Json])[],
): readonly AdmissionIssue[] {
  if (maySetReplicas(user)) return [];
  const message =
    'cannot be modified directly when scaling adapter is enabled; scale or update the related DynamoGraphDeploymentScalingAdapter instead';
  return kept
    .filter(
      ([, was, is]) =>
        isTrueAt(findObject(is, 'scalingAdapter'), 'enabled') &&
        (findNumber(was, 'replicas') ?? 1) !== (findNumber(is, 'replicas') ?? 1),
    )
    .map(([key]) => broken(['spec', 'services', key, 'replicas'], 'immutable', message));
}
