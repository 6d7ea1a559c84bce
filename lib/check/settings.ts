import type { AdmissionContext, User } from '../admission/index.ts';
import type { JsonObject } from '../json/index.ts';
import type { LintContext, Orchestrator } from '../lint/index.ts';
import type { OperatorConfig } from '../render/index.ts';

/** What schema and admission know besides the documents. Every broken rule is reported unless `thorough` is false. */
export interface JudgeSettings extends AdmissionContext {
  /** Namespace of objects that name none. */
  readonly namespace: string;
  /** Who sends the documents. */
  readonly user?: User | undefined;
  /**
   * The release whose fields count; another one than the package renders drops or knows other fields.
   * @default - the one this package renders
   */
  readonly release?: string | undefined;
  /** Objects as they are now; a document with the same kind, namespace and name is judged as an update. */
  readonly old?: readonly JsonObject[] | undefined;
}

/** What rendering knows besides the documents. */
export interface RenderSettings extends JudgeSettings {
  /**
   * What starts pods that span nodes.
   * @default - read from `apiGroups`; where nobody says, a graph that spans nodes is taken to have LeaderWorkerSets
   */
  readonly orchestrator?: Orchestrator | undefined;
  /**
   * The operator's flags.
   * @default - those of the platform's chart
   */
  readonly config?: OperatorConfig | undefined;
}

/** What lint knows besides the documents. */
export interface LintSettings extends RenderSettings, Pick<LintContext, 'gpusPerNode' | 'gpuBudget' | 'gitops'> {
  /** Objects as applied before, to find changes that a running graph cannot take. */
  readonly previous?: readonly JsonObject[] | undefined;
}
