import type { JsonObject } from '../json/index.ts';
import type { ComponentView } from './component-view.ts';
import type { Draft, Severity } from './finding.ts';
import type { GraphView } from './graph-view.ts';
import type { FiredQuirk } from '../render/index.ts';
import type { PredictedRejection } from './rejections/findings.ts';
import type { LintIndex } from './lint-index.ts';

/** A manifest that violates a rule and one that does not. Tests lint both, and the page of the rule shows both. */
export interface RuleExample {
  /** Resources that the rule reports. */
  readonly bad: readonly JsonObject[];
  /** Resources without an error of any rule. */
  readonly good: readonly JsonObject[];
  /** The context for linting the bad and the good resources. */
  readonly context?: LintContext;
}

/** The description of a rule, shown by `--explain` and on its page. */
export interface RuleDescription {
  readonly id: string;
  readonly severity: Severity;
  /** One line for the list of rules. */
  readonly title: string;
  /** What happens in the cluster when the rule is violated. */
  readonly why: string;
  /** What is allowed. */
  readonly allowed: string;
  /** What to change. */
  readonly fix: string;
  /** A function, since a lint run needs no examples. */
  readonly example?: () => RuleExample;
  /** Ids of entries that report the same problem. Their findings at the same path are dropped. */
  readonly covers?: readonly string[];
  /** Whether the rule can miss a problem because the context is incomplete. */
  readonly contextual?: boolean;
}

/** A check of objects of some kinds. */
interface ObjectCheck {
  readonly kinds: readonly string[];
  readonly check: (object: JsonObject, lintIndex: LintIndex) => Iterable<Draft>;
}

/** A rule: its description and the check of a graph, a component or an object. */
export type Rule = RuleDescription & { readonly also?: ObjectCheck } & (
    | { readonly on: 'graph'; readonly check: (graph: GraphView, lintIndex: LintIndex) => Iterable<Draft> }
    | {
        readonly on: 'component';
        readonly check: (component: ComponentView, graph: GraphView, lintIndex: LintIndex) => Iterable<Draft>;
      }
    | ({ readonly on: 'object' } & ObjectCheck)
  );

/** The orchestrator that creates the pods of a graph. */
export type Orchestrator = 'none' | 'grove' | 'grove+kai' | 'lws';

/** A rule that the author suppresses for a resource, with the reason. */
export interface Suppression {
  readonly id: string;
  readonly reason: string;
}

/** What lint knows besides the resource itself. Every part is optional. */
export interface LintContext {
  /** All resources that are applied together, including the linted one. */
  readonly resources?: readonly JsonObject[];
  /** The namespace of resources without one. Defaults to `default`. */
  readonly namespace?: string;
  /** The platform release of the manifests, such as `0.9.0`, if the author states it. */
  readonly release?: string | undefined;
  readonly orchestrator?: Orchestrator | undefined;
  /** GPUs per node. */
  readonly gpusPerNode?: number | undefined;
  /** The total number of GPUs that the graph may use. */
  readonly gpuBudget?: number | undefined;
  /** Whether a GitOps controller applies the manifests. */
  readonly gitops?: boolean | undefined;
  /** Whether the operator watches only one namespace. */
  readonly restricted?: boolean;
  /** The previously applied version of the resource. */
  readonly previous?: JsonObject;
  /** Results of rendering the resource: the predicted rejections by the API server, and the quirks of the renderer that apply. */
  readonly rendering?: { readonly rejections: readonly PredictedRejection[]; readonly quirks: readonly FiredQuirk[] };
  /** Suppressions made in code. Those of the annotation are read from the resource. */
  readonly suppressions?: readonly Suppression[];
}
