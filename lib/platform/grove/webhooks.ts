import { type JsonObject, objectAt } from '../../json/index.ts';
import { atPath, templateString } from '../go-values.ts';
import { yamlScalar } from '../yaml-scalar.ts';

/** Input of the webhook configurations. */
interface WebhookSource {
  readonly values: JsonObject;
  readonly namespace: string;
  /** Labels of every Grove object. */
  readonly common: JsonObject;
}

function webhook({ values, namespace }: WebhookSource, name: string, path: string, fields: JsonObject): JsonObject {
  return {
    admissionReviewVersions: ['v1'],
    clientConfig: {
      service: {
        name: templateString(atPath(values, 'service.name')),
        namespace,
        path,
        port: yamlScalar(atPath(values, 'config.server.webhooks.port')),
      },
    },
    failurePolicy: 'Fail',
    matchPolicy: 'Exact',
    name,
    sideEffects: 'None',
    timeoutSeconds: 10,
    ...fields,
  };
}

function rule(
  apiGroup: string,
  apiVersions: readonly string[],
  resources: readonly string[],
  operations: readonly string[],
): JsonObject {
  return { apiGroups: [apiGroup], apiVersions, operations, resources, scope: '*' };
}

const podCliqueSets = { rules: [rule('grove.io', ['v1alpha1'], ['podcliquesets'], ['CREATE', 'UPDATE'])] };
const changes = ['UPDATE', 'DELETE'];
const everything = ['CREATE', 'UPDATE', 'DELETE'];

const managed = {
  objectSelector: { matchLabels: { 'app.kubernetes.io/managed-by': 'grove-operator' } },
  rules: [
    rule('', ['v1'], ['secrets', 'serviceaccounts', 'services'], changes),
    rule('', ['v1'], ['pods'], ['UPDATE']),
    rule('rbac.authorization.k8s.io', ['v1'], ['roles', 'rolebindings'], changes),
    rule('autoscaling', ['v1', 'v2'], ['horizontalpodautoscalers'], changes),
    rule('grove.io', ['v1alpha1'], ['podcliques', 'podcliquescalinggroups'], everything),
    rule('scheduler.grove.io', ['v1alpha1'], ['podgangs'], everything),
  ],
};

interface Definition {
  readonly kind: string;
  readonly name: string;
  readonly labels: string;
  readonly webhook: string;
  readonly path: string;
  readonly fields: JsonObject;
}

const definitions: Readonly<Record<'defaulting' | 'validating' | 'authorizer', Definition>> = {
  defaulting: {
    kind: 'MutatingWebhookConfiguration',
    name: 'podcliqueset-defaulting-webhook',
    labels: 'podCliqueSetDefaultingWebhook',
    webhook: 'pcs.defaulting.webhooks.grove.io',
    path: '/webhooks/default-podcliqueset',
    fields: podCliqueSets,
  },
  validating: {
    kind: 'ValidatingWebhookConfiguration',
    name: 'podcliqueset-validating-webhook',
    labels: 'podCliqueSetValidationWebhook',
    webhook: 'pcs.validating.webhooks.grove.io',
    path: '/webhooks/validate-podcliqueset',
    fields: podCliqueSets,
  },
  authorizer: {
    kind: 'ValidatingWebhookConfiguration',
    name: 'authorizer-webhook',
    labels: 'authorizerWebhook',
    webhook: 'authorizer.webhooks.grove.io',
    path: '/webhooks/authorizer-webhook',
    fields: managed,
  },
};

/** A webhook configuration of Grove; the operator sets its `caBundle`. */
export function webhookConfiguration(source: WebhookSource, which: keyof typeof definitions): JsonObject {
  const { kind, name, labels, webhook: hook, path, fields } = definitions[which];
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name, labels: { ...source.common, ...objectAt(atPath(source.values, 'webhooks', labels, 'labels')) } },
    webhooks: [webhook(source, hook, path, fields)],
  };
}
