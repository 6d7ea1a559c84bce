/** Webhook configurations that send the requests of one namespace to an operator on this machine. */
import { onTestFinished } from 'vitest';
import { webhookKinds } from '../../lib/admission/webhook-paths.ts';
import { succeeded, type KubernetesObject } from './client.ts';
import { cluster } from './cluster-test.ts';

const kind = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration' } as const;

/** Makes the API server ask the webhooks at a port of localhost about a namespace, until the test ends. */
export async function withWebhooks(name: string, namespace: string, port: number, caBundle?: string): Promise<void> {
  onTestFinished(async () => {
    await cluster().client.delete({ ...kind, metadata: { name } });
  });
  succeeded(await cluster().client.apply(configuration(name, namespace, port, caBundle), { query: { fieldManager: 'test' } }));
}

/** The PEM bundles of all webhooks of a configuration. */
export async function caBundles(name: string): Promise<readonly string[]> {
  const { webhooks } = succeeded(
    await cluster().client.get<
      KubernetesObject & { readonly webhooks: readonly { readonly clientConfig: { readonly caBundle?: string } }[] }
    >({ ...kind, metadata: { name } }),
  );
  return webhooks.map(({ clientConfig }) => Buffer.from(clientConfig.caBundle ?? '', 'base64').toString('utf8'));
}

function configuration(name: string, namespace: string, port: number, caBundle: string | undefined): KubernetesObject {
  const webhooks = [...webhookKinds].map(([path, kindName]) => ({
    name: `v${kindName.toLowerCase()}.kb.io`,
    clientConfig: {
      url: `https://localhost:${port}${path}`,
      ...(caBundle === undefined ? {} : { caBundle: Buffer.from(caBundle).toString('base64') }),
    },
    rules: [
      {
        apiGroups: ['nvidia.com'],
        apiVersions: ['v1alpha1'],
        operations: ['CREATE', 'UPDATE'],
        resources: [`${kindName.toLowerCase()}s`],
      },
    ],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    failurePolicy: 'Fail',
    timeoutSeconds: 10,
  }));
  return { ...kind, metadata: { name }, webhooks };
}
