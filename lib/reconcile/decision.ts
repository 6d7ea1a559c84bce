import type { Json, JsonObject, PatchOperation } from '../json/index.ts';
import type { Lookup, ObjectKey } from './snapshot.ts';

/** A write to the API server, with its preconditions. */
export type Write =
  /** POST. An object that exists already is not an error: the next pass compares it. */
  | { readonly verb: 'create'; readonly target: ObjectKey; readonly object: JsonObject }
  /** JSON Patch; its first operation tests the resourceVersion the decision was made on. */
  | { readonly verb: 'patch'; readonly target: ObjectKey; readonly patch: readonly PatchOperation[] }
  /** DELETE with the uid as precondition. An object that does not exist is not an error. */
  | { readonly verb: 'delete'; readonly target: ObjectKey; readonly uid: string }
  /**
   * Copies type and data of a Secret, which never enter a snapshot or a decision: POST, or with a resourceVersion a JSON Patch that tests it
   * and replaces `/data`.
   */
  | { readonly verb: 'copySecret'; readonly target: ObjectKey; readonly source: ObjectKey; readonly resourceVersion?: string }
  /** PUT of `/scale`. */
  | { readonly verb: 'scale'; readonly target: ObjectKey; readonly resourceVersion: string; readonly replicas: number }
  /** PUT of `/status` with the whole stored object and its new status; its resourceVersion is that of the newest answer of this pass. */
  | { readonly verb: 'status'; readonly target: ObjectKey; readonly object: JsonObject };

/** A call to something other than the API server, whose result the decision needs. */
export type Effect =
  | {
      readonly effect: 'http';
      readonly id: string;
      readonly method: 'GET' | 'POST' | 'DELETE';
      readonly url: string;
      readonly body?: Json;
      /** Calls with the same value run one after the other, even if they belong to different resources. */
      readonly exclusive?: string;
      readonly timeoutSeconds: number;
    }
  /** Deletes the key itself and every key below `{prefix}/`. */
  | { readonly effect: 'etcdDelete'; readonly id: string; readonly prefix: string; readonly timeoutSeconds: number };

/** An event on an object, as `kubectl describe` shows it. */
export interface Event {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Part of an event on the parent: `Created Service a, a-p`. */
export interface Told {
  readonly verb: 'Create' | 'Update' | 'Delete';
  readonly kind: string;
  readonly name: string;
}

/** What to do now. Steps are carried out one after the other; the writes of one step are independent and may be sent at once. */
export interface Decision {
  readonly steps: readonly (readonly Write[])[];
  /** Events on the resource, recorded after the writes succeeded. */
  readonly events: readonly Event[];
  /** The event that each write of each step belongs to, for a pass that ends after some of them; absent where events are not about writes. */
  readonly told?: readonly (readonly (Told | Event | undefined)[])[];
  /** Lines for the log, such as why a call failed. They hold no secret. */
  readonly notes?: readonly string[];
  /** Seconds after which the resource is reconciled again even if nothing changes. */
  readonly lookAgainSeconds?: number;
  /** Whether the only write is a status in which counts or messages changed; it may wait a moment for further changes. */
  readonly canWait?: boolean;
  /** Why the pass failed; it is retried with back-off. Absent on success, and when only a change of the resource can help. */
  readonly error?: string;
}

/** What a decision function returns: a decision, or what it must know first. */
export type Answer =
  | { readonly answer: 'decision'; readonly decision: Decision }
  | { readonly answer: 'lookups'; readonly lookups: readonly Lookup[] }
  | { readonly answer: 'effects'; readonly effects: readonly Effect[] };
