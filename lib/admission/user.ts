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
