import type { Selection } from '../api/client.ts';
import type { KubernetesObject, ObjectKind } from '../api/object.ts';
import type { Projection } from './projection.ts';
import type { Indexing } from './select.ts';

/** A kind to keep in the cache: which of its objects, and what of them. */
export interface WatchedKind extends ObjectKind, Indexing {
  /** Narrow it on the server where possible: objects of others then cost nothing. */
  readonly selection?: Selection;
  /** @default - all but managed fields */
  readonly project?: Projection;
  /**
   * Which objects are worth keeping, where no selector can tell; others are dropped as they come. What a resource of ours controls must be kept.
   * @default - all
   */
  readonly keep?: (object: KubernetesObject) => boolean;
  /**
   * ASCII text that stands in the JSON of every object worth keeping: objects without it are not even parsed.
   * @default - all are parsed
   */
  readonly marker?: string;
  /** Watch it only while the API server serves it. */
  readonly optional?: boolean;
}

/** How a kind is named in metrics, logs and readiness: `apps/v1/Deployment`, with its selectors where it has any. */
export function nameOf({ apiVersion, kind, selection = {} }: WatchedKind): string {
  const selectors = [selection.labelSelector, selection.fieldSelector].filter((selector) => selector !== undefined);
  return [`${apiVersion}/${kind}`, ...selectors].join('?');
}
