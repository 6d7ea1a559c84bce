/** The platform as cdk8s constructs: the whole, and each part alone. They add what the pure functions beside render, and nothing else. */
export { DynamoPlatform, type DynamoPlatformProps } from './dynamo-platform.ts';
export { DynamoCrds } from './dynamo-crds.ts';
export { EtcdCluster, type EtcdClusterProps, type EtcdSnapshot } from './etcd-cluster.ts';
export { InferenceGateway, type InferenceGatewayProps } from './inference-gateway.ts';
export { Monitoring, type MonitoringProps } from './monitoring.ts';
export { NatsCluster, type NatsClusterProps } from './nats-cluster.ts';
export { AdmissionWebhooks, OperatorDeployment, OperatorRbac, type OperatorDeploymentProps } from './operator.ts';
export { type OperatorExistingObjects, type OperatorProps, type WebhookCertificate } from './operator-props.ts';
export { RenderedConstruct, type WarningHandling } from './add-objects.ts';
export { type ReleaseProps } from './release.ts';
export { GroveOperator, KaiScheduler, type GroveOperatorProps, type KaiSchedulerProps } from './schedulers.ts';
