import { createRequire } from 'node:module';
import { App, Chart } from 'cdk8s';
import type * as plus from 'cdk8s-plus-28';
import type { Construct } from 'constructs';

/** A reference to another object: its name, or a construct with a name, such as one of cdk8s-plus. */
export type Named = string | { readonly name: string };

/** The name of a referenced object. */
export function referencedName(object: Named): string {
  return typeof object === 'string' ? object : object.name;
}

const require = createRequire(import.meta.url);
const constructs = new WeakMap<Construct, Map<string, unknown>>();

/**
 * Returns the cdk8s-plus construct for an object, the same one on every call. cdk8s-plus is loaded on the first call, since loading it takes longer
 * than synthesizing a graph.
 */
export function plusConstruct<R>(
  scope: Construct,
  id: string,
  create: (library: typeof plus, scope: Construct, id: string) => R,
): R {
  const created = constructs.get(scope) ?? new Map<string, unknown>();
  constructs.set(scope, created);
  if (!created.has(id)) created.set(id, create(require('cdk8s-plus-28') as typeof plus, scope, id));
  return created.get(id) as R;
}

/** A ServiceAccount that this package or the operator creates, as a cdk8s-plus construct. */
export function plusServiceAccount(scope: Construct, name: string, namespaceName?: string): plus.IServiceAccount {
  const options = namespaceName === undefined ? {} : { namespaceName };
  return plusConstruct(scope, `account-${name}`, ({ ServiceAccount }, parent, id) =>
    ServiceAccount.fromServiceAccountName(parent, id, name, options),
  );
}

/** A Secret, created by this package or not, as a cdk8s-plus construct. */
export function plusSecret(scope: Construct, name: string): plus.ISecret {
  return plusConstruct(scope, `secret-${name}`, ({ Secret }, parent, id) => Secret.fromSecretName(parent, id, name));
}

/**
 * A Namespace as a cdk8s-plus construct, for the peers of a NetworkPolicy. cdk8s-plus has no reference to an existing Namespace and would synthesize
 * this one, so it belongs to a separate app that is never synthesized.
 */
export function plusNamespace(scope: Construct, name: string): plus.Namespace {
  return plusConstruct(
    scope,
    `namespace-${name}`,
    ({ Namespace }, _scope, id) => new Namespace(new Chart(new App(), 'namespaces'), id, { metadata: { name } }),
  );
}
