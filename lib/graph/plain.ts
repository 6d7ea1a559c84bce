import { sortedEntries } from '../json/index.ts';
import type { EnvValue, Probe as PlusProbe, Volume as PlusVolume } from 'cdk8s-plus-28';
import type { EnvVar, Probe, Volume } from '../api/index.ts';

/** Environment variables by name: a string, or a cdk8s-plus `EnvValue` such as a key of a Secret. */
export type Env = Readonly<Record<string, string | EnvValue>>;

/** Converts a cdk8s-plus value to plain data: union classes become their value, undefined fields are dropped. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype && 'value' in value) return value.value;
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) if (item !== undefined) entries.push([key, plain(item)]);
  return Object.fromEntries(entries);
}

/** Converts environment variables to API format, sorted by name so that the order of properties does not matter. */
export function renderEnv(env: Env): EnvVar[] {
  return listEnv(Object.fromEntries(sortedEntries(env)));
}

/** Converts environment variables to API format, in the given order. */
export function listEnv(env: Env): EnvVar[] {
  return Object.entries(env).map(([name, value]) => {
    if (typeof value === 'string') return { name, value };
    return value.valueFrom === undefined
      ? { name, value: String(value.value) }
      : { name, valueFrom: plain(value.valueFrom) as EnvVar['valueFrom'] };
  });
}

/** Converts a probe of cdk8s-plus to API format; a probe in API format is returned as it is. */
export function renderProbe(probe: PlusProbe | Probe): Probe {
  if (!('_toKube' in probe)) return probe;
  // cdk8s-plus reads the container only for a probe without a port; an empty one makes it use port 80.
  const container = {} as Parameters<PlusProbe['_toKube']>[0];
  return plain(probe._toKube(container)) as Probe;
}

/** Converts a cdk8s-plus volume to API format. */
export function renderVolume(volume: PlusVolume): Volume {
  return plain(volume._toKube()) as Volume;
}
