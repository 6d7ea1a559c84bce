import { groupOf, type KubernetesObject } from '../api/index.ts';
import {
  indexDocuments,
  judgeDocuments,
  lintDocument,
  locate,
  locateFindings,
  renderDocuments,
  sourceFinding,
  type LocatedFinding,
} from '../check/index.ts';
import { platformObjects, type Environment } from '../gitops/index.ts';
import { isObject } from '../json/index.ts';
import type { ManifestDocument } from '../manifest/index.ts';
import type { Io } from './command.ts';
import { readInputs } from './inputs.ts';
import { textLine } from './report/text.ts';

/** Graphs that were read and checked: the objects as the user wrote them, and the errors and warnings about them. */
interface Graphs {
  readonly objects: readonly KubernetesObject[];
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** An environment that graphs will run in, and the API groups that its cluster serves. */
interface GraphEnvironment {
  readonly environment: Environment;
  readonly groups: ReadonlySet<string>;
}

/** API groups that parts of the platform install, by part. */
const installedGroups: Readonly<Record<string, string>> = { grove: 'grove.io', 'kai-scheduler': 'scheduling.run.ai' };

/** API groups of a cluster: those of the given API versions, and those that the rendered parts of the platform install. */
export function apiGroupsOf(
  apiVersions: Iterable<string>,
  parts: readonly { readonly name: string; readonly objects: readonly unknown[] }[],
): ReadonlySet<string> {
  const served = [...apiVersions].map(groupOf).filter((group) => group !== '');
  const installed = parts.flatMap(({ name, objects }) => (objects.length > 0 ? (installedGroups[name] ?? []) : []));
  return new Set([...served, ...installed]);
}

/** The findings of the API server, the webhooks, the operator and Pod Security admission of one environment. */
function findingsIn(
  { environment, groups }: GraphEnvironment,
  documents: readonly ManifestDocument[],
  namespace: string,
): readonly LocatedFinding[] {
  const settings = { namespace, apiGroups: groups };
  const rendered = renderDocuments(judgeDocuments(documents, settings), settings);
  const namespaces = platformObjects(environment).filter((o) => o.kind === 'Namespace');
  const index = indexDocuments(
    [
      ...rendered,
      ...judgeDocuments(
        namespaces.map((value) => ({ value })),
        settings,
      ),
    ],
    settings,
  );
  const refused = rendered.map((document) => ({
    ...document,
    findings: lintDocument(document, index).findings.filter(({ id }) => id === 'DYN-SEC-001'),
  }));
  return [...locateFindings(rendered), ...locateFindings(refused)];
}

/** Reads graphs and the objects applied with them, and checks them for every environment. */
export async function readGraphs(
  files: readonly string[],
  namespace: string,
  environments: readonly GraphEnvironment[],
  io: Io,
): Promise<Graphs> {
  const inputs = await readInputs(files, io);
  const objects: KubernetesObject[] = [];
  const findings = [
    ...inputs.issues.map(sourceFinding),
    ...environments.flatMap((environment) => findingsIn(environment, inputs.documents, namespace)),
  ];
  for (const document of inputs.documents) {
    const { value } = document;
    if (!isObject(value)) continue;
    const { apiVersion, kind, metadata } = value;
    if (typeof apiVersion === 'string' && typeof kind === 'string' && isObject(metadata) && typeof metadata['name'] === 'string')
      objects.push({ ...value, apiVersion, kind, metadata: { ...metadata, name: metadata['name'] } });
    else {
      const message = 'must have apiVersion, kind and metadata.name';
      findings.push(locate(document, { stage: 'kind', severity: 'error', id: 'required', path: [], message }));
    }
  }
  const lines = (severity: LocatedFinding['severity']): readonly string[] => [
    ...new Set(findings.filter((f) => f.severity === severity).map((f) => textLine(f, io.colour.err).trimEnd())),
  ];
  return { objects, errors: lines('error'), warnings: lines('warning') };
}
