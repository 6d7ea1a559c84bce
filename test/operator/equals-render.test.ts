/** What the operator creates on a real API server is what `render` prints: every recording and every example, in every mode. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isObject, objectAt, type JsonObject } from '../../lib/json/index.ts';
import { controllers } from '../../lib/runtime/controllers/index.ts';
import type { AuditEvent } from '../control-plane/audit-log.ts';
import { succeeded } from '../control-plane/client.ts';
import { startOperator } from '../control-plane/operator.ts';
import { standInGroups } from '../control-plane/stand-in-crds.ts';
import { compareWithRecording, ownRecordings, readRecordings, renderRecording, type Recording } from '../render/recordings.ts';
import { isOurs, putAround, wholeObject } from './recorded-platform.ts';
import { canRunOperator, startOperatorCluster, writesUntilQuiet } from './operator-cluster.ts';

const isLong = process.env['LONG'] !== undefined;
/** Recordings of one mode that an ordinary run plays; a long one plays all. */
const sampleSize = isLong ? Infinity : 4;
const quietMs = isLong ? 3000 : 1500;
const patienceMs = 180_000;
const corpus = process.env['DYNAMO_CORPUS'];
/** Examples of other people, which are not ours to keep: read by long runs where they are. */
const examples = corpus === undefined || sampleSize < Infinity ? [] : readRecordings(join(corpus, 'conformance/examples'));
const recordings = [...readRecordings(ownRecordings), ...examples].map(([, recording]) => recording);
const allModes = [...new Set(recordings.map(({ mode }) => mode))];
/** An ordinary run plays recordings with LeaderWorkerSets, where components, Deployments and the objects of another API are made. */
const modes = isLong ? allModes : ['lws'];

describe.skipIf(!canRunOperator())('the operator creates what render prints', () => {
  test.each(modes)('%s', async (mode) => {
    const played = recordings.filter((recording) => recording.mode === mode).slice(0, sampleSize);
    const { apiGroups = [], flags = [] }: Partial<Recording> = played[0] ?? {};
    const cluster = await startOperatorCluster({ groups: standInGroups.filter((group) => apiGroups.includes(group)) });
    for (const recording of played) await putAround(recording, cluster);
    const since = await cluster.audit.now();
    const { kubeconfig } = cluster.user('operator');
    await startOperator({ args: flags, namespace: 'dynamo-system', kubeconfig, controllers });
    for (const { input } of played)
      for (const object of input.filter(isOurs)) succeeded(await cluster.client.create(wholeObject(object)));
    let writes = await writesUntilQuiet(cluster, since, quietMs);
    const wrong = (): readonly string[] => played.flatMap((recording) => differences(recording, writes));
    for (const deadline = Date.now() + patienceMs; wrong().length > 0 && Date.now() < deadline;)
      writes = await writesUntilQuiet(cluster, since, quietMs);
    expect(wrong()).toEqual([]);
    expect(writes.filter(({ verb }) => verb === 'create').length).toBeGreaterThan(played.length);
  });
});

/** Where the creations in a recording's namespace differ from our rendering; one that fails half-way may lack some. */
function differences(recording: Recording, writes: readonly AuditEvent[]): readonly string[] {
  const { namespace, id, refused, error } = recording;
  const created = writes
    .filter(({ verb, objectRef }) => verb === 'create' && objectRef?.namespace === namespace && objectRef.resource !== 'events')
    .map(({ requestObject }) => requestObject)
    .filter(isObject)
    .map(withoutFinalizers);
  // Owners have the uids of this cluster, and a Job holds its owner's.
  const result = renderRecording({ ...recording, created });
  // A recording that ends half-way is of something offline cannot know, such as a claim that is not there.
  const partial = result.issues.length > 0 || refused !== undefined || error !== undefined || recording.partial === true;
  return compareWithRecording({ ...recording, created, partial }, result).map((line) => `${id}: ${line}`);
}

/** Components are created with their finalizer, which the original adds later. */
function withoutFinalizers(object: JsonObject): JsonObject {
  const { finalizers: _finalizers, ...metadata } = objectAt(object, 'metadata');
  return { ...object, metadata };
}
