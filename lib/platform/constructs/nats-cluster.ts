import type { IConfigMap, ISecret, Namespace } from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import { plusConstruct, plusNamespace } from '../../plus/index.ts';
import { nats } from '../nats/index.ts';
import { natsNames } from '../nats/release.ts';
import type { NatsValues } from '../nats/schema.ts';
import { atPath } from '../go-values.ts';
import { natsAddress } from '../operator/addresses.ts';
import type { GlobalValues, SettingsValues } from '../values-schema.ts';
import { RenderedConstruct } from './add-objects.ts';
import { renderPart, valuesTree, type ReleaseProps } from './release.ts';

/** Properties of `NatsCluster`. */
export interface NatsClusterProps extends ReleaseProps {
  /**
   * Values of the block `nats`.
   * @default - one server with JetStream on a volume of 10Gi
   */
  readonly values?: NatsValues;
  /**
   * Values of the block `global`.
   * @default - none
   */
  readonly global?: GlobalValues;
  /**
   * Values of the block `platform`.
   * @default - none
   */
  readonly settings?: SettingsValues;
  /**
   * Number of servers; two or more form a cluster, and three keep data if one is lost.
   * @default - as the values say, one otherwise
   */
  readonly replicas?: number;
  /**
   * Secret with tls.crt, tls.key and ca.crt; clients and servers then speak TLS.
   * @default - no TLS
   */
  readonly tlsSecret?: Pick<ISecret, 'name'>;
  /**
   * Secret with a piece of NATS configuration under `auth.conf`, such as an accounts block; clients must then authenticate.
   * @default - no authentication
   */
  readonly authSecret?: Pick<ISecret, 'name'>;
}

/** NATS, the message bus of graphs. */
export class NatsCluster extends RenderedConstruct {
  /** Namespace of the servers. */
  readonly namespace: string;
  /** Name of the Service for clients. */
  readonly serviceName: string;
  /** Address for clients in the cluster, such as `nats://dynamo-platform-nats.dynamo-system.svc.cluster.local:4222`. */
  readonly address: string;
  readonly #configName: string;

  constructor(scope: Construct, id: string, props: NatsClusterProps = {}) {
    const { replicas, tlsSecret, authSecret } = props;
    const security = {
      ...(tlsSecret === undefined ? {} : { tls: { enabled: true, secretName: tlsSecret.name } }),
      ...(authSecret === undefined ? {} : { auth: { enabled: true, secretName: authSecret.name } }),
    };
    const existing = {
      ...(replicas === undefined ? {} : { config: { cluster: { enabled: replicas > 1, replicas } } }),
      security,
    };
    const tree = valuesTree({ key: nats.key, layers: [props.values, existing], global: props.global, settings: props.settings });
    const { context, values, rendered } = renderPart(scope, props, nats, tree, nats.render);
    super(scope, id, rendered, props.warnings);
    this.namespace = context.namespace;
    const names = natsNames(values, context.release);
    this.serviceName = names.service;
    this.#configName = names.configMap;
    this.address = natsAddress(context, atPath(values, 'config.cluster.routeURLs.k8sClusterDomain')) ?? '';
  }

  /** Namespace of the servers, as a cdk8s-plus construct. */
  get kubernetesNamespace(): Namespace {
    return plusNamespace(this, this.namespace);
  }

  /** The ConfigMap with `nats.conf`, as a cdk8s-plus construct. */
  get configMap(): IConfigMap {
    return plusConstruct(this, 'config-map', ({ ConfigMap }, scope, id) =>
      ConfigMap.fromConfigMapName(scope, id, this.#configName),
    );
  }
}
