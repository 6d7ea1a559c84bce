import { laterFields } from '../api/index.ts';
import { locate, orchestratorGroups, type DocumentFinding, type LintedDocument, type LocatedFinding } from '../check/index.ts';
import type { ManifestDocument } from '../manifest/index.ts';

type Document = LintedDocument<ManifestDocument>;

/** What `render` says of a document: advice and predicted rejections are warnings, since the objects are printed as the operator would send them. */
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
      // The webhook's own words name the field in their own way.
      return finding.severity === 'error' ? { ...located, path: '', message: finding.webhookText ?? finding.message } : located;
    default:
      return located;
  }
}

/** One finding for all components of a graph that nothing can start, with the flag that says what the cluster has. */
export function askForOrchestrator(document: Document): Document {
  const [first, ...others] = document.findings.filter(({ id }) => id === 'no_orchestrator');
  if (first === undefined) return document;
  const names = [first, ...others].map(({ path }) => path[2]).filter((name) => name !== undefined);
  const what = names.length > 1 ? `${names.join(', ')} span nodes` : 'spans nodes';
  const choices = Object.keys(orchestratorGroups).filter((name) => name !== 'none');
  const message = `${what}, which needs an orchestrator: say what the cluster has with --orchestrator ${choices.join(', ')}, or remove multinode`;
  return { ...document, findings: [...document.findings.filter(({ id }) => id !== 'no_orchestrator'), { ...first, message }] };
}

/** A warning about a resource that is given more than once. */
export function repeatedFinding({ source, identity: { kind, name } }: Document): LocatedFinding {
  const message = `${kind} ${name} is given more than once; this one counts`;
  return locate(source, { stage: 'kind', severity: 'warning', id: 'repeated_resource', path: ['metadata', 'name'], message });
}

/** What depends on the cluster: objects nobody knows offline, and a namespace that a restricted operator does not watch. */
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

/** What a resource asks for that the release of its operator does not have. */
export function laterFindings(document: Document, release: string | undefined): readonly LocatedFinding[] {
  if (release === undefined || !document.isDynamo) return [];
  return laterFields(document.source.value ?? null, release).map(({ path, what }) => {
    const message = `release ${release} of the operator does not have ${what}; remove it, or run the operator that has it: platform.operator.kind dynamo-cdk8s`;
    return locate(document.source, { stage: 'kind', severity: 'error', id: 'operator_release', path, message });
  });
}
