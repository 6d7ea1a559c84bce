import { byteLength, findString, isObject, type JsonObject, listAt, objectAt, stringAt } from '../json/index.ts';
import { showValue } from '../manifest/index.ts';
import { checkClaimSpec } from './claim-spec.ts';
import { checkIngress, checkService } from './exposure.ts';
import type { FieldErrors } from './field-errors.ts';
import { checkListKeys } from './list-keys.ts';
import {
  checkConfigKey,
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelValue,
  checkPathSegment,
  type NameCheck,
} from './names.ts';
import { checkDisruptionBudget } from './disruption-budget.ts';
import { checkNetworkPolicy } from './network-policy.ts';
import { checkWebhooks } from './webhook-configuration.ts';
import { checkCronJob, checkDeployment, checkJob, checkStatefulSet } from './workloads.ts';

/** The checks of one kind, in addition to those of metadata. */
interface KindChecks {
  readonly name: NameCheck;
  readonly check?: (object: JsonObject, errors: FieldErrors) => void;
}

/** The controller appends 11 characters to the name of each Job: https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ */
const cronJobNameLimit = 52;
/** ConfigMaps and Secrets hold at most 1 MiB: https://kubernetes.io/docs/concepts/configuration/configmap/ */
const dataLimit = 1024 * 1024;

/** Fields of a ConfigMap or Secret that hold content; a later field overrides the keys of an earlier one. */
const contentFields: Readonly<Record<string, readonly (readonly [field: string, encoding: 'utf8' | 'base64'])[]>> = {
  ConfigMap: [
    ['data', 'utf8'],
    ['binaryData', 'base64'],
  ],
  Secret: [
    ['data', 'base64'],
    ['stringData', 'utf8'],
  ],
};

function checkData(object: JsonObject, errors: FieldErrors): void {
  const sizes = new Map<string, number>();
  for (const [field, encoding] of contentFields[stringAt(object, 'kind')] ?? [])
    for (const [key, value] of Object.entries(objectAt(object, field))) {
      errors.each(checkConfigKey(key), [field, key], key);
      sizes.set(key, encoding === 'utf8' ? byteLength(showValue(value)) : decodedLength(showValue(value)));
    }
  // The limit applies to decoded bytes: `ValidateConfigMap` and `ValidateSecret` of k8s.io/kubernetes/pkg/apis/core/validation.
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  if (total > dataLimit) errors.tooLong(['data'], dataLimit);
}

/** Number of bytes that a base64 string decodes to. */
function decodedLength(base64: string): number {
  const characters = base64.replaceAll(/[\r\n=]/g, '').length;
  return Math.floor((characters * 3) / 4);
}

function checkBinding(object: JsonObject, errors: FieldErrors): void {
  const role = findString(object, 'roleRef', 'name') ?? '';
  if (role === '') errors.required(['roleRef', 'name']);
  else errors.each(checkPathSegment(role), ['roleRef', 'name'], role);
  for (const [i, subject] of listAt(object, 'subjects').entries()) {
    const name = findString(subject, 'name') ?? '';
    if (name === '') errors.required(['subjects', i, 'name']);
    else if (findString(subject, 'kind') === 'ServiceAccount')
      errors.each(checkDnsSubdomain(name), ['subjects', i, 'name'], name);
  }
}

function checkCliques(object: JsonObject, errors: FieldErrors): void {
  const template = objectAt(object, 'spec', 'template');
  for (const [i, clique] of listAt(template, 'cliques').entries())
    checkListKeys(objectAt(clique, 'spec', 'podSpec'), ['spec', 'template', 'cliques', i, 'spec', 'podSpec'], errors);
}

function checkLeaderWorkerSet(object: JsonObject, errors: FieldErrors): void {
  for (const part of ['leaderTemplate', 'workerTemplate']) {
    const pod = objectAt(object, 'spec', 'leaderWorkerTemplate', part)['spec'];
    if (isObject(pod)) checkListKeys(pod, ['spec', 'leaderWorkerTemplate', part, 'spec'], errors);
  }
}

/** The checks of every built-in kind that is rendered, and of the custom kinds whose CRD schema can reject a rendered object. */
export const kindChecks: Readonly<Record<string, KindChecks>> = {
  Deployment: { name: checkDnsSubdomain, check: checkDeployment },
  StatefulSet: { name: checkDnsSubdomain, check: checkStatefulSet },
  CronJob: {
    name: (value) => [
      ...checkDnsSubdomain(value),
      ...(value.length > cronJobNameLimit ? [`must be no more than ${cronJobNameLimit} characters`] : []),
    ],
    check: checkCronJob,
  },
  // A Job's name is also a label value of its pods: https://kubernetes.io/docs/concepts/workloads/controllers/job/
  Job: { name: (value) => [...checkDnsSubdomain(value), ...checkLabelValue(value)], check: checkJob },
  Service: { name: checkDns1035Label, check: checkService },
  Ingress: { name: checkDnsSubdomain, check: checkIngress },
  PersistentVolumeClaim: {
    name: checkDnsSubdomain,
    check: (object, errors) => checkClaimSpec(objectAt(object, 'spec'), ['spec'], errors),
  },
  ConfigMap: { name: checkDnsSubdomain, check: checkData },
  Secret: { name: checkDnsSubdomain, check: checkData },
  ServiceAccount: { name: checkDnsSubdomain },
  Role: { name: checkPathSegment },
  RoleBinding: { name: checkPathSegment, check: checkBinding },
  ClusterRole: { name: checkPathSegment },
  ClusterRoleBinding: { name: checkPathSegment, check: checkBinding },
  Namespace: { name: checkDnsLabel },
  NetworkPolicy: { name: checkDnsSubdomain, check: checkNetworkPolicy },
  PodDisruptionBudget: { name: checkPathSegment, check: checkDisruptionBudget },
  ValidatingWebhookConfiguration: { name: checkDnsSubdomain, check: checkWebhooks },
  MutatingWebhookConfiguration: { name: checkDnsSubdomain, check: checkWebhooks },
  PodCliqueSet: { name: checkDnsSubdomain, check: checkCliques },
  LeaderWorkerSet: { name: checkDnsSubdomain, check: checkLeaderWorkerSet },
};
