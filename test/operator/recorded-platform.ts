/** Puts what a recording describes into a real cluster. */
import { objectAt, stringAt, type JsonObject } from '../../lib/json/index.ts';
import type { Cluster } from '../control-plane/connect.ts';
import type { WholeObject } from '../control-plane/rest-paths.ts';
import type { Recording } from '../render/recordings.ts';

const ours = /^(DynamoGraphDeployment|DynamoComponentDeployment|DynamoGraphDeploymentRequest)$/;

/** Kinds of other projects that are not served here and that no rendering looks up. */
const unserved = new Set(['ComputeDomain']);

/** Whether an object of a recording is one the operator reconciles. */
export function isOurs(object: JsonObject): boolean {
  return ours.test(stringAt(object, 'kind'));
}

/** Makes what resources refer to: their namespace, and the objects the recording says were there. */
export async function putAround({ namespace, input, cluster: around = [] }: Recording, { client }: Cluster): Promise<void> {
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  // Roles and the Secret of the platform are there already.
  const objects = [...around, ...input].filter((entry) => !isOurs(entry) && !unserved.has(stringAt(entry, 'kind')));
  for (const object of objects) await client.create(wholeObject(object));
}

/** An object as the test client takes it. */
export function wholeObject(object: JsonObject): WholeObject {
  const metadata = objectAt(object, 'metadata');
  return {
    ...object,
    apiVersion: stringAt(object, 'apiVersion'),
    kind: stringAt(object, 'kind'),
    metadata: { ...metadata, name: stringAt(metadata, 'name') },
  };
}
