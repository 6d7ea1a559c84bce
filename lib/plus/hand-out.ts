import { createRequire } from 'node:module';
import { App, Chart } from 'cdk8s';
import type * as plus from 'cdk8s-plus-28';
import type { Construct } from 'constructs';

/** A reference to another object: its name, or a construct of cdk8s-plus or others that has a name. */
export type Named = string | { readonly name: string };

/** The name of another object. */
export function nameOf(object: Named): string {
  return typeof object === 'string' ? object : object.name;
}

const require = createRequire(import.meta.url);
const handedOut = new WeakMap<Construct, Map<string, unknown>>();

/**
 * The cdk8s-plus construct of one of our objects; every call returns the same one. cdk8s-plus is loaded at the first call, since loading it takes
 * longer than synthesizing a graph.
 */
export function handOut<R>(scope: Construct, id: string, make: (from: typeof plus, scope: Construct, id: string) => R): R {
  const made = handedOut.get(scope) ?? new Map<string, unknown>();
  handedOut.set(scope, made);
  if (!made.has(id)) made.set(id, make(require('cdk8s-plus-28') as typeof plus, scope, id));
  return made.get(id) as R;
}

/** A service account that this package or the operator creates, as a cdk8s-plus construct. */
export function handOutAccount(scope: Construct, name: string, namespaceName?: string): plus.IServiceAccount {
  const options = namespaceName === undefined ? {} : { namespaceName };
  return handOut(scope, `account-${name}`, ({ ServiceAccount }, within, id) =>
    ServiceAccount.fromServiceAccountName(within, id, name, options),
  );
}

/** A Secret that this package or somebody else creates, as a cdk8s-plus construct. */
export function handOutSecret(scope: Construct, name: string): plus.ISecret {
  return handOut(scope, `secret-${name}`, ({ Secret }, within, id) => Secret.fromSecretName(within, id, name));
}

/**
 * A namespace as a cdk8s-plus construct, for rules of a NetworkPolicy. cdk8s-plus writes every Namespace that it knows, so this one is in an app of
 * its own, which is never synthesized.
 */
export function handOutNamespace(scope: Construct, name: string): plus.Namespace {
  return handOut(
    scope,
    `namespace-${name}`,
    ({ Namespace }, _scope, id) => new Namespace(new Chart(new App(), 'namespaces'), id, { metadata: { name } }),
  );
}
