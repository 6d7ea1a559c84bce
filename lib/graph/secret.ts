import type { EnvValue } from 'cdk8s-plus-28';
import { nameOf, type Named } from '../plus/index.ts';

/** An environment value read from a key of a Secret; the same as cdk8s-plus builds, without loading it. */
export function secretKey(secret: Named, key: string): EnvValue {
  return { valueFrom: { secretKeyRef: { name: nameOf(secret), key } } };
}
