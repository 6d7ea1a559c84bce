/** What scenario files beyond the recordings expect of each step, derived from the specification, and whether it holds. */
import { expect } from 'vitest';
import { isList, isObject, listAt, objectAt, objectsAt, stringAt, type Json, type JsonObject } from '../../lib/json/index.ts';
import { type KubernetesObject, succeeded } from '../control-plane/client.ts';
import type { Cluster } from '../control-plane/connect.ts';
import type { Action } from './play-scenario.ts';

/** Where things should stand after a step; what is null should not be there. `*` in a text stands for anything. */
export interface Expectation {
  /** Requests by name; conditions are `status reason: message` by type, and there are no others. */
  readonly requests: Readonly<Record<string, JsonObject | null>>;
  /** Graphs by name. */
  readonly graphs?: Readonly<Record<string, JsonObject | null>>;
  /** Whether objects are there, by `plural/name`. */
  readonly objects?: Readonly<Record<string, boolean>>;
  /** Paths that have nothing. */
  readonly absent?: readonly string[];
  /** All events that requests got in this step, in their order, by the request's name. */
  readonly events: Readonly<Record<string, readonly string[]>>;
}

/** A scenario with expectations. */
export interface ExpectedScenario {
  readonly name: string;
  readonly steps: readonly { readonly step: string; readonly do: readonly Action[]; readonly expect: Expectation }[];
}

const ours = '/apis/nvidia.com/v1alpha1/namespaces/demo';
const groups: Readonly<Record<string, string>> = {
  jobs: '/apis/batch/v1',
  rolebindings: '/apis/rbac.authorization.k8s.io/v1',
};

/** Where things stand, in the form of an expectation; `known` are events of earlier steps. */
export async function found({ client }: Cluster, expected: Expectation, known: ReadonlySet<string>): Promise<Expectation> {
  const read = async (path: string): Promise<JsonObject | null> => {
    const { status, body } = await client.request<JsonObject>('GET', path);
    return status === 404 ? null : succeeded({ status, body, warnings: [] });
  };
  const each = async <T>(
    names: Readonly<Record<string, unknown>>,
    look: (name: string) => Promise<T>,
  ): Promise<Record<string, T>> =>
    Object.fromEntries(await Promise.all(Object.keys(names).map(async (name) => [name, await look(name)] as const)));
  const isThere = async (key: string): Promise<boolean> => {
    const [plural = '', name = ''] = key.split('/');
    return (await read(`${groups[plural] ?? '/api/v1'}/namespaces/demo/${plural}/${name}`)) !== null;
  };
  const events: Record<string, string[]> = {};
  for (const event of await requestEvents(client))
    if (!known.has(event.metadata.uid ?? ''))
      (events[stringAt(event as JsonObject, 'involvedObject', 'name')] ??= []).push(
        `${String(event['type'])} ${String(event['reason'])}: ${String(event['message'])}`,
      );
  const paths = await Promise.all((expected.absent ?? []).map(async (path) => ((await read(path)) === null ? [path] : [])));
  return {
    requests: await each(expected.requests, async (name) =>
      requestOf(await read(`${ours}/dynamographdeploymentrequests/${name}`)),
    ),
    ...(expected.graphs && {
      graphs: await each(expected.graphs, async (name) => graphOf(await read(`${ours}/dynamographdeployments/${name}`))),
    }),
    ...(expected.objects && { objects: await each(expected.objects, isThere) }),
    ...(expected.absent && { absent: paths.flat() }),
    events,
  };
}

/** Events on requests, the oldest first. */
export async function requestEvents(client: Cluster['client']): Promise<readonly KubernetesObject[]> {
  const { items } = succeeded(await client.list({ apiVersion: 'v1', kind: 'Event', namespace: 'demo' }));
  return items
    .filter((event) => stringAt(event as JsonObject, 'involvedObject', 'kind') === 'DynamoGraphDeploymentRequest')
    .toSorted((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion));
}

/** An expectation as vitest compares it: texts with `*` as patterns, requests without more, graphs with more. */
export function pattern(value: Json): unknown {
  if (typeof value === 'string' && value.includes('*'))
    return expect.stringMatching(
      new RegExp(
        `^${value
          .split('*')
          .map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'))
          .join('.*')}$`,
        's',
      ),
    );
  if (isList(value)) return value.map(pattern);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, pattern(member ?? null)]));
}

function requestOf(request: JsonObject | null): JsonObject | null {
  if (request === null) return null;
  const status = objectAt(request, 'status');
  const { state, observedGeneration, deployment } = status;
  const conditions = Object.fromEntries(
    objectsAt(status, 'conditions').map((condition) => [
      stringAt(condition, 'type'),
      `${stringAt(condition, 'status')} ${stringAt(condition, 'reason')}: ${stringAt(condition, 'message')}`,
    ]),
  );
  const generated = stringAt(status, 'generatedDeployment', 'metadata', 'name');
  return {
    ...(state !== undefined && { state }),
    ...(observedGeneration !== undefined && { observedGeneration }),
    conditions,
    ...(deployment !== undefined && { deployment }),
    ...(generated !== '' && { generated }),
  };
}

function graphOf(graph: JsonObject | null): JsonObject | null {
  if (graph === null) return null;
  const { labels = {}, annotations = {} } = objectAt(graph, 'metadata');
  const isOurs = listAt(graph, 'metadata', 'finalizers').length > 0;
  return { state: stringAt(graph, 'status', 'state'), labels, annotations, isOurs };
}
