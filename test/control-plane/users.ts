/** The users a control plane knows from its start; service accounts made later come with tokens of their own. */
import { randomBytes } from 'node:crypto';

/** How much of a user's requests the audit log keeps. */
export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';

/** A user with a fixed token. */
export interface TestUser {
  /** Name the API server knows the user by. */
  readonly username: string;
  /** Groups; the API server adds `system:authenticated` itself. */
  readonly groups: readonly string[];
  /**
   * How much the audit log keeps.
   * @default Request
   */
  readonly audit?: AuditLevel;
}

/** A service account as the API server knows it once it has authenticated. */
export function serviceAccount(namespace: string, name: string): TestUser {
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
  };
}

/** Users of every control plane, by short name. */
export const standardUsers = {
  admin: { username: 'admin', groups: ['system:masters'], audit: 'None' },
  // The name the operator has when the platform is installed as `dynamo-platform` in `dynamo-system`.
  operator: serviceAccount('dynamo-system', 'dynamo-platform-dynamo-operator-controller-manager'),
  planner: serviceAccount('dynamo-system', 'planner-serviceaccount'),
  alice: { username: 'alice', groups: [] },
  bob: { username: 'bob', groups: [] },
  components: { username: 'control-plane-components', groups: ['system:masters'], audit: 'None' },
} as const satisfies Readonly<Record<string, TestUser>>;

/** A token nobody can guess. */
export function newToken(): string {
  return randomBytes(24).toString('base64url');
}

/** Content of the API server's `--token-auth-file`: `token,user,uid,"group,..."`. */
export function renderTokenFile(users: Readonly<Record<string, TestUser>>, tokens: Readonly<Record<string, string>>): string {
  return Object.entries(users)
    .map(([name, { username, groups }]) => `${tokens[name]},${username},${name},"${groups.join(',')}"\n`)
    .join('');
}

/** The API server's audit policy: what each user's level says, and whole requests of service accounts made later. */
export function renderAuditPolicy(users: Readonly<Record<string, TestUser>>): string {
  const perUser = Object.values(users).map(({ username, audit = 'Request' }) => ({ level: audit, users: [username] }));
  const rules = [...perUser, { level: 'Request', userGroups: ['system:serviceaccounts'] }, { level: 'None' }];
  return JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules });
}
