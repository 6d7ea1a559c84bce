import type { JsonObject } from '../json/index.ts';
import type { AdmissionIssue } from './admission-issue.ts';
import type { User } from './who-may-scale.ts';

/** The operation on an object. Objects are as the API server stores them: defaulted, without unknown fields and nulls. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly object: JsonObject;
  /** The stored object that an update replaces. */
  readonly oldObject?: JsonObject | undefined;
  readonly user?: User | undefined;
}

/** What the cluster and the operator's flags supply. */
export interface AdmissionContext {
  /** API groups the cluster serves; if absent, rules about installed APIs are skipped. */
  readonly apiGroups?: ReadonlySet<string> | undefined;
  /** Namespaces that run their own operator; only a cluster-wide operator skips them. */
  readonly excludedNamespaces?: ReadonlySet<string> | undefined;
  /** The namespace of a namespace-restricted operator; empty or absent for a cluster-wide one. */
  readonly restrictedNamespace?: string | undefined;
  /**
   * Whether to report every broken rule at once.
   * @default false - as the webhook, which often stops at the first broken rule
   */
  readonly thorough?: boolean | undefined;
}

/** The verdict on a request, which is allowed if there are no issues. */
export interface AdmissionVerdict {
  readonly issues: readonly AdmissionIssue[];
  readonly warnings: readonly AdmissionIssue[];
}

/** The rules of one kind. */
export interface AdmissionRules {
  /** Rules on the object itself. */
  readonly validate: (request: AdmissionRequest, context: AdmissionContext) => AdmissionVerdict;
  /** Rules that compare the object with the one it replaces. */
  readonly validateUpdate: (request: AdmissionRequest, context: AdmissionContext) => AdmissionVerdict;
}
