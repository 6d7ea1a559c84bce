import type { DynamoGraphDeployment, KubernetesObject } from '../../api/index.ts';
import type { JsonObject } from '../../json/index.ts';
import type { GraphRendering } from '../../render/index.ts';
import type { Step } from '../plan.ts';
import type { Reader } from '../reader.ts';
import type { Snapshot } from '../snapshot.ts';

/** One pass over a graph: the live objects and the desired ones. */
export interface GraphPass {
  readonly snapshot: Snapshot;
  readonly reader: Reader;
  /** The graph as stored; `graph` is the same object with its type. */
  readonly resource: JsonObject;
  readonly graph: DynamoGraphDeployment;
  readonly namespace: string;
  readonly name: string;
  readonly rendering: GraphRendering;
  /** Replicas that scaling adapters ask for, by service. */
  readonly adapterReplicas: Readonly<Record<string, number>>;
}

/** The writes of one stage of a pass; a failure ends the pass after these writes. */
export interface StagePlan {
  readonly steps: readonly Step[];
  readonly failure?: string;
}

/** Rendered objects of a kind. */
export function renderedOf({ rendering }: GraphPass, ...kinds: readonly string[]): readonly KubernetesObject[] {
  return rendering.objects.flatMap(({ object }) => (kinds.includes(object.kind) ? [object] : []));
}

/** The first rendering error whose wording in the original begins with one of these prefixes. */
export function failureOf({ rendering }: GraphPass, ...beginnings: readonly string[]): string | undefined {
  return rendering.issues.find(({ chain }) => beginnings.some((text) => chain.startsWith(text)))?.chain;
}

/** The live object with the key of a rendered one. */
export function liveOf({ reader }: GraphPass, { apiVersion, kind, metadata }: KubernetesObject): JsonObject | undefined {
  return reader.get({ apiVersion, kind }, metadata.namespace ?? '', metadata.name);
}
