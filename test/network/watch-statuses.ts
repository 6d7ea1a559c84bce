/** Records every status of the models in a namespace as it is stored. */
import { request } from 'node:https';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { isObject, stringAt, type Json, type JsonObject } from '../../lib/json/index.ts';
import type { Cluster } from '../control-plane/connect.ts';

/** The statuses seen so far, and an end to it. */
export interface StatusWatch {
  /** Statuses since the last time, in the order they were stored. */
  readonly take: () => readonly JsonObject[];
  /** How many have come since then. */
  readonly count: () => number;
  readonly stop: () => void;
}

/** Watches from now on; a status that does not change is not noted again. */
export async function watchStatuses(cluster: Cluster, namespace: string): Promise<StatusWatch> {
  const path = `/apis/nvidia.com/v1alpha1/namespaces/${namespace}/dynamomodels?watch=true`;
  const { connection } = cluster;
  const headers = { authorization: `Bearer ${cluster.user('admin').token}` };
  const asked = request(`${connection.server}${path}`, { ca: connection.ca, headers });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  let seen: JsonObject[] = [];
  const last = new Map<string, string>();
  const lines = createInterface(response);
  lines.on('line', (line) => {
    const { type, object } = JSON.parse(line) as { readonly type: string; readonly object: JsonObject };
    const name = stringAt(object, 'metadata', 'name');
    const status = type === 'DELETED' ? 'deleted' : withoutTimes(object['status'] ?? null);
    if (last.get(name) === JSON.stringify(status)) return;
    last.set(name, JSON.stringify(status));
    seen.push({ object: name, status });
  });
  // The end of the test ends the stream in the middle.
  for (const stream of [asked, response, lines]) stream.on('error', () => {});
  return {
    take: () => {
      const taken = seen;
      seen = [];
      return taken;
    },
    count: () => seen.length,
    stop: () => asked.destroy(),
  };
}

function withoutTimes(value: Json): Json {
  const text = JSON.stringify(value, (key, member: unknown) => (key === 'lastTransitionTime' ? '(time)' : member));
  const parsed: Json = JSON.parse(text);
  return isObject(parsed) ? parsed : null;
}
