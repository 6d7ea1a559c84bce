import type { JsonObject } from '../json/index.ts';
import type { ComponentView } from './component-view.ts';
import type { Draft, Severity } from './finding.ts';
import type { GraphView } from './graph-view.ts';
import type { FiredQuirk } from '../render/index.ts';
import type { PredictedRejection } from './rejections/findings.ts';
import type { LintIndex } from './lint-index.ts';

/** A manifest that breaks a rule and one that keeps it; tests run both and the rule's page shows both. */
export interface RuleExample {
  /** What the rule reports. */
  readonly bad: readonly JsonObject[];
  /** What no rule calls an error. */
  readonly good: readonly JsonObject[];
  /** What the examples need besides the manifests. */
  readonly context?: LintContext;
}

/** All that `--explain` and a rule's page say. */
export interface RuleDescription {
  readonly id: string;
  readonly severity: Severity;
  /** One line, as in a list of rules. */
  readonly title: string;
  /** What happens in the cluster when the rule is broken. */
  readonly why: string;
  /** What is allowed. */
  readonly allowed: string;
  /** What to change. */
  readonly fix: string;
  /** Built when it is asked for: a run of lint needs no examples. */
  readonly example?: () => RuleExample;
  /** Ids of other entries that tell the same fact; what they say about the same place is left out. */
  readonly covers?: readonly string[];
  /** Whether it may find nothing only because the context did not say enough. */
  readonly contextual?: boolean;
}

/** A check of objects of some kinds. */
interface ObjectCheck {
  readonly kinds: readonly string[];
  readonly check: (object: JsonObject, around: LintIndex) => Iterable<Draft>;
}

/** A rule: its text and what it looks at. */
export type Rule = RuleDescription & { readonly also?: ObjectCheck } & (
    | { readonly on: 'graph'; readonly check: (graph: GraphView, around: LintIndex) => Iterable<Draft> }
    | {
        readonly on: 'component';
        readonly check: (component: ComponentView, graph: GraphView, around: LintIndex) => Iterable<Draft>;
      }
    | ({ readonly on: 'object' } & ObjectCheck)
  );

/** Which orchestrator starts the pods of a graph. */
export type Orchestrator = 'none' | 'grove' | 'grove+kai' | 'lws';

/** A finding the author has looked at and accepts. */
export interface Suppression {
  readonly id: string;
  readonly reason: string;
}

/** What lint may know besides the resource itself; every part is optional. */
export interface LintContext {
  /** Everything that is applied together with the resource, itself included. */
  readonly resources?: readonly JsonObject[];
  /** The namespace of resources that name none; `default` when absent. */
  readonly namespace?: string;
  /** The platform release the manifests are for, such as `0.9.0`; given by an author, not guessed. */
  readonly release?: string | undefined;
  readonly orchestrator?: Orchestrator | undefined;
  /** GPUs of one node. */
  readonly gpusPerNode?: number | undefined;
  /** GPUs the graph may use in all. */
  readonly gpuBudget?: number | undefined;
  /** Whether a GitOps controller applies the manifests. */
  readonly gitops?: boolean | undefined;
  /** Whether the operator watches a single namespace. */
  readonly restricted?: boolean;
  /** The resource as it was applied before. */
  readonly previous?: JsonObject;
  /** What follows from rendering the resource: what the API server will reject of it, and the quirks of the renderer it runs into. */
  readonly rendering?: { readonly rejections: readonly PredictedRejection[]; readonly quirks: readonly FiredQuirk[] };
  /** Suppressions made in code; those of the annotation are read from the resource. */
  readonly suppressions?: readonly Suppression[];
}
