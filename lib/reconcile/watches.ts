import { label } from '../render/index.ts';
import { kinds } from './kinds.ts';
import type { ObjectKind } from './snapshot.ts';

/** A kind to watch for a controller; a change of an object that a decision looked up, or that newly fits its list, calls for another pass. */
export interface Watch extends ObjectKind {
  /** Which objects: those that have the label. */
  readonly withLabel?: string;
}

/** What a controller reacts to and what it only reads. */
export interface Watches {
  /** Changes of the resource itself that call for a pass: all, or those of its spec, its deletion and its annotations. */
  readonly resource: 'every change' | 'spec and deletion';
  readonly watched: readonly Watch[];
  /** Kinds read from the API server when they are asked for: many objects in a cluster, few of them of interest, and none may be stale. */
  readonly read: readonly ObjectKind[];
}

/** What the controllers of requests and models need to see. */
export const watches = {
  DynamoGraphDeploymentRequest: {
    resource: 'every change',
    watched: [kinds.graph, kinds.job, { ...kinds.pod, withLabel: 'job-name' }],
    read: [kinds.configMap, kinds.claim, kinds.serviceAccount, kinds.roleBinding, kinds.clusterRole],
  },
  DynamoModel: {
    resource: 'spec and deletion',
    watched: [{ ...kinds.endpointSlice, withLabel: label.baseModelHash }],
    read: [],
  },
} as const satisfies Readonly<Record<string, Watches>>;
