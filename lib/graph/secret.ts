import type { EnvValue, ISecret } from 'cdk8s-plus-28';

/** An environment value read from a key of a Secret; the same as cdk8s-plus builds, without loading it. */
export function secretKey(secret: Pick<ISecret, 'name'>, key: string): EnvValue {
  return { valueFrom: { secretKeyRef: { name: secret.name, key } } };
}
