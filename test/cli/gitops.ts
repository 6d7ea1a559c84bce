import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { folderWith, run, type Ran } from './run.ts';

/** A frontend among the services of a graph. */
export const frontend = '{componentType: frontend, extraPodSpec: {mainContainer: {image: example.com/frontend:1}}}';
/** A graph as text. */
export const graph = (metadata = '{name: qwen}', services = `{Frontend: ${frontend}}`): string =>
  `apiVersion: nvidia.com/v1alpha1\nkind: DynamoGraphDeployment\nmetadata: ${metadata}\nspec: {services: ${services}}\n`;
/** An object of the core API as text. */
export const object = (text: string): string => `apiVersion: v1\n${text}\n`;

/** Paths of all files below a folder, sorted. */
export const below = (path: string): readonly string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile())
    .map((e) => join(e.parentPath, e.name).slice(path.length + 1))
    .toSorted();
/** A YAML file. */
export const read = (...path: readonly string[]) => parse(readFileSync(join(...path), 'utf8'));

interface Given {
  readonly graph?: string;
  readonly layout?: string;
  readonly more?: readonly string[];
}

/** Runs gitops with a graph in a folder of its own; returns the folder too. */
export async function gitops({
  graph: text = graph(),
  layout = 'plain',
  more = [],
}: Given): Promise<Ran & { readonly cwd: string }> {
  const cwd = folderWith({ 'graph.yaml': text, 'none.yaml': '{}' });
  const ran = await run(['gitops', '--layout', layout, '--graph', 'graph.yaml', '-o', 'out', ...more], { cwd });
  return { ...ran, cwd };
}
