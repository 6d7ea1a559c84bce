import type { IConfigMap, IPersistentVolumeClaim, ISecret, IServiceAccount, Namespace } from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import { plusServiceAccount, plusNamespace } from '../../plus/index.ts';
import { atPath, templateString } from '../go-values.ts';
import { etcd } from '../etcd/index.ts';
import { etcdName } from '../etcd/release.ts';
import type { EtcdValues } from '../etcd/schema.ts';
import { etcdAddress } from '../operator/addresses.ts';
import type { GlobalValues, SettingsValues } from '../values-schema.ts';
import { RenderedConstruct } from './add-objects.ts';
import { renderPart, valuesTree, type ReleaseProps } from './release.ts';

/** A snapshot to start from: the claim that holds it and the file in it. */
export interface EtcdSnapshot {
  readonly claim: Pick<IPersistentVolumeClaim, 'name'>;
  readonly fileName: string;
}

/** Properties of `EtcdCluster`. */
export interface EtcdClusterProps extends ReleaseProps {
  /**
   * Values of the block `etcd`.
   * @default - one member on a volume of 1Gi
   */
  readonly values?: EtcdValues;
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
   * Members; an odd number, chosen at the first install.
   * @default - as the values say, one otherwise
   */
  readonly replicas?: number;
  /**
   * Secret with tls.crt, tls.key and ca.crt; clients and members then speak TLS.
   * @default - no TLS
   */
  readonly tlsSecret?: Pick<ISecret, 'name'>;
  /**
   * Secret with the password of root under `etcd-root-password`; clients must then authenticate.
   * @default - no authentication
   */
  readonly rootPasswordSecret?: Pick<ISecret, 'name'>;
  /**
   * ConfigMap with your own `etcd.conf.yml`.
   * @default - none
   */
  readonly configMap?: Pick<IConfigMap, 'name'>;
  /**
   * Account of the members.
   * @default - one is created
   */
  readonly serviceAccount?: Pick<IServiceAccount, 'name'>;
  /**
   * Snapshot to start from.
   * @default - start empty
   */
  readonly snapshot?: EtcdSnapshot;
}

/** etcd, the key-value store of graphs that do not use Kubernetes for discovery. */
export class EtcdCluster extends RenderedConstruct {
  /** Namespace of the members. */
  readonly namespace: string;
  /** Name of the Service for clients. */
  readonly serviceName: string;
  /** Address for clients in the cluster, such as `dynamo-platform-etcd.dynamo-system.svc.cluster.local:2379`. */
  readonly address: string;
  readonly #accountName: string;

  constructor(scope: Construct, id: string, props: EtcdClusterProps = {}) {
    const { replicas, tlsSecret, rootPasswordSecret, configMap, serviceAccount, snapshot } = props;
    const security = {
      ...(tlsSecret === undefined ? {} : { tls: { enabled: true, secretName: tlsSecret.name } }),
      ...(rootPasswordSecret === undefined ? {} : { auth: { enabled: true, secretName: rootPasswordSecret.name } }),
    };
    const existing = {
      ...(replicas === undefined ? {} : { replicaCount: replicas }),
      ...(configMap === undefined ? {} : { existingConfigmap: configMap.name }),
      ...(serviceAccount === undefined ? {} : { serviceAccount: { create: false, name: serviceAccount.name } }),
      ...(snapshot === undefined
        ? {}
        : { startFromSnapshot: { enabled: true, existingClaim: snapshot.claim.name, snapshotFilename: snapshot.fileName } }),
      security,
    };
    const tree = valuesTree({ key: etcd.key, layers: [props.values, existing], global: props.global, settings: props.settings });
    const { context, values, rendered } = renderPart(scope, props, etcd, tree, etcd.render);
    super(scope, id, rendered, props.warnings);
    this.namespace = context.namespace;
    this.serviceName = etcdName(values, context.release);
    this.address = etcdAddress(context, atPath(values, 'clusterDomain')) ?? '';
    const [members] = rendered.objects.filter(({ kind }) => kind === 'StatefulSet');
    this.#accountName = templateString(atPath(members, 'spec.template.spec.serviceAccountName'));
  }

  /** Namespace of the members, as a cdk8s-plus construct. */
  get kubernetesNamespace(): Namespace {
    return plusNamespace(this, this.namespace);
  }

  /** Account of the members, as a cdk8s-plus construct. */
  get serviceAccount(): IServiceAccount {
    return plusServiceAccount(this, this.#accountName, this.namespace);
  }
}
