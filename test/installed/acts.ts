/** Steps of a scenario on an installed platform: each makes a change and waits for the operator's reaction. */
import { setTimeout } from 'node:timers/promises';
import { isEqual, isObject, objectAt, objectsAt, stringAt, type Json, type JsonObject } from '../../lib/json/index.ts';
import { type Client, succeeded } from '../control-plane/client.ts';
import type { Cluster } from '../control-plane/connect.ts';
import type { FaultProxy } from '../runtime/fault-proxy.ts';
import { namespace } from './rights-graphs.ts';
import { items } from './until-ready.ts';

/** Where a scenario is played. */
export interface Stage {
  readonly cluster: Cluster;
  /** What the operator's requests go through. */
  readonly proxy: FaultProxy;
}

/** Something that is done, and what shows that the operator has done its part. */
export interface Act {
  readonly what: string;
  readonly run: (stage: Stage) => Promise<unknown>;
  readonly until: (stage: Stage) => Promise<boolean>;
}

const patienceMs = 3 * 60_000;

/** Plays acts one after the other. */
export async function play(acts: readonly Act[], stage: Stage): Promise<void> {
  for (const { what, run, until: isDone } of acts) {
    await run(stage).catch((cause: unknown) => {
      throw new Error(`${what}: ${String(cause)}`, { cause });
    });
    await until(`the operator to do its part when ${what}`, () => isDone(stage));
  }
}

/** Somebody changes an object of that kind which the graph of the scenario owns; it becomes again what it was. */
export function edits(apiVersion: string, kind: string, change: JsonObject): Act {
  return {
    what: `somebody edits a ${kind}`,
    run: async ({ cluster: { client } }) => {
      const [child] = await owned(client, apiVersion, kind);
      succeeded(await client.merge(named(child), change));
    },
    until: async ({ cluster: { client } }) => {
      const [child] = await owned(client, apiVersion, kind);
      return child !== undefined && !holds(child, change);
    },
  };
}

/** An earlier operator has left an object of that kind which the graph of the scenario, or a component of it, still owns; it goes. */
export function isLeft(apiVersion: string, kind: string): Act {
  return {
    what: `an earlier operator has left a ${kind}`,
    run: async ({ cluster: { client } }) => {
      const [child = {}] = await owned(client, apiVersion, kind);
      const { labels = {}, ownerReferences = [] } = objectAt(child, 'metadata');
      const { status: _, ...rest } = child;
      const spec = kind === 'Service' ? { spec: { ports: [{ port: 80 }] } } : {};
      const left = { ...rest, ...spec, apiVersion, kind, metadata: { namespace, name: 'left', labels, ownerReferences } };
      succeeded(await client.create(left));
    },
    until: async ({ cluster: { client } }) => !(await names(client, apiVersion, kind)).includes('left'),
  };
}

/** Whether everything of a change is in an object. */
function holds(object: Json | undefined, change: Json | undefined): boolean {
  if (!isObject(change)) return isEqual(object, change);
  return isObject(object) && Object.keys(change).every((key) => holds(object[key], change[key]));
}

/** Waits until something holds. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + patienceMs; !(await isSo()); await setTimeout(100))
    if (Date.now() > deadline) throw new Error(`waited three minutes for ${what}`);
}

/** Objects of a kind that the graph of the scenario, or a component of it, owns. */
export async function owned(client: Client, apiVersion: string, kind: string): Promise<readonly JsonObject[]> {
  return (await items(client, apiVersion, kind, namespace))
    .filter((object) => objectsAt(object, 'metadata', 'ownerReferences').some((one) => stringAt(one, 'name').startsWith('life')))
    .map((object) => ({ ...object, apiVersion, kind }));
}

/** Names of the objects of a kind in the namespace of the scenario. */
export async function names(client: Client, apiVersion: string, kind: string): Promise<readonly string[]> {
  return (await items(client, apiVersion, kind, namespace)).map((object) => stringAt(object, 'metadata', 'name'));
}

/** An object as it is now. */
export async function live(client: Client, object: object): Promise<JsonObject> {
  return succeeded<JsonObject>(await client.get<JsonObject>(named(object)));
}

/** How to address an object; throws where there is none. */
export function named(object: object | undefined) {
  if (object === undefined) throw new Error('there is no such object');
  const [apiVersion, kind] = ['apiVersion', 'kind'].map((key) => stringAt(object as JsonObject, key));
  const [where, name] = ['namespace', 'name'].map((key) => stringAt(object as JsonObject, 'metadata', key));
  return { apiVersion: apiVersion ?? '', kind: kind ?? '', metadata: { namespace: where ?? '', name: name ?? '' } };
}
