import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeDocuments, lintDocuments, locateFindings, renderDocuments } from '../../lib/check/index.ts';
import type { Json } from '../../lib/json/index.ts';
import { readManifests, type ManifestDocument } from '../../lib/manifest/index.ts';

/** The folder that `DYNAMO_CORPUS` names, with the original's example files below it. */
export const corpus = process.env['DYNAMO_CORPUS'];

/** One thing found in an example file. */
export interface ExampleFinding {
  readonly file: string;
  readonly line: number;
  readonly id: string;
  readonly severity: string;
  readonly path: string;
  readonly message: string;
}

function folder(): string {
  return join(corpus ?? '', 'upstream/examples');
}

/** Names of the example files. */
export function exampleNames(): readonly string[] {
  return readdirSync(folder()).sort();
}

/** The documents of one example file. */
export function exampleDocuments(name: string): readonly ManifestDocument[] {
  return readManifests(readFileSync(join(folder(), name), 'utf8'), name).documents;
}

/** The inputs of the recordings by file name, each once. */
export function recordedInputs(): readonly (readonly [name: string, documents: readonly ManifestDocument[]])[] {
  const files = ['render', 'examples'].flatMap((kind) => {
    const path = join(corpus ?? '', 'conformance', kind);
    return readdirSync(path).map((name) => [name, readFileSync(join(path, name), 'utf8')] as const);
  });
  const inputs = files.map(([name, text]) => {
    const { input, cluster = [] } = JSON.parse(text) as { readonly input: readonly Json[]; readonly cluster?: readonly Json[] };
    return [name, [...input, ...cluster].map((object) => JSON.stringify(object)).join('\n')] as const;
  });
  const unique = new Map(inputs.toReversed().map(([name, text]) => [text, name]));
  return [...unique].map(([text, name]) => [name, readManifests(text, name).documents]);
}

/** What lint finds in documents, as an application of their own. */
export function findingsIn(documents: readonly ManifestDocument[]): readonly ExampleFinding[] {
  const settings = { namespace: 'default' };
  const linted = lintDocuments(renderDocuments(judgeDocuments(documents, settings), settings), settings);
  return locateFindings(linted);
}
