import { type Issue, parseDuration } from '../../api/index.ts';
import type { Json, JsonObject } from '../../json/index.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import { yamlScalar } from '../yaml-scalar.ts';
import type { OperatorRelease } from './release.ts';

const servingBlock = 'webhook.certManager.certificate';
const rootBlock = `${servingBlock}.rootCA`;

/** Lifetime of the certificate from `certificateValidity`, the original's value for its Jobs, in days; values for cert-manager override it. */
function validity({ context }: OperatorRelease): JsonObject {
  const given = (path: string): Json | undefined => atPath(context.values, `dynamo-operator.webhook.${path}`);
  const days = Number(given('certificateValidity') ?? 0);
  const isWanted = context.switches['no-hooks'] && given('certManager.certificate.duration') === undefined;
  if (!isWanted || !Number.isInteger(days) || days < 1) return {};
  const renewBefore = given('certManager.certificate.renewBefore') === undefined;
  return { duration: `${days * 24}h`, ...(renewBefore ? { renewBefore: `${Math.min(360, days * 8)}h` } : {}) };
}

function timesOf({ values }: OperatorRelease, block: string): JsonObject {
  return {
    duration: yamlScalar(atPath(values, `${block}.duration`)),
    renewBefore: yamlScalar(atPath(values, `${block}.renewBefore`)),
  };
}

/** Lifetime of the serving certificate, and how long before its end it is renewed. */
export function servingTimes(scope: OperatorRelease): JsonObject {
  return { ...timesOf(scope, servingBlock), ...validity(scope) };
}

/** Lifetime of the root certificate, and how long before its end it is renewed. */
export function rootTimes(scope: OperatorRelease): JsonObject {
  return timesOf(scope, rootBlock);
}

/** The shortest times that cert-manager accepts: https://cert-manager.io/docs/reference/api-docs/#cert-manager.io/v1.CertificateSpec. */
const shortest = { duration: '1h', renewBefore: '5m' } as const;

function checkTimes(times: JsonObject, block: string): readonly Issue[] {
  const [duration, renewBefore] = [templateString(times['duration']), templateString(times['renewBefore'])];
  const issue = (key: string, message: string): Issue => ({
    path: ['dynamo-operator', ...block.split('.'), key],
    code: 'certificate_times',
    message: `${message}: cert-manager rejects the certificate otherwise`,
  });
  const [life, before] = [parseDuration(duration), parseDuration(renewBefore)];
  const isShort = (time: bigint | undefined, key: keyof typeof shortest): boolean =>
    time !== undefined && time < (parseDuration(shortest[key]) ?? 0n);
  return [
    ...(isShort(life, 'duration') ? [issue('duration', `must be at least ${shortest.duration}, got ${duration}`)] : []),
    ...(isShort(before, 'renewBefore')
      ? [issue('renewBefore', `must be at least ${shortest.renewBefore}, got ${renewBefore}`)]
      : []),
    ...(life !== undefined && before !== undefined && before >= life
      ? [issue('renewBefore', `must be shorter than the duration ${duration}, got ${renewBefore}`)]
      : []),
  ];
}

/** Times that cert-manager rejects. What is not a duration is reported elsewhere. */
export function checkCertificateTimes(scope: OperatorRelease): readonly Issue[] {
  if (!truthy(atPath(scope.values, 'webhook.enabled')) || scope.certificates !== 'cert-manager') return [];
  const hasRoot = scope.context.settings.certificates.issuerRef === undefined;
  return [...checkTimes(servingTimes(scope), servingBlock), ...(hasRoot ? checkTimes(rootTimes(scope), rootBlock) : [])];
}
