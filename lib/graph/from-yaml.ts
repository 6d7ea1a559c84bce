import { existsSync, readFileSync } from 'node:fs';
import { isObject, type DynamoGraphDeploymentSpec, type JsonObject } from '../api/index.ts';
import { readManifests } from '../manifest/index.ts';
import { authoringError } from './user-line.ts';

/** The only graph in a YAML file, and the other objects in it. */
interface YamlGraph {
  readonly name: string;
  readonly metadata: JsonObject;
  readonly spec: DynamoGraphDeploymentSpec;
  readonly others: readonly JsonObject[];
}

function readSource(fileOrYaml: string): { readonly yaml: string; readonly file: string } {
  if (fileOrYaml.includes('\n')) return { yaml: fileOrYaml, file: 'YAML' };
  if (!existsSync(fileOrYaml)) throw authoringError(`cannot read ${fileOrYaml}: there is no such file`);
  return { yaml: readFileSync(fileOrYaml, 'utf8'), file: fileOrYaml };
}

/** Reads a YAML file, or a YAML string of several lines, that contains exactly one graph. */
export function readYamlGraph(fileOrYaml: string): YamlGraph {
  const { yaml, file } = readSource(fileOrYaml);
  const { documents, issues } = readManifests(yaml, file);
  const errors = issues.map((i) => `${i.file}:${i.line}:${i.column}: ${i.message}`);
  if (errors.length > 0) throw authoringError(errors.join('\n'));
  const objects = documents.map((d) => d.value).filter(isObject);
  const graphs = objects.filter((o) => o['kind'] === 'DynamoGraphDeployment');
  const graph = graphs[0];
  if (graph === undefined || graphs.length > 1)
    throw authoringError(`${file} must contain one DynamoGraphDeployment, found ${graphs.length}`);
  const metadata = isObject(graph['metadata']) ? graph['metadata'] : {};
  const { name, ...rest } = metadata;
  return {
    name: typeof name === 'string' ? name : '',
    metadata: rest,
    // The value may be anything; synth validates it against the schema, like every graph.
    spec: isObject(graph['spec']) ? graph['spec'] : {},
    others: objects.filter((o) => o !== graph),
  };
}
