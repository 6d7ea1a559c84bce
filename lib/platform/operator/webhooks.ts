import { webhookKinds } from '../../admission/index.ts';
import type { KubernetesObject } from '../../api/index.ts';
import type { JsonObject } from '../../json/index.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import { yamlScalar } from '../yaml-scalar.ts';
import { webhookConfigurationName } from './arguments.ts';
import type { OperatorRelease } from './release.ts';

function namespaceSelector({ values, restricted, home }: OperatorRelease): { namespaceSelector?: JsonObject } {
  const given = atPath(values, 'webhook.namespaceSelector');
  if (truthy(given)) return { namespaceSelector: given as JsonObject };
  return restricted ? { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': home } } } : {};
}

/** The ValidatingWebhookConfiguration with its four webhooks. */
export function validatingWebhooks(scope: OperatorRelease): readonly KubernetesObject[] {
  const { values, name, context } = scope;
  if (!truthy(atPath(values, 'webhook.enabled'))) return [];
  const caBundle = scope.certificates === 'external' ? atPath(values, 'webhook.caBundle') : undefined;
  const webhooks = [...webhookKinds].map(([path, kind]) => ({
    name: `v${kind.toLowerCase()}.kb.io`,
    admissionReviewVersions: ['v1'],
    clientConfig: {
      service: { name: `${name}-webhook-service`, namespace: context.namespace, path },
      ...(truthy(caBundle) ? { caBundle: templateString(caBundle) } : {}),
    },
    failurePolicy: yamlScalar(atPath(values, 'webhook.failurePolicy')),
    ...namespaceSelector(scope),
    rules: [
      {
        apiGroups: ['nvidia.com'],
        apiVersions: ['v1alpha1'],
        operations: ['CREATE', 'UPDATE'],
        resources: [`${kind.toLowerCase()}s`],
      },
    ],
    sideEffects: 'None',
    timeoutSeconds: yamlScalar(atPath(values, 'webhook.timeoutSeconds')),
  }));
  const injected =
    scope.certificates === 'cert-manager'
      ? { annotations: { 'cert-manager.io/inject-ca-from': `${context.namespace}/${name}-serving-cert` } }
      : {};
  return [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: webhookConfigurationName(scope), labels: scope.componentLabels('webhook'), ...injected },
      webhooks,
    },
  ];
}
