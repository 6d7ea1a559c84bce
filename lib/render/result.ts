import type {
  DynamoComponentDeployment,
  DynamoGraphDeployment,
  DynamoGraphDeploymentRequest,
  Issue,
  KubernetesObject,
} from '../api/index.ts';
import type { Path } from '../json/index.ts';

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
