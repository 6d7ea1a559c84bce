/** The authorities that API servers trust when they call our webhooks: `caBundle` of a ValidatingWebhookConfiguration. */
import { findObject, listAt, stringAt, type PatchOperation } from '../../json/index.ts';
import type { ApiClient } from '../api/client.ts';
import type { ObjectKey } from '../api/object.ts';
import { joinBundles } from './certificate.ts';

/** The authorities that the webhooks of a configuration trust. */
interface TrustedAuthorities {
  readonly key: ObjectKey;
  readonly resourceVersion: string;
  /** One PEM text for each webhook, in their order. */
  readonly bundles: readonly string[];
  /** For each webhook, whether it has a `clientConfig`, without which it cannot hold a bundle. */
  readonly hasClientConfig: readonly boolean[];
}

/** Reads the authorities that the webhooks of a configuration trust. */
export async function trustedAuthorities(client: ApiClient, name: string): Promise<TrustedAuthorities> {
  const key = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', name };
  const { metadata, webhooks } = await client.get(key);
  const configs = listAt(webhooks).map((webhook) => findObject(webhook, 'clientConfig'));
  return {
    key,
    resourceVersion: metadata.resourceVersion ?? '',
    bundles: configs.map((config) => Buffer.from(stringAt(config, 'caBundle'), 'base64').toString('utf8')),
    hasClientConfig: configs.map((config) => config !== undefined),
  };
}

/** Makes every webhook trust these authorities besides those it trusts already; expired ones are taken out. */
export async function injectAuthorities(client: ApiClient, held: TrustedAuthorities, wanted: string, date: Date): Promise<void> {
  const operations: readonly PatchOperation[] = [
    { op: 'test', path: '/metadata/resourceVersion', value: held.resourceVersion },
    ...held.bundles.flatMap((bundle, index): readonly PatchOperation[] => {
      if (held.hasClientConfig[index] !== true) return [];
      const value = Buffer.from(joinBundles([wanted, bundle], date), 'utf8').toString('base64');
      return [{ op: 'add', path: `/webhooks/${index}/clientConfig/caBundle`, value }];
    }),
  ];
  await client.patch(held.key, operations);
}
