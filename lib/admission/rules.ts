import type { JsonObject } from '../api/json.ts';
import type { AdmissionIssue } from './issue.ts';
import type { User } from './user.ts';

/** What is being done to an object. Objects are as the API server stores them: defaults in, unknown fields and nulls out. */
export interface Request {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly object: JsonObject;
  /** The object before, for an update. */
  readonly oldObject?: JsonObject | undefined;
  readonly user?: User | undefined;
}

/** What the cluster and the operator's flags supply. */
export interface Context {
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
export interface Verdict {
  readonly issues: readonly AdmissionIssue[];
  readonly warnings: readonly AdmissionIssue[];
}

/** The rules of one kind. */
export interface Rules {
  /** Rules on the object itself. */
  readonly validate: (request: Request, context: Context) => Verdict;
  /** Rules comparing the object before and after. */
  readonly validateUpdate: (request: Request, context: Context) => Verdict;
}
