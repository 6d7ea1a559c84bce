/**
 * The pipeline from documents and settings to findings. For each document it returns the stored form, the verdict of schema and admission, the
 * rendering and all findings. It has three stages, each of which extends the result of the one before: `judgeDocuments`, `renderDocuments` and
 * `lintDocuments`. Commands, constructs, the synth plugin and the webhook show parts of the result and add no findings of their own. Pure.
 */
export { locate, locateFindings, sourceFinding, type DocumentFinding, type LocatedFinding } from './finding.ts';
export { judgeDocuments, type JudgedDocument } from './judge.ts';
export { indexDocuments, lintDocument, lintDocuments, type LintedDocument } from './lint.ts';
export { orchestratorGroups, orchestratorOf } from './orchestrators.ts';
export { renderDocuments, renderer, type RenderedDocument } from './render.ts';
export type { LintSettings, RenderSettings } from './settings.ts';
