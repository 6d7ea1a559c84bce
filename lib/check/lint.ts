/** The third stage: what is likely to go wrong with documents that the API server accepts. */
import { isObject, type JsonObject, type Path } from '../json/index.ts';
import { buildLintIndex, lintResource, type Finding, type LintContext, type LintIndex } from '../lint/index.ts';
import type { DocumentFinding, Stage } from './finding.ts';
import { byIdentity, identityKey, type CheckSource, type JudgedDocument } from './judge.ts';
import type { RenderedDocument } from './render.ts';
import type { LintSettings } from './settings.ts';

/** One document after lint. Its findings tell each fact once: a rule that covers a rejection stands for both. */
export interface LintedDocument<S extends CheckSource = CheckSource> extends RenderedDocument<S> {
  /** How many findings the author accepted. */
  readonly suppressed: number;
}

/** Lints every document among the others. */
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

/** Everything that rules look up besides the document at hand, in its stored form, read once for all documents. */
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

/** Lints one document; `own` is what is known of this one only. What schema or webhook refuse is not linted: rules rely on them. */
export function lintDocument<S extends CheckSource>(
  document: RenderedDocument<S>,
  index: LintIndex,
  own: Partial<LintContext> = {},
): LintedDocument<S> {
  const { findings, rendering } = document;
  const object = storedForm(document);
  if (object === undefined || findings.some(({ severity, stage }) => severity === 'error' && beforeRules.has(stage)))
    return { ...document, suppressed: 0 };
  const context: LintContext = { ...index.context, ...own, ...(rendering === undefined ? {} : { rendering }) };
  const linted = lintResource(object, { ...index, context });
  const told = findings.filter(({ stage }) => stage !== 'rejection');
  const errors = told.filter(({ severity }) => severity === 'error');
  const found = linted.findings.filter(
    ({ id, path }) => !errors.some((error) => isAtOrBelow(path, error.path) || error.id === renderErrors[id]),
  );
  return { ...document, findings: [...told, ...found.map(stagedFinding)], suppressed: linted.suppressed.length };
}

/** Rules that tell a fact at another place than the renderer, which tells it as an error. */
const renderErrors: Readonly<Record<string, string>> = { 'DYN-BACK-001': 'framework_mismatch' };

const beforeRules: ReadonlySet<Stage> = new Set(['kind', 'schema', 'admission']);

/** Whether a place is another or lies below it: a rule has nothing to add where the API server refuses the value. */
function isAtOrBelow(path: Path, other: Path): boolean {
  return other.length > 0 && other.every((part, i) => path[i] === part);
}

/** The object as stored; as written where it is of another kind, or where the schema refuses it and others may still refer to it. */
function storedForm({ stored, source }: JudgedDocument): JsonObject | undefined {
  return stored ?? (isObject(source.value) ? source.value : undefined);
}

function stagedFinding(finding: Finding): DocumentFinding {
  const stage = finding.id.startsWith('DYN-API-') ? 'rejection' : finding.id.startsWith('DYN-QUIRK-') ? 'quirk' : 'lint';
  return { ...finding, stage };
}
