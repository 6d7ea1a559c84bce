import { findNumber, findObject, isTrueAt, type Json } from '../json/index.ts';
import { fieldIssue, type AdmissionIssue } from './admission-issue.ts';

/** The caller, from `userInfo` of an AdmissionReview. */
export interface User {
  readonly username?: string;
  readonly groups?: readonly string[];
}

/** Ends of the names of the operator's and the Planner's service accounts. */
const accountSuffixes = ['-dynamo-operator-controller-manager', 'planner-serviceaccount'];

/**
 * Whether a caller may change the replicas of a service with a scaling adapter: only the operator's and the Planner's service accounts may.
 * The user name of a service account is `system:serviceaccount:NAMESPACE:NAME`.
 * https://kubernetes.io/docs/reference/access-authn-authz/authentication/#service-account-tokens
 */
export function maySetReplicas(user: User | undefined): boolean {
  const parts = (user?.username ?? '').split(':');
  if (parts.length !== 4 || parts[0] !== 'system' || parts[1] !== 'serviceaccount') return false;
  return accountSuffixes.some((suffix) => parts[3]?.endsWith(suffix));
}

/** Rejects changes of replicas that belong to a scaling adapter, unless the caller may make them. */
export function checkReplicasUnchanged(
  user: User | undefined,
  services: readonly (readonly [name: string, oldService: Json, service: Json])[],
): readonly AdmissionIssue[] {
  if (maySetReplicas(user)) return [];
  const message =
    'cannot be modified directly when scaling adapter is enabled; scale or update the related DynamoGraphDeploymentScalingAdapter instead';
  return services
    .filter(
      ([, oldService, service]) =>
        isTrueAt(findObject(service, 'scalingAdapter'), 'enabled') &&
        (findNumber(oldService, 'replicas') ?? 1) !== (findNumber(service, 'replicas') ?? 1),
    )
    .map(([key]) => fieldIssue(['spec', 'services', key, 'replicas'], 'immutable', message));
}
