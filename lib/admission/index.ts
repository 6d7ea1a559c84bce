/**
 * The admission rules that a schema cannot express, with the order and the messages of the operator's validating webhooks. Pure: what depends on
 * the cluster (API groups, excluded namespaces) is an argument.
 */
export { admit } from './admit.ts';
export { checkDecoding } from './decode.ts';
export { webhookPath, type AdmissionIssue } from './admission-issue.ts';
export { judge, type Judgement, type Submission } from './judge.ts';
export { answerReview, reviewAdmission } from './review.ts';
export type { AdmissionContext, AdmissionRequest, AdmissionVerdict } from './admission-request.ts';
export { maySetReplicas, type User } from './who-may-scale.ts';
export { isQuantity } from './quantity-syntax.ts';
export { webhookKinds } from './webhook-paths.ts';
