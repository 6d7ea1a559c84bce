import type {
  DynamoComponentDeployment,
  DynamoGraphDeployment,
  DynamoGraphDeploymentRequest,
  Issue,
  OwnerReference,
} from '../api/index.ts';
import type { JsonObject, Path } from '../json/index.ts';

/** Metadata of a rendered object; a type, not an interface, so that it counts as plain JSON. */
export type ObjectMeta = {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
};

/** A plain Kubernetes object as the operator would send it. */
export interface KubernetesObject extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** Points at an object without holding it. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** `graph`: component resources, adapters, accounts and claims; `workload`: what runs or exposes pods. */
export type Level = 'graph' | 'workload';

/** The kinds that can be rendered. */
export type Source = DynamoGraphDeployment | DynamoComponentDeployment | DynamoGraphDeploymentRequest;

/** One object that follows from the user's resource. */
export interface RenderedObject {
  readonly object: KubernetesObject;
  /** The object's parent: the user's resource, a component in between, or undefined for objects that outlive it. */
  readonly owner: ObjectReference | undefined;
  readonly level: Level;
  /** The part of the user's resource this object comes from, such as `spec.services.Worker`. */
  readonly origin: Path;
  /** The user's resource itself, so that a field can be traced back to it. */
  readonly source: Source;
}

/** A render error: `message` for the person who wrote the manifest, `chain` as the original reports it in a condition. */
export interface RenderIssue extends Issue {
  readonly chain: string;
}

/** A quirk of the original's renderer that this resource runs into. */
export interface FiredQuirk {
  readonly id: string;
  readonly path: Path;
  readonly message: string;
}

/** All that follows from one resource. Objects are in the order the operator writes them. */
export interface RenderResult {
  readonly objects: readonly RenderedObject[];
  /** Why something that should have been rendered was not. */
  readonly issues: readonly RenderIssue[];
  /** What could not be known offline, such as whether a claim exists. */
  readonly warnings: readonly Issue[];
  readonly quirks: readonly FiredQuirk[];
}
