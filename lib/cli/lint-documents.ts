import { formatPath, isObject, type JsonObject } from '../json/index.ts';
import { normalizeResource } from '../api/normalize.ts';
import { findRule, lintResource, buildLintIndex, type Finding as LintFinding, type LintContext } from '../lint/index.ts';
import type { ManifestDocument } from '../manifest/index.ts';
import type { RenderResult } from '../render/index.ts';
import { foreseeRendering, isRendered, orchestratorGroups } from './foresight.ts';
import type { Finding } from './report/index.ts';

/** One thing lint found, where, and in which document. */
export interface LintedFinding {
  readonly document: ManifestDocument;
  readonly finding: LintFinding;
}

/** What a run of lint found. */
export interface Linted {
  readonly findings: readonly LintedFinding[];
  /** How many findings the author accepted. */
  readonly suppressed: number;
  /** How many documents are of our kinds. */
  readonly objects: number;
  /** Documents that the schema refuses, so that nothing could be rendered from them. */
  readonly refused: readonly ManifestDocument[];
}

function isOurs(value: JsonObject): boolean {
  return typeof value['apiVersion'] === 'string' && value['apiVersion'].startsWith('nvidia.com/');
}

function withNamespace(value: JsonObject, namespace: string): JsonObject {
  const metadata = isObject(value['metadata']) ? value['metadata'] : {};
  return (metadata['namespace'] ?? '') === '' ? { ...value, metadata: { ...metadata, namespace } } : value;
}

/** Renders a document as the operator would; nothing when its schema refuses it or it renders to nothing. */
function renderDocument(
  value: JsonObject,
  resources: readonly JsonObject[],
  context: LintContext,
): RenderResult | 'refused' | undefined {
  if (!isRendered(value)) return undefined;
  const namespace = context.namespace ?? 'default';
  const { kind, value: stored, issues } = normalizeResource(withNamespace(value, namespace));
  if (kind === undefined || issues.length > 0 || !isObject(stored)) return 'refused';
  const groups = context.orchestrator === undefined ? undefined : new Set(orchestratorGroups[context.orchestrator]);
  return foreseeRendering(stored, resources, namespace, groups);
}

/** Lints every document among the others, with what each renders to. */
export function lintDocuments(
  documents: readonly ManifestDocument[],
  context: LintContext,
  previous: readonly JsonObject[] = [],
): Linted {
  const entries = documents.flatMap((document) => (isObject(document.value) ? [{ document, value: document.value }] : []));
  const resources = entries.map((entry) => entry.value);
  const shared = buildLintIndex({ ...context, resources });
  const findings: LintedFinding[] = [];
  const refused: ManifestDocument[] = [];
  let suppressed = 0;
  for (const { document, value } of entries) {
    const rendering = isOurs(value) ? renderDocument(value, resources, context) : undefined;
    if (rendering === 'refused') refused.push(document);
    const before = previous.find((p) => identity(p, context) === identity(value, context));
    const own: LintContext = {
      ...shared.context,
      ...(rendering === undefined || rendering === 'refused' ? {} : { rendering }),
      ...(before ? { previous: before } : {}),
    };
    const result = lintResource(value, { ...shared, context: own });
    suppressed += result.suppressed.length;
    findings.push(...result.findings.map((finding) => ({ document, finding })));
  }
  return { findings, suppressed, refused, objects: resources.filter(isOurs).length };
}

function identity(value: JsonObject, { namespace = 'default' }: LintContext): string {
  const metadata = isObject(value['metadata']) ? value['metadata'] : {};
  const parts: readonly unknown[] = [
    value['kind'],
    (metadata['namespace'] ?? '') === '' ? namespace : metadata['namespace'],
    metadata['name'],
  ];
  return parts.map(String).join('/');
}

/** A finding of lint as reports show it. */
export function reportFinding({ document, finding }: LintedFinding, namespace: string): Finding {
  const value = isObject(document.value) ? document.value : {};
  const metadata = isObject(value['metadata']) ? value['metadata'] : {};
  const text = (member: unknown): string => (typeof member === 'string' ? member : '');
  const description = findRule(finding.id)?.title;
  return {
    file: document.file,
    ...document.position(finding.path),
    severity: finding.severity,
    id: finding.id,
    path: formatPath(finding.path),
    message: finding.message,
    object: { kind: text(value['kind']), namespace: text(metadata['namespace']) || namespace, name: text(metadata['name']) },
    ...(description === undefined ? {} : { ruleDescription: description }),
  };
}
