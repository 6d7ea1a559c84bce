import type { EtcdValues } from './etcd/schema.ts';
import type { GroveValues } from './grove/schema.ts';
import type { KaiValues } from './kai/schema.ts';
import type { NatsValues } from './nats/schema.ts';
import type { OperatorValues } from './operator/schema.ts';
import type { GlobalValues, SettingsValues } from './values-schema.ts';

/** The tree of values: those of the original chart, and the block `platform` of this package. Every key is optional; null removes a default. */
export type PlatformValues = {
  /** Values for every part. */
  readonly global?: GlobalValues | null;
  /** The operator. */
  readonly 'dynamo-operator'?: OperatorValues | null;
  /** NATS. */
  readonly nats?: NatsValues;
  /** etcd. */
  readonly etcd?: EtcdValues;
  /** The Grove operator. */
  readonly grove?: GroveValues;
  /** The KAI scheduler. */
  readonly 'kai-scheduler'?: KaiValues;
  /** Settings of this generator. */
  readonly platform?: SettingsValues | null;
};
