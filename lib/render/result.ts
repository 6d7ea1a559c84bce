import type {
  DynamoComponentDeployment,
  DynamoGraphDeployment,
  DynamoGraphDeploymentRequest,
  Issue,
  OwnerReference,
} from '../api/index.ts';
import type { JsonObject, Path } from '../json/index.ts';

/** Metadata of a rendered object. A type alias, since an interface is not assignable to `JsonObject`. */
export type ObjectMeta = {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
};

/** A plain Kubernetes object as the operator sends it. */
export interface KubernetesObject extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** A reference to an object. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** `graph`: DynamoComponentDeployments, scaling adapters, RBAC and claims; `workload`: objects that run or expose pods. */
export type Level = 'graph' | 'workload';

/** The kinds that can be rendered. */
export type RenderableResource = DynamoGraphDeployment | DynamoComponentDeployment | DynamoGraphDeploymentRequest;

/** One object rendered from the user's resource. */
export interface RenderedObject {
  readonly object: KubernetesObject;
  /** The owner: the user's resource or a DynamoComponentDeployment; undefined for objects that outlive the resource. */
  readonly owner: ObjectReference | undefined;
  readonly level: Level;
  /** The path of the user's resource that the object is rendered from, such as `spec.services.Worker`. */
  readonly origin: Path;
  /** The user's resource, to which fields are traced back. */
  readonly source: RenderableResource;
}

/** A render error: `message` is for the author of the manifest, `chain` is what the original operator writes to a condition. */
export interface RenderIssue extends Issue {
  readonly chain: string;
}

/** A quirk of the original operator that applies to a resource. */
export interface FiredQuirk {
  readonly id: string;
  readonly path: Path;
  readonly message: string;
}

/** The result of rendering one resource. Objects are in the order in which the operator creates them. */
export interface RenderResult {
  readonly objects: readonly RenderedObject[];
  /** Why objects could not be rendered. */
  readonly issues: readonly RenderIssue[];
  /** Conditions that only a live cluster can confirm, such as whether a PersistentVolumeClaim exists. */
  readonly warnings: readonly Issue[];
  readonly quirks: readonly FiredQuirk[];
}
