import type { AdmissionContext, User } from '../admission/index.ts';
import type { JsonObject } from '../json/index.ts';
import type { LintContext, Orchestrator } from '../lint/index.ts';
import type { OperatorConfig } from '../render/index.ts';

/** Settings of schema and admission checks. Every violated rule is reported unless `thorough` is false. */
export interface JudgeSettings extends AdmissionContext {
  /** Namespace of objects without one. */
  readonly namespace: string;
  /** The user who applies the documents. */
  readonly user?: User | undefined;
  /**
   * The Dynamo release whose fields are known.
   * @default - the release that this package renders
   */
  readonly release?: string | undefined;
  /** The current objects; a document with the same kind, namespace and name is checked as an update. */
  readonly old?: readonly JsonObject[] | undefined;
}

/** Settings of rendering. */
export interface RenderSettings extends JudgeSettings {
  /**
   * The orchestrator of multinode components.
   * @default - derived from `apiGroups`; without those, LeaderWorkerSet, or Grove for a graph that only Grove can run
   */
  readonly orchestrator?: Orchestrator | undefined;
  /**
   * The configuration of the operator, from its flags.
   * @default - the configuration that the platform chart sets
   */
  readonly config?: OperatorConfig | undefined;
}

/** Settings of lint. */
export interface LintSettings extends RenderSettings, Pick<LintContext, 'gpusPerNode' | 'gpuBudget' | 'gitops'> {
  /** The objects as last applied, to find changes that a running graph does not support. */
  readonly previous?: readonly JsonObject[] | undefined;
}
