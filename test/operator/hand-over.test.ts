/** Clusters that the original has converged are taken over without a write to anything it made: no pod restarts. */
import { describe, expect, test } from 'vitest';
import { objectAt, objectsAt, stringAt, type JsonObject } from '../../lib/json/index.ts';
import { controllers } from '../../lib/runtime/controllers/index.ts';
import { describeCall, type AuditEvent } from '../control-plane/audit-log.ts';
import { succeeded } from '../control-plane/client.ts';
import type { Cluster } from '../control-plane/connect.ts';
import { startOperator } from '../control-plane/operator.ts';
import { standInGroups } from '../control-plane/stand-in-crds.ts';
import { ownRecordings, readRecordings, type Recording } from '../render/recordings.ts';
import { canRunOperator, startOperatorCluster, writesUntilQuiet } from './operator-cluster.ts';
import { isOurs, putAround, wholeObject } from './recorded-platform.ts';

const isLong = process.env['LONG'] !== undefined;
const sampleSize = isLong ? Infinity : 6;
const quietMs = isLong ? 6000 : 3000;
/** Recordings of graphs and components that the original brought to an end, and whose owners, if they have any, are theirs. */
const ended = readRecordings(ownRecordings)
  .map(([, recording]) => recording)
  .filter(
    ({ refused, error, partial, input }) =>
      refused === undefined && error === undefined && partial !== true && input.some(isWorkload) && !input.some(hasOwner),
  );
const modes = isLong ? [...new Set(ended.map(({ mode }) => mode))] : ['component'];
const finalizer = 'nvidia.com/finalizer';

function isWorkload(object: JsonObject): boolean {
  return isOurs(object) && stringAt(object, 'kind') !== 'DynamoGraphDeploymentRequest';
}

/** Nothing is known of the owner of a resource that a user made with one. */
function hasOwner(object: JsonObject): boolean {
  return objectsAt(object, 'metadata', 'ownerReferences').length > 0;
}

describe.skipIf(!canRunOperator())('what the original left behind is taken over', () => {
  test.each(modes)('%s', async (mode) => {
    const played = ended.filter((recording) => recording.mode === mode).slice(0, sampleSize);
    const { apiGroups = [], flags = [] }: Partial<Recording> = played[0] ?? {};
    const cluster = await startOperatorCluster({ groups: standInGroups.filter((group) => apiGroups.includes(group)) });
    for (const recording of played) await seed(recording, cluster);
    const { kubeconfig } = cluster.user('operator');
    const start = () => startOperator({ args: flags, namespace: 'dynamo-system', kubeconfig, controllers });
    const since = await cluster.audit.now();
    const first = await start();
    const writes = await writesUntilQuiet(cluster, since, quietMs);
    expect(writes.filter((write) => !isExplained(write)).map(describeCall)).toEqual([]);
    expect(await first.stop()).toBe(0);
    // With its own status stored there is nothing left to say.
    const later = await cluster.audit.now();
    await start();
    expect((await writesUntilQuiet(cluster, later, quietMs)).map(describeCall)).toEqual([]);
  });
});

/** Recordings hold no status, so it is written; and with it goes what was told in events. */
function isExplained({ objectRef, responseStatus }: AuditEvent): boolean {
  return objectRef?.subresource === 'status' && (responseStatus?.code ?? 0) < 300;
}

/** Makes the resources of a recording and everything the original made of them, each owned by its live parent. */
async function seed(recording: Recording, cluster: Cluster): Promise<void> {
  await putAround(recording, cluster);
  const uids = new Map<string, string>();
  const put = async (object: JsonObject, more: JsonObject = {}): Promise<void> => {
    const {
      uid: _uid,
      resourceVersion: _version,
      creationTimestamp: _time,
      generation: _generation,
      managedFields: _fields,
      ...kept
    } = objectAt(object, 'metadata');
    const owners = objectsAt(kept, 'ownerReferences').map((owner) => ({ ...owner, uid: uids.get(parentKey(owner)) ?? '' }));
    const metadata = { namespace: recording.namespace, ...kept, ...(owners.length > 0 && { ownerReferences: owners }), ...more };
    const { status: _status, ...rest } = object;
    const answer = await cluster.client.create(wholeObject({ ...rest, metadata }));
    if (answer.status !== 409)
      uids.set(parentKey({ kind: object['kind'] ?? '', name: stringAt(kept, 'name') }), succeeded(answer).metadata.uid ?? '');
  };
  for (const object of recording.input.filter(isOurs)) await put(object, { finalizers: [finalizer] });
  for (const object of recording.created)
    await put(object, stringAt(object, 'kind') === 'DynamoComponentDeployment' ? { finalizers: [finalizer] } : {});
}

function parentKey(owner: JsonObject): string {
  return `${stringAt(owner, 'kind')}/${stringAt(owner, 'name')}`;
}
