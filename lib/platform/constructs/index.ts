/** The platform as cdk8s constructs, as a whole and by part. They only add the objects that the pure functions of lib/platform render. */
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
