import { isObject } from '../json/index.ts';
import { isClusterScoped, type KubernetesObject } from '../platform/index.ts';
import { judgeDocuments, locate, locateFindings, renderDocuments, sourceFinding } from '../check/index.ts';
import type { Io } from './command.ts';
import { readInputs } from './inputs.ts';
import { textLine } from './report/text.ts';

/** Graphs read and checked: the objects with their namespaces, or lines about what is wrong. */
export interface Graphs {
  readonly objects: readonly KubernetesObject[];
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** Reads graphs and what came with them, as the user wrote them; an object that names no namespace gets `namespace`. */
export async function readGraphs(files: readonly string[], namespace: string, io: Io): Promise<Graphs> {
  const inputs = await readInputs(files, io);
  const objects: KubernetesObject[] = [];
  const checked = renderDocuments(judgeDocuments(inputs.documents, { namespace }), { namespace });
  const findings = [...inputs.issues.map(sourceFinding), ...locateFindings(checked)];
  for (const document of inputs.documents) {
    const { value } = document;
    if (!isObject(value)) continue;
    const { apiVersion, kind, metadata } = value;
    if (
      typeof apiVersion !== 'string' ||
      typeof kind !== 'string' ||
      !isObject(metadata) ||
      typeof metadata['name'] !== 'string'
    ) {
      const message = 'must have apiVersion, kind and metadata.name';
      findings.push(locate(document, { stage: 'kind', severity: 'error', id: 'required', path: [], message }));
      continue;
    }
    const home = metadata['namespace'] === undefined && !isClusterScoped(apiVersion, kind) ? { namespace } : {};
    objects.push({ ...value, apiVersion, kind, metadata: { ...metadata, name: metadata['name'], ...home } });
  }
  const lines = (severity: 'error' | 'warning'): readonly string[] =>
    findings.filter((f) => f.severity === severity).map((f) => textLine(f, io.colour.err));
  return { objects, errors: lines('error'), warnings: lines('warning') };
}
