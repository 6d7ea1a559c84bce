/** The third stage of the pipeline: likely problems of documents that the API server accepts. */
import { isObject, isWithin, type JsonObject } from '../json/index.ts';
import { buildLintIndex, lintResource, type Finding, type LintContext, type LintIndex } from '../lint/index.ts';
import type { DocumentFinding, Stage } from './finding.ts';
import { byIdentity, identityKey, type CheckSource, type JudgedDocument } from './judge.ts';
import type { RenderedDocument } from './render.ts';
import type { LintSettings } from './settings.ts';

/** One document after lint. Each problem is reported once: a rule that covers a predicted rejection replaces it. */
export interface LintedDocument<S extends CheckSource = CheckSource> extends RenderedDocument<S> {
  /** How many findings the author suppressed. */
  readonly suppressed: number;
}

/** Lints every document in the context of the others. */
export function lintDocuments<S extends CheckSource>(
  rendered: readonly RenderedDocument<S>[],
  settings: LintSettings,
): readonly LintedDocument<S>[] {
  const index = indexDocuments(rendered, settings);
  const previous = byIdentity(settings.previous ?? [], settings.namespace);
  return rendered.map((document) => {
    const before = previous.get(identityKey(document.identity));
    return lintDocument(document, index, before === undefined ? {} : { previous: before });
  });
}

/** Builds the index in which rules look up the other documents, in their stored form. */
export function indexDocuments(documents: readonly JudgedDocument[], settings: LintSettings): LintIndex {
  const { namespace, release, orchestrator, gpusPerNode, gpuBudget, gitops } = settings;
  return buildLintIndex({
    resources: documents.map(storedForm).filter((object) => object !== undefined),
    namespace,
    release,
    orchestrator,
    gpusPerNode,
    gpuBudget,
    gitops,
  });
}

/**
 * Lints one document; `overrides` is the context of this document alone. A document that schema or webhook reject is not linted, since rules
 * assume a valid one.
 */
export function lintDocument<S extends CheckSource>(
  document: RenderedDocument<S>,
  index: LintIndex,
  overrides: Partial<LintContext> = {},
): LintedDocument<S> {
  const { findings, rendering } = document;
  const object = storedForm(document);
  if (object === undefined || findings.some(({ severity, stage }) => severity === 'error' && blockingStages.has(stage)))
    return { ...document, suppressed: 0 };
  const context: LintContext = { ...index.context, ...overrides, ...(rendering === undefined ? {} : { rendering }) };
  const linted = lintResource(object, { ...index, context });
  const earlier = findings.filter(({ stage }) => stage !== 'rejection');
  const errors = earlier.filter(({ severity }) => severity === 'error');
  // A rule adds nothing about a value that is an error already.
  const found = linted.findings.filter(
    ({ id, path }) => !errors.some((error) => isWithin(path, error.path) || error.id === renderErrors[id]),
  );
  return { ...document, findings: [...earlier, ...found.map(stagedFinding)], suppressed: linted.suppressed.length };
}

/** Rules that report the same problem as a render error, but at another field. */
const renderErrors: Readonly<Record<string, string>> = { 'DYN-BACK-001': 'framework_mismatch' };

const blockingStages: ReadonlySet<Stage> = new Set(['kind', 'schema', 'admission']);

/** The stored object. An object of another kind, or one that the schema rejects, is taken as written, since other documents may refer to it. */
function storedForm({ stored, source }: JudgedDocument): JsonObject | undefined {
  return stored ?? (isObject(source.value) ? source.value : undefined);
}

function stagedFinding(finding: Finding): DocumentFinding {
  const stage = finding.id.startsWith('DYN-API-') ? 'rejection' : finding.id.startsWith('DYN-QUIRK-') ? 'quirk' : 'lint';
  return { ...finding, stage };
}
