import { findString, isObject, type JsonObject, listAt, objectAt } from '../json/index.ts';
import type { FieldErrors } from './field-errors.ts';
import { checkLabelSelector } from './metadata.ts';
import { checkDnsSubdomain } from './names.ts';
import { checkPortReference } from './probes.ts';

const failurePolicies = ['Fail', 'Ignore'];

/** Checks the webhooks of a ValidatingWebhookConfiguration or MutatingWebhookConfiguration. */
export function checkWebhooks(object: JsonObject, errors: FieldErrors): void {
  for (const [i, webhook] of listAt(object, 'webhooks').entries()) {
    if (!isObject(webhook)) continue;
    const at = ['webhooks', i];
    const name = findString(webhook, 'name') ?? '';
    errors.each(checkDnsSubdomain(name), [...at, 'name'], name);
    if (name.split('.').length < 3)
      errors.invalid([...at, 'name'], name, 'should be a domain with at least three segments separated by dots');
    const policy = findString(webhook, 'failurePolicy') ?? 'Fail';
    if (!failurePolicies.includes(policy)) errors.unsupported([...at, 'failurePolicy'], policy, failurePolicies);
    const seconds = Number(webhook['timeoutSeconds'] ?? 10);
    if (seconds < 1 || seconds > 30)
      errors.invalid([...at, 'timeoutSeconds'], webhook['timeoutSeconds'], 'the timeout value must be between 1 and 30 seconds');
    for (const key of ['namespaceSelector', 'objectSelector']) checkLabelSelector(webhook[key], [...at, key], errors);
    const { url, service } = objectAt(webhook, 'clientConfig');
    if ((url === undefined) === (service === undefined))
      errors.required([...at, 'clientConfig'], 'exactly one of url or service is required');
    if (isObject(service) && service['port'] !== undefined)
      checkPortReference(service['port'], [...at, 'clientConfig', 'service', 'port'], errors);
  }
}
