import type { JsonObject } from '../json/index.ts';
import type { AdmissionIssue } from './admission-issue.ts';
import type { User } from './who-may-scale.ts';

/** What is being done to an object. Objects are as the API server stores them: defaults in, unknown fields and nulls out. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly object: JsonObject;
  /** The object before, for an update. */
  readonly oldObject?: JsonObject | undefined;
  readonly user?: User | undefined;
}

/** What the cluster and the operator's flags supply. */
export interface AdmissionContext {
  /** API groups the cluster serves; without them no rule asks. */
  readonly apiGroups?: ReadonlySet<string> | undefined;
  /** Namespaces that have an operator of their own; looked at by a cluster-wide operator only. */
  readonly excludedNamespaces?: ReadonlySet<string> | undefined;
  /** The one namespace of a restricted operator; empty or absent for a cluster-wide one. */
  readonly restrictedNamespace?: string | undefined;
  /**
   * Whether to tell every broken rule at once.
   * @default false - tell as much as the webhook does, which often stops at the first
   */
  readonly thorough?: boolean | undefined;
}

/** The answer: allowed when there are no issues. */
export interface AdmissionVerdict {
  readonly issues: readonly AdmissionIssue[];
  readonly warnings: readonly AdmissionIssue[];
}

/** The rules of one kind. */
export interface AdmissionRules {
  /** Rules on the object itself. */
  readonly validate: (request: AdmissionRequest, context: AdmissionContext) => AdmissionVerdict;
  /** Rules comparing the object before and after. */
  readonly validateUpdate: (request: AdmissionRequest, context: AdmissionContext) => AdmissionVerdict;
}
