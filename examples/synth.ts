// Writes the YAML of each example beside it: `node --import tsx examples/synth.ts [TEXT]`, where TEXT chooses examples by path.
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App, Yaml } from 'cdk8s';
import { DynamoChart } from '../lib/graph/index.ts';

const root = dirname(fileURLToPath(import.meta.url));

/** An example: its path without extension, and what adds its graphs to a chart. */
export interface Example {
  readonly path: string;
  readonly build: (chart: DynamoChart) => unknown;
}

/** Every example below this folder; a file with a YAML file beside it, or about to get one, exports one function that takes a chart. */
export async function loadExamples(): Promise<readonly Example[]> {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (f) => f.includes('/') && f.endsWith('.ts') && !f.startsWith('platform/'),
  );
  const examples: Example[] = [];
  for (const file of files.sort()) {
    const module = (await import(join(root, file))) as Readonly<Record<string, unknown>>;
    const exported = Object.values(module);
    const [build] = exported;
    if (exported.length === 1 && typeof build === 'function' && build.length === 1)
      examples.push({ path: file.slice(0, -3), build: build as Example['build'] });
  }
  return examples;
}

/** The objects of an example, in a chart that names workers as NVIDIA's own examples do. */
export function synthExample(example: Example): readonly Record<string, unknown>[] {
  const app = new App();
  const namespace = example.path.startsWith('hierarchical-planner/') ? 'llm' : undefined;
  const chart = new DynamoChart(app, 'example', { names: 'upstream', namespace, warnings: 'ignore' });
  example.build(chart);
  app.synthYaml();
  return chart.toJson() as Record<string, unknown>[];
}

/** The objects of an example as one YAML text. */
export function synthExampleYaml(example: Example): string {
  return Yaml.stringify(...synthExample(example));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const example of await loadExamples()) {
    if (!example.path.includes(process.argv[2] ?? '')) continue;
    const file = join(root, `${example.path}.yaml`);
    writeFileSync(file, synthExampleYaml(example));
    process.stdout.write(`${relative(process.cwd(), file)}\n`);
  }
}
