import type { KubernetesObject } from '../api/index.ts';
import { indexDocuments, judgeDocuments, lintDocument } from '../check/index.ts';
import { formatPath } from '../json/index.ts';
import type { Environment } from './layout.ts';
import { platformObjects } from './object-files.ts';

/** Messages about graphs whose pods violate the Pod Security level of a namespace that the environment creates. */
export function refusedPods(environment: Environment, graphs: readonly KubernetesObject[]): readonly string[] {
  const settings = { namespace: environment.namespace };
  const namespaces = platformObjects(environment).filter(({ kind }) => kind === 'Namespace');
  const judged = judgeDocuments(
    [...graphs, ...namespaces].map((value) => ({ value })),
    settings,
  );
  const index = indexDocuments(judged, settings);
  return judged.slice(0, graphs.length).flatMap((document, i) => {
    const { kind, metadata } = graphs[i] ?? { kind: '', metadata: { name: '' } };
    return lintDocument(document, index)
      .findings.filter(({ id }) => id === 'DYN-SEC-001')
      .map(({ path, message }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name} ${formatPath(path)}: ${message}`);
  });
}
