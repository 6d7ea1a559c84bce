import type { KubernetesObject } from '../../api/index.ts';
import type { Selection } from '../api/client.ts';
import type { ObjectKind } from '../api/object.ts';
import type { Need } from './need.ts';
import type { Projection } from './projection.ts';
import type { Indexing } from './select.ts';

/** A kind to keep in the cache: which of its objects, and which part of them. */
export interface WatchedKind extends ObjectKind, Indexing {
  /** Selectors for the server: objects that they exclude are never sent. */
  readonly selection?: Selection;
  /** @default - all but managed fields */
  readonly project?: Projection;
  /**
   * Which objects to keep, where no selector can tell; others are dropped on arrival. Objects that a Dynamo resource controls must be kept.
   * @default - all
   */
  readonly keep?: (object: KubernetesObject) => boolean;
  /**
   * ASCII string in the JSON of every object to keep: objects without it are not even parsed.
   * @default - all are parsed
   */
  readonly marker?: string;
  /** Watch it only while the API server serves it. */
  readonly optional?: boolean;
  /**
   * Watch it only while the cache holds an object of another watched kind that needs it, and after that until no object of this watch is left.
   * @default - no object has to need it
   */
  readonly neededBy?: Need;
}

/** The name of a kind in metrics, logs and readiness: `apps/v1/Deployment`, with its selectors if it has any. */
export function watchName({ apiVersion, kind, selection = {} }: WatchedKind): string {
  const selectors = [selection.labelSelector, selection.fieldSelector].filter((selector) => selector !== undefined);
  return [`${apiVersion}/${kind}`, ...selectors].join('?');
}
