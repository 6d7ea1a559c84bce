import type { EnvValue } from 'cdk8s-plus-28';
import { referencedName, type Named } from '../plus/index.ts';

/** An environment variable from a key of a Secret, as cdk8s-plus builds it, but without loading cdk8s-plus. */
export function secretKey(secret: Named, key: string): EnvValue {
  return { valueFrom: { secretKeyRef: { name: referencedName(secret), key } } };
}
