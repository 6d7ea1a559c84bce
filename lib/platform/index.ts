/** The platform: Helm values in, every object out. Pure functions, and cdk8s constructs around them. */
export * from './constructs/index.ts';
export {
  type ContextOptions,
  defaultNamespace,
  defaultRelease,
  platformContext,
  type PlatformContext,
  type Profile,
} from './platform-context.ts';
export type { EtcdValues } from './etcd/schema.ts';
export { renderGaie, type GaieValues } from './gaie/index.ts';
export type { GroveValues } from './grove/schema.ts';
export { imageRewriter, parseImage } from './images.ts';
export type { KaiValues } from './kai/schema.ts';
export { listImages, type ImageUse } from './list-images.ts';
export { mergeLayers } from './merge.ts';
export type { NatsValues } from './nats/schema.ts';
export { operatorArguments } from './operator/arguments.ts';
export { unsupportedFields } from './operator/graph-support.ts';
export type { OperatorValues } from './operator/schema.ts';
export type { KubernetesObject } from '../api/index.ts';
export type { Part, PartResult } from './part.ts';
export { clientLabels } from './client-namespaces.ts';
export { valuesWithoutEffect } from './no-effect.ts';
export { renderPlatform, type RenderedPlatform } from './platform.ts';
export * as platformPresets from './values-presets.ts';
export type { CertificateMode, IssuerReference, OperatorKind, PlatformSettings } from './settings.ts';
export { switches, type SwitchDefinition, type SwitchName } from './switches.ts';
export type { PlatformValues } from './typed-values.ts';
export { editorSchema, type GlobalValues, type SettingsValues, withTitle } from './values-schema.ts';
export { sortByWave, waveOf, waves, type Wave, type WaveName } from './waves.ts';
export { inNamespace, isClusterScoped } from './scope-of-kinds.ts';
export { atPath, templateString, truthy } from './go-values.ts';
export { applySet, type SetKind, type SetOption, SetSyntaxError } from './set-values.ts';
export { platformVersion } from './operator/defaults.ts';
export { parts } from './parts.ts';
export { effectiveBlock } from './values.ts';
