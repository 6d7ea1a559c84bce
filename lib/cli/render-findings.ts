import { laterFields } from '../api/index.ts';
import { locate, orchestratorGroups, type DocumentFinding, type LintedDocument, type LocatedFinding } from '../check/index.ts';
import type { ManifestDocument } from '../manifest/index.ts';

type Document = LintedDocument<ManifestDocument>;

/** The findings that `render` prints for a document. Lint findings and predicted rejections are warnings, because the objects are still printed. */
export function findingsFor(document: Document): readonly LocatedFinding[] {
  return document.findings.map((finding) => findingFor(document, finding));
}

function findingFor({ source, identity }: Document, finding: DocumentFinding): LocatedFinding {
  const located = locate(source, finding, identity);
  switch (finding.stage) {
    case 'rejection':
    case 'quirk':
    case 'lint':
      return { ...located, severity: 'warning', message: `${finding.message} (${finding.id})` };
    case 'admission':
      // The message of the webhook already names the field.
      return finding.severity === 'error'
        ? { ...located, path: '', message: finding.webhookMessage ?? finding.message }
        : located;
    default:
      return located;
  }
}

/** Merges the `no_orchestrator` findings of a document into one that asks for `--orchestrator`. */
export function mergeOrchestratorFindings(document: Document): Document {
  const [first, ...others] = document.findings.filter(({ id }) => id === 'no_orchestrator');
  if (first === undefined) return document;
  const names = [first, ...others].map(({ path }) => path[2]).filter((name) => name !== undefined);
  const what = names.length > 1 ? `${names.join(', ')} span nodes` : 'spans nodes';
  const choices = Object.keys(orchestratorGroups).filter((name) => name !== 'none');
  const message = `${what}, which needs an orchestrator: set --orchestrator to that of the cluster (${choices.join(', ')}), or remove multinode`;
  return { ...document, findings: [...document.findings.filter(({ id }) => id !== 'no_orchestrator'), { ...first, message }] };
}

/** A warning about a resource that is given more than once. */
export function repeatedFinding({ source, identity: { kind, name } }: Document): LocatedFinding {
  const message = `${kind} ${name} is given more than once; this one is used`;
  return locate(source, { stage: 'kind', severity: 'warning', id: 'repeated_resource', path: ['metadata', 'name'], message });
}

/** Warnings that depend on the cluster: objects that are unknown offline, and a namespace that a namespace-restricted operator does not watch. */
export function clusterWarnings({ source, rendering }: Document, restrictedNamespace: string): readonly LocatedFinding[] {
  if (rendering === undefined) return [];
  const { namespace } = rendering.resource.metadata;
  const message = `the operator watches only ${restrictedNamespace}, got ${namespace}`;
  const isWatched = restrictedNamespace === '' || namespace === restrictedNamespace;
  const unwatched = isWatched ? [] : [{ path: ['metadata', 'namespace'], code: 'unwatched_namespace', message }];
  return [...rendering.warnings, ...unwatched].map(({ code, ...issue }) =>
    locate(source, { ...issue, stage: 'render', severity: 'warning', id: code }),
  );
}

/** Errors about fields that the release of the operator does not support. */
export function laterFindings(document: Document, release: string | undefined): readonly LocatedFinding[] {
  if (release === undefined || !document.isDynamo) return [];
  return laterFields(document.source.value ?? null, release).map(({ path, what }) => {
    const message = `release ${release} of the operator does not have ${what}; remove it, or set platform.operator.kind to dynamo-cdk8s, which has it`;
    return locate(document.source, { stage: 'kind', severity: 'error', id: 'operator_release', path, message });
  });
}
