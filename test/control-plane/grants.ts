/** Gives a user rights, and waits until the API server knows of them. */
import { setTimeout } from 'node:timers/promises';
import { type Client, type KubernetesObject, succeeded } from './client.ts';

/** A rule of RBAC. */
export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** Rights to give. */
export interface Grant {
  /** Name the API server knows the user by. */
  readonly username: string;
  /** What the user may do. */
  readonly rules: readonly Rule[];
  /**
   * Namespace in which the rules hold.
   * @default - all namespaces
   */
  readonly namespace?: string;
}

const rbac = 'rbac.authorization.k8s.io';
const patienceMs = 300_000;

/** Gives a user rights by a role and a binding named after the user. */
export async function grant(client: Client, { username, rules, namespace }: Grant): Promise<void> {
  const prefix = namespace === undefined ? 'Cluster' : '';
  const metadata = { name: `granted:${username}`, ...(namespace === undefined ? {} : { namespace }) };
  succeeded(await client.apply({ apiVersion: `${rbac}/v1`, kind: `${prefix}Role`, metadata, rules }));
  succeeded(
    await client.apply({
      apiVersion: `${rbac}/v1`,
      kind: `${prefix}RoleBinding`,
      metadata,
      roleRef: { apiGroup: rbac, kind: `${prefix}Role`, name: metadata.name },
      subjects: [{ apiGroup: rbac, kind: 'User', name: username }],
    }),
  );
  // The authorizer learns of roles by watching, a moment after they are stored.
  const deadline = Date.now() + patienceMs;
  for (const rule of rules) {
    while (!(await isAllowed(client, username, rule, namespace))) {
      if (Date.now() > deadline) throw new Error(`${username} is still refused ${JSON.stringify(rule)}`);
      await setTimeout(10);
    }
  }
}

async function isAllowed(client: Client, user: string, rule: Rule, namespace: string | undefined): Promise<boolean> {
  const [group, resource, verb] = [rule.apiGroups.at(-1), rule.resources.at(-1), rule.verbs.at(-1)];
  const answer = await client.request<KubernetesObject & { readonly status: { readonly allowed: boolean } }>(
    'POST',
    '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    {
      body: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: { user, resourceAttributes: { group, resource, verb, namespace } },
      },
    },
  );
  return succeeded(answer).status.allowed;
}
