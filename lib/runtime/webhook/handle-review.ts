/** Answers one call of a webhook: the rules of `lib/admission` with the operator's log lines and metrics around them. */
import { type AdmissionContext, answerReview, reviewAdmission } from '../../admission/index.ts';
import { findNumber, isTrueAt, objectAt, stringAt, valueAt, type Json, type JsonObject } from '../../json/index.ts';
import { parseJson, stringifyJson } from '../../manifest/index.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { MetricSink } from '../metric-sink.ts';

/** Dependencies for answering admission reviews. */
export interface ReviewHandlerOptions {
  /** The current settings for admission, from the cluster and the flags. */
  readonly context: () => AdmissionContext;
  readonly metrics: MetricSink;
  readonly log: Log;
  readonly clock: Clock;
}

/** The fields of an AdmissionReview that appear in the log and the metrics. */
interface Subject {
  readonly uid: string;
  readonly operation: string;
  readonly name: string;
  readonly namespace: string;
  readonly user: string;
  readonly isDeleting: boolean;
}

/** Returns the response body for the request body of a webhook call about a kind; a malformed request gets an answer too. */
export function handleReview(kind: string, contentType: string, body: Buffer, options: ReviewHandlerOptions): string {
  const { metrics, log, clock } = options;
  const began = clock.now();
  const webhookLog = log.named(`${kind.toLowerCase()}-validating-webhook`);
  let subject: Subject = { uid: '', operation: '', name: '', namespace: '', user: '', isDeleting: false };
  let answer: JsonObject;
  try {
    const isJson = mediaType(contentType) === 'application/json';
    const text = isJson ? body.toString('utf8') : '';
    const review = text.trim() === '' ? undefined : parseJson(text);
    subject = subjectOf(review);
    const context = options.context();
    noteStart(subject, context, webhookLog, log);
    if (!isJson) answer = failure('', 400, `contentType=${contentType.slice(0, 100)}, expected application/json`);
    else answer = text.trim() === '' ? answerReview(text, context) : reviewAdmission(review, context);
  } catch (error) {
    metrics.count('controller_runtime_webhook_panics_total', {});
    webhookLog.error('Observed a panic', error, { name: subject.name, namespace: subject.namespace });
    answer = failure(subject.uid, 500, 'the request could not be judged; the log of the operator says why');
  }
  const labels = { resource_type: kind, operation: subject.operation };
  const refusal = refusalOf(answer);
  metrics.observe('dynamo_operator_webhook_duration_seconds', labels, (clock.now() - began) / 1000);
  metrics.count('dynamo_operator_webhook_requests_total', { ...labels, result: refusal === undefined ? 'allowed' : 'denied' });
  if (refusal !== undefined) {
    metrics.count('dynamo_operator_webhook_denials_total', { ...labels, reason: refusal.reason });
    const { name, namespace, user } = subject;
    webhookLog.info('validation failed', { error: refusal.message, user, name, namespace });
  }
  return stringifyJson(answer);
}

function noteStart(subject: Subject, context: AdmissionContext, webhookLog: Log, log: Log): void {
  const { operation, name, namespace, isDeleting } = subject;
  if (operation === 'CREATE' || operation === 'UPDATE')
    webhookLog.info(`validate ${operation.toLowerCase()}`, { name, namespace });
  if (operation === 'UPDATE' && isDeleting)
    webhookLog.info('skipping validation for resource being deleted', { name, namespace });
  if (!context.restrictedNamespace && context.excludedNamespaces?.has(namespace) === true)
    log.named('webhook-common').info('skipping validation - namespace has namespace-restricted operator', { name, namespace });
}

function subjectOf(review: Json | undefined): Subject {
  const request = objectAt(review, 'request');
  const operation = stringAt(request, 'operation');
  return {
    uid: stringAt(request, 'uid'),
    // The operation is a label of a metric: unknown values must not create time series.
    operation: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'].includes(operation) ? operation : '',
    name: stringAt(request, 'name') || stringAt(request, 'object', 'metadata', 'name'),
    namespace: stringAt(request, 'namespace'),
    user: stringAt(request, 'userInfo', 'username'),
    isDeleting: valueAt(request, 'object', 'metadata', 'deletionTimestamp') !== undefined,
  };
}

function refusalOf(answer: JsonObject): { readonly reason: string; readonly message: string } | undefined {
  const response = objectAt(answer, 'response');
  if (isTrueAt(response, 'allowed')) return undefined;
  const code = findNumber(response, 'status', 'code');
  const reason = code === 403 || code === 422 ? 'validation' : code === 400 ? 'bad_request' : 'internal';
  return { reason, message: stringAt(response, 'status', 'message') };
}

function failure(uid: string, code: number, message: string): JsonObject {
  const response = { uid, allowed: false, status: { metadata: {}, message, code } };
  return { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response };
}

function mediaType(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
}
