import type { ISecret, IServiceAccount } from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import type { Container } from '../../api/index.ts';
import { plusServiceAccount, plusSecret } from '../../plus/index.ts';
import { atPath, templateString } from '../go-values.ts';
import { managerArguments, webhookConfigurationName } from '../operator/arguments.ts';
import type { PlatformContext } from '../platform-context.ts';
import { conflicts, type InstallsOperator } from './installation.ts';
import { renderGroups, type OperatorProps } from './operator-props.ts';
import { RenderedConstruct } from './add-objects.ts';
import { addContainer } from './sidecar.ts';

/** Properties of `OperatorDeployment`. */
export interface OperatorDeploymentProps extends OperatorProps {
  /**
   * Name of the cluster the chart is for; one cluster may have one cluster-wide operator only.
   * @default - the one cluster of the app
   */
  readonly cluster?: string;
}

/** The operator's Deployment with its environment, metrics Service, PodDisruptionBudget and NetworkPolicy. */
export class OperatorDeployment extends RenderedConstruct implements InstallsOperator {
  /** Name of the Deployment. */
  readonly deploymentName: string;
  /** Name of the account it runs under, which `OperatorRbac` creates. */
  readonly serviceAccountName: string;
  /** Name of the metrics Service. */
  readonly metricsServiceName: string;
  /** Arguments of the manager. */
  readonly arguments: readonly string[];
  readonly installation: InstallsOperator['installation'];
  readonly #context: PlatformContext;

  constructor(scope: Construct, id: string, props: OperatorDeploymentProps = {}) {
    const { context, rendered } = renderGroups(scope, props, ['deployment']);
    super(scope, id, rendered, props.warnings);
    this.#context = context;
    this.deploymentName = `${rendered.scope.name}-controller-manager`;
    this.serviceAccountName = rendered.scope.account;
    this.metricsServiceName = rendered.scope.name;
    this.arguments = managerArguments(rendered.scope);
    this.installation = {
      cluster: props.cluster ?? '',
      release: context.release,
      namespace: context.namespace,
      clusterWide: !rendered.scope.restricted,
    };
  }

  /** The account it runs under, as a cdk8s-plus construct. */
  get serviceAccount(): IServiceAccount {
    return plusServiceAccount(this, this.serviceAccountName, this.installation?.namespace);
  }

  /** Adds a container to the pods. Its security context defaults to that of the profile; it is checked at synth like the rest of the pod. */
  addSidecar(container: Container): void {
    addContainer(
      this.objects.find(({ kind }) => kind === 'Deployment'),
      container,
      this.#context,
    );
  }

  protected override validateTogether(): readonly string[] {
    return conflicts(this);
  }
}

/** Accounts and roles of the operator, and the roles of planner, endpoint picker and profiling Jobs. */
export class OperatorRbac extends RenderedConstruct {
  /** Name of the operator's account. */
  readonly serviceAccountName: string;
  /** Name of the account of graph pods. */
  readonly componentServiceAccountName: string;
  readonly #namespace: string;

  constructor(scope: Construct, id: string, props: OperatorProps = {}) {
    const { context, rendered } = renderGroups(scope, props, ['rbac']);
    super(scope, id, rendered, props.warnings);
    this.serviceAccountName = rendered.scope.account;
    this.componentServiceAccountName = `${rendered.scope.name}-component`;
    this.#namespace = context.namespace;
  }

  /** The operator's account, as a cdk8s-plus construct. */
  get serviceAccount(): IServiceAccount {
    return plusServiceAccount(this, this.serviceAccountName, this.#namespace);
  }

  /** The account of graph pods, as a cdk8s-plus construct. */
  get componentServiceAccount(): IServiceAccount {
    return plusServiceAccount(this, this.componentServiceAccountName, this.#namespace);
  }
}

/** The validating webhooks: their Service, certificate and configuration. */
export class AdmissionWebhooks extends RenderedConstruct {
  /** Name of the ValidatingWebhookConfiguration. */
  readonly configurationName: string;
  /** Name of the Service the API server calls. */
  readonly serviceName: string;
  /** Name of the Secret with the certificate. */
  readonly certificateSecretName: string;

  constructor(scope: Construct, id: string, props: OperatorProps = {}) {
    const { values, rendered } = renderGroups(scope, props, ['webhooks']);
    super(scope, id, rendered, props.warnings);
    this.configurationName = webhookConfigurationName(rendered.scope);
    this.serviceName = `${rendered.scope.name}-webhook-service`;
    this.certificateSecretName = templateString(atPath(values, 'webhook.certificateSecret.name'));
  }

  /** The Secret with the certificate, as a cdk8s-plus construct. */
  get certificateSecret(): ISecret {
    return plusSecret(this, this.certificateSecretName);
  }
}
