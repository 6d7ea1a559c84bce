/**
 * Findings in Dynamo manifests: rules, quirks of the renderer and predicted rejections in one registry. Each problem is reported once.
 * Pure: `lintGraph` takes plain data. It neither renders nor reads files; the context supplies the results of rendering.
 */
export type { Draft, Edit, Finding, Fix, Severity } from './finding.ts';
export { lintGraph, lintResource } from './lint.ts';
export { findRule, lintRules } from './registry.ts';
export type { LintContext, Orchestrator, RuleExample, RuleDescription, Suppression } from './rule.ts';
export { suppressAnnotation, suppressedIds } from './suppression.ts';
export { buildLintIndex, type LintIndex } from './lint-index.ts';
export { rejectionFindings, type PredictedRejection } from './rejections/findings.ts';
export { predictRejections, type Rejection } from './rejections/index.ts';
export { plainFinding } from './rejections/findings.ts';
export { editObjects } from './fix/edit-objects.ts';
export { explainRule } from './page.ts';
