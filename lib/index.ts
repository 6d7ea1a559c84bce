/** Public API: constructs for graphs, the platform and GitOps, and the pure functions behind them. Sub-paths such as `dynamo-cdk8s/api` hold the rest. */
export { admit, reviewAdmission } from './admission/index.ts';
export { crds, normalizeResource, parseResource, type Issue, type Path } from './api/index.ts';
export { GitOpsApp, type GitOpsAppProps } from './gitops/index.ts';
export {
  Component,
  ComputeDomain,
  CustomComponent,
  DynamoChart,
  DynamoGraph,
  DynamoGraphRequest,
  DynamoModel,
  Engine,
  Epp,
  Fabric,
  Frontend,
  dedent,
  KvConnector,
  LoraStore,
  Model,
  ModelCache,
  Placement,
  Planner,
  Platform,
  Router,
  Scaler,
  Search,
  Worker,
  yamlText,
} from './graph/index.ts';
export type * from './graph/index.ts';
export { lintGraph, lintResource, lintRules, type Finding } from './lint/index.ts';
export {
  AdmissionWebhooks,
  DynamoCrds,
  DynamoPlatform,
  EtcdCluster,
  GroveOperator,
  InferenceGateway,
  KaiScheduler,
  Monitoring,
  NatsCluster,
  OperatorDeployment,
  OperatorRbac,
  platformPresets,
  renderPlatform,
  type PlatformValues,
} from './platform/index.ts';
export { renderLevels, renderResource, type RenderContext, type RenderResult } from './render/index.ts';
