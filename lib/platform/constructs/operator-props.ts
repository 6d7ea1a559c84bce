import type { ISecret } from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import type { JsonObject } from '../../json/index.ts';
import { operator, renderOperator, type OperatorGroup, type RenderedOperator } from '../operator/index.ts';
import type { OperatorValues } from '../operator/schema.ts';
import type { GlobalValues, SettingsValues } from '../values-schema.ts';
import { renderPart, valuesTree, type PartOfRelease, type ReleaseProps } from './release.ts';

/** A webhook certificate that is managed outside the platform. */
export interface WebhookCertificate {
  /** Secret with tls.crt and tls.key. */
  readonly secret: Pick<ISecret, 'name'>;
  /** CA of the certificate, as base64 of PEM. */
  readonly caBundle: string;
}

/** Existing objects that the operator should use. */
export interface OperatorExistingObjects {
  /**
   * Secret with the keys `private.key` and `private.key.pub` for multi-node MPI.
   * @default - a Secret called `mpi-run-ssh-secret`, which must exist
   */
  readonly mpiSecret?: Pick<ISecret, 'name'>;
  /**
   * Secret of type `kubernetes.io/dockerconfigjson` for the images of graphs.
   * @default - none
   */
  readonly registrySecret?: Pick<ISecret, 'name'>;
  /**
   * Pull secrets of the operator pod.
   * @default - none
   */
  readonly imagePullSecrets?: readonly Pick<ISecret, 'name'>[];
  /**
   * Webhook certificate that is managed outside the platform.
   * @default - cert-manager issues it
   */
  readonly webhookCertificate?: WebhookCertificate;
}

/** Properties of every construct of the operator; pass the same properties to all constructs of one operator. */
export interface OperatorProps extends ReleaseProps, OperatorExistingObjects {
  /**
   * Values of the block `dynamo-operator`.
   * @default - one cluster-wide operator with webhooks
   */
  readonly values?: OperatorValues;
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
}

/** Values of the block `dynamo-operator` that name existing objects. */
export function existingObjectValues(props: OperatorExistingObjects): JsonObject {
  const { mpiSecret, registrySecret, imagePullSecrets, webhookCertificate } = props;
  const dynamo = {
    ...(mpiSecret === undefined ? {} : { mpiRun: { secretName: mpiSecret.name } }),
    ...(registrySecret === undefined
      ? {}
      : { dockerRegistry: { useKubernetesSecret: true, existingSecretName: registrySecret.name } }),
  };
  return {
    ...(Object.keys(dynamo).length === 0 ? {} : { dynamo }),
    ...(imagePullSecrets === undefined ? {} : { imagePullSecrets: imagePullSecrets.map(({ name }) => ({ name })) }),
    ...(webhookCertificate === undefined
      ? {}
      : {
          webhook: {
            certificateSecret: { name: webhookCertificate.secret.name, external: true },
            caBundle: webhookCertificate.caBundle,
          },
        }),
  };
}

/** Renders groups of the operator's objects. */
export function renderGroups(
  scope: Construct,
  props: OperatorProps,
  groups: readonly OperatorGroup[],
): PartOfRelease<RenderedOperator> {
  const tree = valuesTree({
    key: operator.key,
    layers: [props.values, existingObjectValues(props)],
    global: props.global,
    settings: props.settings,
  });
  return renderPart(scope, props, operator, tree, (values, context) => renderOperator(values, context, groups));
}
