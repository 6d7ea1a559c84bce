import { createRequire } from 'node:module';
import { App, Chart } from 'cdk8s';
import type * as plus from 'cdk8s-plus-28';
import type { Construct } from 'constructs';

/** Another object: by its name, or as cdk8s-plus and others hold it. */
export type Named = string | { readonly name: string };

/** The name of another object. */
export function nameOf(object: Named): string {
  return typeof object === 'string' ? object : object.name;
}

const require = createRequire(import.meta.url);
const handedOut = new WeakMap<Construct, Map<string, unknown>>();

/**
 * An object of cdk8s-plus that stands for one of ours, the same for each who asks. cdk8s-plus is loaded only then: that takes longer than to
 * synthesize a graph.
 */
export function handOut<R>(scope: Construct, id: string, make: (from: typeof plus, scope: Construct, id: string) => R): R {
  const made = handedOut.get(scope) ?? new Map<string, unknown>();
  handedOut.set(scope, made);
  if (!made.has(id)) made.set(id, make(require('cdk8s-plus-28') as typeof plus, scope, id));
  return made.get(id) as R;
}

/** An account that we or the operator make, as cdk8s-plus holds it. */
export function handOutAccount(scope: Construct, name: string, namespaceName?: string): plus.IServiceAccount {
  const options = namespaceName === undefined ? {} : { namespaceName };
  return handOut(scope, `account-${name}`, ({ ServiceAccount }, within, id) =>
    ServiceAccount.fromServiceAccountName(within, id, name, options),
  );
}

/** A Secret that we or others make, as cdk8s-plus holds it. */
export function handOutSecret(scope: Construct, name: string): plus.ISecret {
  return handOut(scope, `secret-${name}`, ({ Secret }, within, id) => Secret.fromSecretName(within, id, name));
}

/**
 * A namespace as cdk8s-plus holds it, for rules of a NetworkPolicy. cdk8s-plus has no Namespace that is not written too, so it is in an app of
 * its own that nobody synthesizes.
 */
export function handOutNamespace(scope: Construct, name: string): plus.Namespace {
  return handOut(
    scope,
    `namespace-${name}`,
    ({ Namespace }, _scope, id) => new Namespace(new Chart(new App(), 'namespaces'), id, { metadata: { name } }),
  );
}
