import type { EnvVar } from '../../api/index.ts';
import type { OperatorConfig } from '../render-context.ts';
import { byteOrder } from '../../json/index.ts';
import type { Env } from './types.ts';

/** Merges lists of environment variables and sorts them by name; a later entry replaces an earlier one of the same name. */
export function mergeEnvs(...lists: readonly (Env | undefined)[]): Env {
  const byName = new Map<string, EnvVar>();
  for (const list of lists) for (const entry of list ?? []) byName.set(entry.name, entry);
  return [...byName.values()].sort((a, b) => byteOrder(a.name, b.name));
}

/** An environment variable with a fixed value; an empty value is omitted. */
export function variable(name: string, value: string): EnvVar {
  return value === '' ? { name } : { name, value };
}

/** An environment variable that takes its value from a field of the pod. */
export function fromField(name: string, fieldPath: string): EnvVar {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}

/** The addresses from the operator's flags that every pod gets. */
export function standardEnv(config: OperatorConfig): Env {
  const addresses: readonly (readonly [string, string])[] = [
    ['NATS_SERVER', config.natsAddress],
    ['ETCD_ENDPOINTS', config.etcdAddress],
    ['MODEL_EXPRESS_URL', config.modelExpressUrl],
    ['PROMETHEUS_ENDPOINT', config.prometheusEndpoint],
  ];
  return addresses.flatMap(([name, value]) => (value === '' ? [] : [{ name, value }]));
}
