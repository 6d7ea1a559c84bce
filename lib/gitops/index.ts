/** GitOps folders from platform, graphs and CRDs: plain files, kustomize, a Helm chart, Argo CD, Flux. */
export { argocdLayout, argocdObjects, type ArgoCdOptions } from './argocd.ts';
export { healthChecks, healthScripts } from './argocd-health.ts';
export { ignoreDifferences, ownedReplicas, type GraphManifest, type IgnoredDifference } from './argocd-ignore.ts';
export { fluxLayout, fluxObjects, healthExpressions, type FluxOptions } from './flux.ts';
export { GitOpsApp, type GitOpsAppProps } from './gitops-app.ts';
export { crdsChart, helmChart, type ChartInput } from './helm/index.ts';
export { kustomizeLayout } from './kustomize.ts';
export {
  defaultRevision,
  type Environment,
  type GitopsInput,
  type OutputFile,
  type PartObjects,
  type Repository,
  type Target,
} from './layout.ts';
export { layouts, type Layout } from './layouts.ts';
export { plainLayout } from './plain.ts';
export { objectFiles, orderedFileName, platformObjects } from './object-files.ts';
export { checkInput, type InputCheck } from './check-input.ts';
export { defaultGraphNamespace, placeGraphs } from './graph-namespaces.ts';
export { folderReadme } from './readme.ts';
export { checkRepositoryUrl } from './repository-url.ts';
export { checkServerAddress } from './server-address.ts';
