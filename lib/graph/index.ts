/**
 * Constructs for Dynamo graphs: from a model, an engine, roles and routing they write DynamoGraphDeployments and related objects.
 * Nothing here connects to a cluster.
 */
export { DynamoChart, type DynamoChartProps } from './chart.ts';
export { Component, type ComponentType } from './component.ts';
export type { ComponentOptions, ContainerFields, PodFields } from './component-props.ts';
export { ComputeDomain, type ComputeDomainProps } from './compute-domain.ts';
export { CustomComponent, ManifestComponent, type CustomComponentProps } from './custom-component.ts';
export { dedent } from './dedent.ts';
export { DynamoModel, type DynamoModelProps, type LoraProps, type ModelUri } from './dynamo-model.ts';
export type { Backend, EngineOptions, Role } from './engine/base.ts';
export { Engine } from './engine/engine.ts';
export type { JsonText, Num } from './engine/flag.ts';
export { MockerEngine, type MockerOptions } from './engine/mocker.ts';
export { SglangEngine, type SglangOptions, type SglangParallel } from './engine/sglang.ts';
export type { Count, NotACount } from './engine/count.ts';
export { TrtllmEngine, type TrtllmBaseOptions, type TrtllmOptions, type TrtllmParallel } from './engine/trtllm.ts';
export type {
  TrtllmBuildConfig,
  TrtllmCacheTransceiverConfig,
  TrtllmConfig,
  TrtllmCudaGraphConfig,
  TrtllmKvCacheConfig,
  TrtllmMoeConfig,
} from './engine/trtllm-config.ts';
export { VllmEngine, type VllmBaseOptions, type VllmOptions, type VllmParallel } from './engine/vllm.ts';
export { Epp, type EppBaseProps, type EppProps } from './epp.ts';
export { Fabric } from './fabric.ts';
export { Frontend, type FrontendProps } from './frontend.ts';
export { DynamoGraph, type DynamoGraphProps } from './graph.ts';
export type { IngressBaseOptions, IngressOptions } from './ingress.ts';
export { KvConnector, StackableKvConnector, type KvbmOptions, type LmcacheOptions } from './kv-connector.ts';
export { LoraStore, type LoraOptions, type S3LoraStoreOptions } from './lora.ts';
export { Model, type HuggingFaceOptions, type ModelPathOptions } from './model.ts';
export { ModelCache, type CacheMountOptions, type ModelCacheProps } from './model-cache.ts';
export type { NamingStyle } from './worker-names.ts';
export { Placement } from './placement.ts';
export type { Env } from './plain.ts';
export { Planner, type PlannerProps } from './planner.ts';
export type { CpuAmount, Quantity } from './quantity.ts';
export { Platform, type PlatformProps, type Release } from './platform.ts';
export type { AggregatedProps, DisaggregatedProps, PresetProps, PresetWorkerProps } from './graph-presets.ts';
export {
  DynamoGraphRequest,
  Search,
  type AiConfiguratorOptions,
  type DynamoGraphRequestBaseProps,
  type DynamoGraphRequestProps,
  type GpuSystem,
  type RequestHardware,
  type Sla,
} from './graph-request.ts';
export { Router, type KvRouterBaseOptions, type KvRouterOptions, type RouterOptions } from './router.ts';
export { Scaler, type HpaOptions, type KedaOptions, type Metric, type ScalerBounds } from './scaler.ts';
export type { GraphFinding } from './validation.ts';
export { Worker, type WorkerProps } from './worker.ts';
export { yamlText, type YamlTextOptions } from './yaml-text.ts';
