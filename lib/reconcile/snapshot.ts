import type { JsonObject } from '../json/index.ts';
import type { OperatorConfig } from '../render/index.ts';

/** A kind of object, as the API server serves it. */
export interface ObjectKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** One object of the cluster; the namespace is empty for cluster-scoped kinds. */
export interface ObjectKey extends ObjectKind {
  readonly namespace: string;
  readonly name: string;
}

/** A question to the cluster: one object, or the objects of a kind in a namespace that a selector matches. */
export type Lookup =
  | ({ readonly question: 'get' } & ObjectKey)
  | ({ readonly question: 'list'; readonly namespace: string; readonly select: Selector } & ObjectKind);

/**
 * Which objects of a namespace a list selects: those that an object controls, those that it owns without controlling them, those with all of these
 * labels, Secrets of a type, or those with a value in an index of their kind.
 */
export type Selector =
  | { readonly controllerUid: string }
  | { readonly coOwnerUid: string }
  | { readonly labels: Readonly<Record<string, string>> }
  | { readonly secretType: string }
  | { readonly index: string; readonly value: string };

/** The key of a look-up's answer in a snapshot. */
export function lookupKey(lookup: Lookup): string {
  const start = `${lookup.apiVersion}/${lookup.kind}/${lookup.namespace}`;
  if (lookup.question === 'get') return `${start}/${lookup.name}`;
  if ('controllerUid' in lookup.select) return `${start}?controller=${lookup.select.controllerUid}`;
  if ('coOwnerUid' in lookup.select) return `${start}?co-owner=${lookup.select.coOwnerUid}`;
  if ('secretType' in lookup.select) return `${start}?type=${lookup.select.secretType}`;
  if ('index' in lookup.select) return `${start}?index ${lookup.select.index}=${lookup.select.value}`;
  const { labels } = lookup.select;
  const pairs = Object.keys(labels)
    .sort()
    .map((name) => `${name}=${labels[name]}`);
  return `${start}?${pairs.join(',')}`;
}

/** Result of an effect outside the API server: the response, or why the effect failed. */
export type EffectResult =
  | { readonly ok: true; readonly status?: number; readonly body?: string }
  | {
      readonly ok: false;
      readonly error: string;
      readonly status?: number;
      /** Whether the server's host name does not exist. */
      readonly isAbsent?: boolean;
    };

/**
 * Everything a decision may depend on, as plain JSON: the resource, the answers to look-ups, the time. A decision function asks for look-ups that
 * are missing and is called again with their answers, until it can decide.
 */
export interface Snapshot<Resource = JsonObject> {
  /** The current time: RFC 3339 in UTC with milliseconds. */
  readonly now: string;
  readonly config: OperatorConfig;
  /** API groups the cluster serves. */
  readonly apiGroups: readonly string[];
  /** The namespace the operator itself runs in; absent outside a cluster. */
  readonly operatorNamespace?: string;
  /** Whether this process has not yet finished a pass over the resource: calls of an earlier process may still be running. */
  readonly firstPass?: boolean;
  /** The resource as stored. */
  readonly resource: Resource;
  /** Answers to `get`, by `lookupKey`; null where the object is absent. Secrets are in it as `projectSecret` leaves them, also in lists. */
  readonly objects: Readonly<Record<string, JsonObject | null>>;
  /** Answers to `list`, by `lookupKey`. */
  readonly lists: Readonly<Record<string, readonly JsonObject[]>>;
  /** Why lists have no answer, by `lookupKey`. A decision that asks for one of them again fails with this. */
  readonly failedLists?: Readonly<Record<string, string>>;
  /** Results of the effects that this decision asked for, by the effect's id. */
  readonly effects?: Readonly<Record<string, EffectResult>>;
  /** The write of this pass that was refused, so that the decision can say so in status and events. */
  readonly refused?: RefusedWrite;
}

/** A write that the API server refused. A conflict is not one: it is retried, without event or status. */
export interface RefusedWrite {
  /** Index of the write in the decision, counted over all steps. */
  readonly write: number;
  /** Verb and target of the write, by which a new decision finds it in its plan. */
  readonly verb: 'create' | 'patch' | 'delete' | 'copySecret' | 'scale' | 'status';
  readonly target: ObjectKey;
  /** The API server's message. */
  readonly message: string;
  readonly reason?: string;
  readonly status?: number;
}
