import { ApiObject, type Chart } from 'cdk8s';
import type { ISecret, IServiceAccount, Namespace } from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import { type Container, crds, type KubernetesObject } from '../../api/index.ts';
import type { JsonObject } from '../../json/index.ts';
import { plusServiceAccount, plusNamespace } from '../../plus/index.ts';
import { mergeLayers } from '../merge.ts';
import { graphAddresses } from '../operator/addresses.ts';
import { webhookConfigurationName } from '../operator/arguments.ts';
import { operator } from '../operator/index.ts';
import { unsupportedFields } from '../operator/graph-support.ts';
import { operatorRelease } from '../operator/release.ts';
import type { ContextOptions, PlatformContext } from '../platform-context.ts';
import { renderPlatform, type RenderedPlatform } from '../platform.ts';
import type { PlatformValues } from '../typed-values.ts';
import { valuesWithoutEffect } from '../no-effect.ts';
import { effectiveBlock } from '../values.ts';
import { sortByWave } from '../waves.ts';
import { conflicts, type InstallsOperator } from './installation.ts';
import { existingObjectValues, type OperatorExistingObjects } from './operator-props.ts';
import { RenderedConstruct } from './add-objects.ts';
import { releaseOptions, type ReleaseProps } from './release.ts';
import { addContainer } from './sidecar.ts';

/** Properties of `DynamoPlatform`. */
export interface DynamoPlatformProps extends ReleaseProps, OperatorExistingObjects {
  /**
   * Values, or layers of values; later layers override earlier ones.
   * @default - those of the original chart
   */
  readonly values?: PlatformValues | readonly PlatformValues[];
  /**
   * Secret with tls.crt, tls.key and ca.crt for NATS.
   * @default - NATS without TLS
   */
  readonly natsTlsSecret?: Pick<ISecret, 'name'>;
  /**
   * Secret with a piece of NATS configuration under `auth.conf`.
   * @default - NATS without authentication
   */
  readonly natsAuthSecret?: Pick<ISecret, 'name'>;
  /**
   * Secret with tls.crt, tls.key and ca.crt for etcd.
   * @default - etcd without TLS
   */
  readonly etcdTlsSecret?: Pick<ISecret, 'name'>;
  /**
   * Secret with the password of etcd's root under `etcd-root-password`.
   * @default - etcd without authentication
   */
  readonly etcdRootPasswordSecret?: Pick<ISecret, 'name'>;
  /**
   * Whether the six Dynamo CRDs are rendered too.
   * @default false
   */
  readonly includeCrds?: boolean;
  /**
   * Chart that an object goes into, for platforms in several files.
   * @default - the chart of the platform
   */
  readonly chartFor?: (object: KubernetesObject) => Chart | undefined;
  /**
   * Name of the cluster the chart is for; one cluster may have one cluster-wide operator only.
   * @default - the one cluster of the app
   */
  readonly cluster?: string;
}

function security(tls: Pick<ISecret, 'name'> | undefined, auth: Pick<ISecret, 'name'> | undefined): JsonObject {
  return {
    ...(tls === undefined ? {} : { tls: { enabled: true, secretName: tls.name } }),
    ...(auth === undefined ? {} : { auth: { enabled: true, secretName: auth.name } }),
  };
}

function layered(props: DynamoPlatformProps): JsonObject {
  const given = props.values ?? {};
  const layers: readonly JsonObject[] = Array.isArray(given) ? (given as readonly PlatformValues[]) : [given as PlatformValues];
  const nats = security(props.natsTlsSecret, props.natsAuthSecret);
  const etcd = security(props.etcdTlsSecret, props.etcdRootPasswordSecret);
  return mergeLayers([
    ...layers,
    {
      'dynamo-operator': existingObjectValues(props),
      ...(Object.keys(nats).length === 0 ? {} : { nats: { security: nats } }),
      ...(Object.keys(etcd).length === 0 ? {} : { etcd: { security: etcd } }),
    },
  ]);
}

/** Errors about the fields of a graph that a release does not support. */
function fieldsOf(object: ApiObject, release: string): readonly string[] {
  if (object.apiGroup !== 'nvidia.com') return [];
  const { apiVersion, kind, name } = object;
  return unsupportedFields({ ...(object.toJson() as JsonObject), apiVersion, kind, metadata: { name } }, release);
}

/** The whole platform of one release: operator, NATS, etcd, and Grove and KAI if the values enable them. */
export class DynamoPlatform extends RenderedConstruct implements InstallsOperator {
  /** Release name. */
  readonly release: string;
  /** Release namespace. */
  readonly namespace: string;
  /** Name of the operator's Deployment. */
  readonly operatorDeploymentName: string;
  /** Name of the operator's account. */
  readonly operatorServiceAccountName: string;
  /** Name of the account of graph pods. */
  readonly componentServiceAccountName: string;
  /** Name of the ValidatingWebhookConfiguration. */
  readonly webhookConfigurationName: string;
  /** Address of NATS that the operator gives to graphs; undefined if it gives none. */
  readonly natsAddress: string | undefined;
  /** Address of etcd that the operator gives to graphs; undefined if it gives none. */
  readonly etcdAddress: string | undefined;
  /** Prerequisites: what must exist in the cluster and is not rendered. */
  readonly notes: readonly string[];
  /** The merged values that the platform is rendered from. */
  readonly values: JsonObject;
  /** Release, profile and cluster that the platform is rendered for. */
  readonly options: ContextOptions;
  /** The objects by part, for layouts with a folder for each part. */
  readonly parts: RenderedPlatform['byPart'];
  /** Release of the original operator that is installed; undefined if the installed operator supports every field. */
  readonly operatorRelease: string | undefined;
  readonly installation: InstallsOperator['installation'];
  readonly #context: PlatformContext;

  constructor(scope: Construct, id: string, props: DynamoPlatformProps = {}) {
    const values = layered(props);
    const options = releaseOptions(scope, props);
    const rendered = renderPlatform(values, options);
    const withCrds =
      props.includeCrds === true && rendered.issues.length === 0 ? [...crds(), ...rendered.objects] : rendered.objects;
    const warnings = [...rendered.warnings, ...valuesWithoutEffect(values, options)];
    super(scope, id, { ...rendered, objects: sortByWave(withCrds), warnings }, props.warnings, props.chartFor);
    const { context } = rendered;
    this.#context = context;
    const block = effectiveBlock(operator, values);
    const names = operatorRelease(block.values, context);
    this.release = context.release;
    this.namespace = context.namespace;
    this.operatorDeploymentName = `${names.name}-controller-manager`;
    this.operatorServiceAccountName = names.account;
    this.componentServiceAccountName = `${names.name}-component`;
    this.webhookConfigurationName = webhookConfigurationName(names);
    const { nats, etcd } = graphAddresses(names);
    this.natsAddress = nats;
    this.etcdAddress = etcd;
    this.notes = rendered.notes;
    this.values = values;
    this.options = options;
    this.parts = rendered.byPart;
    this.operatorRelease = rendered.operatorRelease;
    const { release, namespace } = context;
    this.installation = block.enabled
      ? { cluster: props.cluster ?? '', release, namespace, clusterWide: !names.restricted }
      : undefined;
  }

  /** Release namespace, as a cdk8s-plus construct. */
  get kubernetesNamespace(): Namespace {
    return plusNamespace(this, this.namespace);
  }

  /** The operator's account, as a cdk8s-plus construct. */
  get operatorServiceAccount(): IServiceAccount {
    return plusServiceAccount(this, this.operatorServiceAccountName, this.namespace);
  }

  /** The account of graph pods, as a cdk8s-plus construct. */
  get componentServiceAccount(): IServiceAccount {
    return plusServiceAccount(this, this.componentServiceAccountName, this.namespace);
  }

  /** Adds a container to the operator's pods. Its security context defaults to that of the profile; it is checked at synth like the rest of the pod. */
  addOperatorSidecar(container: Container): void {
    const isOperator = ({ kind, name }: ApiObject): boolean => kind === 'Deployment' && name === this.operatorDeploymentName;
    addContainer(this.objects.find(isOperator), container, this.#context);
  }

  protected override validateTogether(): readonly string[] {
    return [...conflicts(this), ...this.#unsupported()];
  }

  /** Errors about fields of graphs that no operator of the app supports; which of several operators runs a graph is not known here. */
  #unsupported(): readonly string[] {
    const all = this.node.root.node.findAll();
    const platforms = all.filter((other) => other instanceof DynamoPlatform && other.installation !== undefined);
    if (platforms[0] !== this) return [];
    const releases = platforms.map((other) => (other instanceof DynamoPlatform ? other.operatorRelease : undefined));
    const missing = releases.map((release) =>
      release === undefined ? [] : all.flatMap((other) => (other instanceof ApiObject ? fieldsOf(other, release) : [])),
    );
    return missing.every((lines) => lines.length > 0) ? (missing[0] ?? []) : [];
  }
}
