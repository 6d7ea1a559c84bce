import type { Effect, EffectResult } from '../../reconcile/index.ts';
import type { EtcdAccess } from '../effects/etcd-access.ts';
import { deleteEtcdKeys } from '../effects/etcd-effects.ts';
import { HttpEffects } from '../effects/http-effects.ts';

/** Runs the effects decisions ask for; each has a result, good or bad. */
export function effectRunner(
  etcdAddresses: string,
  access: EtcdAccess,
): (effects: readonly Effect[], signal: AbortSignal) => Promise<Readonly<Record<string, EffectResult>>> {
  const http = new HttpEffects();
  return async (effects, signal) => {
    const calls = effects.filter((effect) => effect.effect === 'http');
    const deletions = effects.filter((effect) => effect.effect === 'etcdDelete');
    const [answers, ...deleted] = await Promise.all([
      http.run(calls, signal),
      ...deletions.map(async (effect) => [effect.id, await deleteEtcdKeys(effect, etcdAddresses, access, signal)] as const),
    ]);
    return { ...answers, ...Object.fromEntries(deleted) };
  };
}
