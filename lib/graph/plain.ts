import { sortedEntries } from '../json/index.ts';
import type { EnvValue, Probe as PlusProbe, Volume as PlusVolume } from 'cdk8s-plus-28';
import type { EnvVar, Probe, Volume } from '../api/index.ts';

/** Environment by name: a text, or a cdk8s-plus `EnvValue` such as a key of a Secret. */
export type Env = Readonly<Record<string, string | EnvValue>>;

/** Plain data of a cdk8s-plus value: unions become their value, undefined fields vanish. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype && 'value' in value) return value.value;
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) if (item !== undefined) entries.push([key, plain(item)]);
  return Object.fromEntries(entries);
}

/** Writes environment as the API spells it, sorted by name so that the order of props says nothing. */
export function renderEnv(env: Env): EnvVar[] {
  return listEnv(Object.fromEntries(sortedEntries(env)));
}

/** Writes environment as the API spells it, in its order. */
export function listEnv(env: Env): EnvVar[] {
  return Object.entries(env).map(([name, value]) => {
    if (typeof value === 'string') return { name, value };
    return value.valueFrom === undefined
      ? { name, value: String(value.value) }
      : { name, valueFrom: plain(value.valueFrom) as EnvVar['valueFrom'] };
  });
}

/** Writes a probe, given as cdk8s-plus builds it or as the API spells it. */
export function renderProbe(probe: PlusProbe | Probe): Probe {
  if (!('_toKube' in probe)) return probe;
  // Only a probe without a port asks its container; ours has none to offer but the API needs one, so cdk8s-plus falls back to 80.
  const container = {} as Parameters<PlusProbe['_toKube']>[0];
  return plain(probe._toKube(container)) as Probe;
}

/** Writes a cdk8s-plus volume as the API spells it. */
export function renderVolume(volume: PlusVolume): Volume {
  return plain(volume._toKube()) as Volume;
}
