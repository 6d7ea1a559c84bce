import { existsSync, readFileSync } from 'node:fs';
import { isObject, type DynamoGraphDeploymentSpec, type JsonObject } from '../api/index.ts';
import { readManifests } from '../manifest/index.ts';
import { authoringError } from './user-line.ts';

/** The one graph of a YAML text, taken apart, and the objects beside it. */
interface YamlGraph {
  readonly name: string;
  readonly metadata: JsonObject;
  readonly spec: DynamoGraphDeploymentSpec;
  readonly others: readonly JsonObject[];
}

function readText(fileOrText: string): { readonly text: string; readonly file: string } {
  if (fileOrText.includes('\n')) return { text: fileOrText, file: 'text' };
  if (!existsSync(fileOrText)) throw authoringError(`cannot read ${fileOrText}: there is no such file`);
  return { text: readFileSync(fileOrText, 'utf8'), file: fileOrText };
}

/** Reads a YAML file, or a text of more than one line, that holds exactly one graph. */
export function readYamlGraph(fileOrText: string): YamlGraph {
  const { text, file } = readText(fileOrText);
  const { documents, issues } = readManifests(text, file);
  const errors = issues.map((i) => `${i.file}:${i.line}:${i.column}: ${i.message}`);
  if (errors.length > 0) throw authoringError(errors.join('\n'));
  const objects = documents.map((d) => d.value).filter(isObject);
  const graphs = objects.filter((o) => o['kind'] === 'DynamoGraphDeployment');
  const graph = graphs[0];
  if (graph === undefined || graphs.length > 1)
    throw authoringError(`${file} must hold one DynamoGraphDeployment, found ${graphs.length}`);
  const metadata = isObject(graph['metadata']) ? graph['metadata'] : {};
  const { name, ...rest } = metadata;
  return {
    name: typeof name === 'string' ? name : '',
    metadata: rest,
    // The text may hold anything; synth checks it against the schema like every other graph.
    spec: isObject(graph['spec']) ? graph['spec'] : {},
    others: objects.filter((o) => o !== graph),
  };
}
