import { readManifests } from '../../manifest/index.ts';
import type { Edit } from '../finding.ts';
import { editYaml } from './edit-yaml.ts';

/** A YAML source after edits, and the objects whose edits were made. */
interface EditedSource {
  readonly source: string;
  readonly edited: ReadonlySet<number>;
}

function countObjects(source: string): number {
  return readManifests(source, '').documents.length;
}

/** The YAML documents of a source; the whole source where they cannot be read one by one, as JSON before YAML cannot. */
function splitDocuments(source: string): readonly string[] {
  const documents = source.split(/^(?=---)/m);
  const count = documents.reduce((sum, document) => sum + countObjects(document), 0);
  return count === countObjects(source) ? documents : [source];
}

/**
 * Applies edits to objects of a YAML source, by the index of each object. The edits of an object are all made, or none when one of them is unsafe. Every
 * YAML document is edited on its own, so that the time grows with the source and not with its square.
 */
export function editObjects(source: string, edits: ReadonlyMap<number, readonly Edit[]>): EditedSource {
  const edited = new Set<number>();
  let first = 0;
  const documents = splitDocuments(source).map((document) => {
    const count = countObjects(document);
    let current = document;
    for (let index = first; index < first + count; index++) {
      const next = editYaml(current, index - first, edits.get(index) ?? []);
      if (next === undefined || next === current) continue;
      current = next;
      edited.add(index);
    }
    first += count;
    return current;
  });
  return { source: documents.join(''), edited };
}
