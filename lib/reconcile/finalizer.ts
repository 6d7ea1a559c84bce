import { stringAt, type JsonObject } from '../json/index.ts';
import { decisionFor } from './answer.ts';
import type { Answer } from './decision.ts';
import { hasFinalizer, metadataPatch } from './metadata.ts';
import type { Step } from './plan.ts';
import type { EffectResult, Snapshot } from './snapshot.ts';

/** Seconds one attempt to clean up in etcd may take. */
const etcdTimeoutSeconds = 5;

/** Seconds after which the finalizer is removed although etcd could not be cleaned up: fewer if the host name of etcd does not exist. */
const giveUpSeconds = { unreachable: 60, unknownHost: 1 } as const;

/** The step that adds the finalizer to a resource; none if the resource has it already. */
export function finalizerStep(resource: JsonObject): readonly Step[] {
  const writes = metadataPatch(resource, { finalizer: 'add' });
  return writes.length === 0 ? [] : [writes.map((write) => ({ write, chain: '' }))];
}

/** Prefix of the etcd keys under which a component registers itself. */
export function etcdPrefix(dynamoNamespace: string, service: string): string {
  return `/${dynamoNamespace}/components/${service}`;
}

/**
 * Finishes the deletion of a resource: removes its keys in etcd, then its finalizer. If etcd does not answer for some time, the finalizer is removed
 * all the same, so that a broken etcd does not block the deletion.
 */
export function finishDeletion({ resource, effects = {}, now }: Snapshot, prefixes: readonly string[]): Answer {
  if (!hasFinalizer(resource)) return decisionFor([]);
  const open = prefixes.filter((prefix) => effects[prefix] === undefined);
  if (open.length > 0)
    return {
      answer: 'effects',
      effects: open.map((prefix) => ({ effect: 'etcdDelete', id: prefix, prefix, timeoutSeconds: etcdTimeoutSeconds })),
    };
  const failures = prefixes.flatMap((prefix) => {
    const result = effects[prefix];
    return result === undefined || result.ok ? [] : [`${prefix}: ${result.error}`];
  });
  const [first] = failures;
  const since = Date.parse(stringAt(resource, 'metadata', 'deletionTimestamp'));
  const areAbsent = prefixes.every((prefix) => isAbsent(effects[prefix]));
  if (first !== undefined && Date.parse(now) - since < giveUpSeconds[areAbsent ? 'unknownHost' : 'unreachable'] * 1000)
    return { answer: 'decision', decision: { steps: [], events: [], error: `failed to clean up in etcd: ${first}` } };
  const removal = metadataPatch(resource, { finalizer: 'remove' }).map((write) => ({ write, chain: '' }));
  const message = `Gave up cleaning up in etcd, keys may be left: ${failures.join('; ')}`;
  return decisionFor(
    [removal],
    first === undefined ? {} : { events: [{ type: 'Warning', reason: 'EtcdCleanupFailed', message }] },
  );
}

function isAbsent(result: EffectResult | undefined): boolean {
  return result !== undefined && !result.ok && result.isAbsent === true;
}
