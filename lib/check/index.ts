/**
 * The one pipeline: documents and settings in; for each document its stored form, the verdict of schema and admission, its rendering, and
 * everything there is to say about it out. Three stages, each adding to what the one before knows: `judgeDocuments`, `renderDocuments`,
 * `lintDocuments`. Commands, constructs, the synth plugin and the webhook show parts of it and add no judgement of their own. Pure.
 */
export { locate, locateFindings, sourceFinding, type DocumentFinding, type LocatedFinding } from './finding.ts';
export { judgeDocuments, type JudgedDocument } from './judge.ts';
export { indexDocuments, lintDocument, lintDocuments, type LintedDocument } from './lint.ts';
export { orchestratorGroups, orchestratorOf } from './orchestrators.ts';
export { renderDocuments, renderer, type RenderedDocument } from './render.ts';
export type { LintSettings, RenderSettings } from './settings.ts';
