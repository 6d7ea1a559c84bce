/** The cdk8s app of this repository: CRDs, platform and a graph of one environment, synthesized into dist/. */
import { readFileSync } from 'node:fs';
import { App, Chart } from 'cdk8s';
import { DynamoChart, DynamoGraph, Engine, Model, Platform, Router } from './lib/graph/index.ts';
import { readManifests } from './lib/manifest/index.ts';
import { DynamoCrds, DynamoPlatform, platformPresets, type PlatformValues } from './lib/platform/index.ts';

const environments: Readonly<Record<string, () => PlatformValues>> = {
  dev: platformPresets.dev,
  'shared-test': platformPresets.sharedTest,
  production: platformPresets.production,
};

/** The environment's preset, and over it the values file that DYNAMO_VALUES names, if it does. */
function environmentValues(): readonly PlatformValues[] {
  const name = process.env['DYNAMO_ENVIRONMENT'] ?? 'production';
  const preset = environments[name];
  if (!preset) throw new Error(`DYNAMO_ENVIRONMENT: there is no '${name}'; there are ${Object.keys(environments).join(', ')}`);
  const file = process.env['DYNAMO_VALUES'];
  if (file === undefined) return [preset()];
  const { documents, issues } = readManifests(readFileSync(file, 'utf8'), file);
  const [problem] = issues;
  if (problem) throw new Error(`${file}:${problem.line}:${problem.column} ${problem.message}`);
  return [preset(), ...documents.map((d) => d.value as PlatformValues)];
}

const app = new App();

const crds = new Chart(app, 'crds');
new DynamoCrds(crds, 'crds');

const platform = new Chart(app, 'platform', { namespace: 'dynamo-system' });
new DynamoPlatform(platform, 'platform', { values: [...environmentValues(), { platform: { namespace: { create: true } } }] });
platform.addDependency(crds);

const graphs = new DynamoChart(app, 'graphs', { namespace: 'models', platform: new Platform({ gpusPerNode: 8 }) });
DynamoGraph.disaggregated(graphs, 'qwen3', {
  model: Model.huggingFace('Qwen/Qwen3-0.6B'),
  engine: Engine.vllm(),
  router: Router.kv(),
  prefill: { replicas: 2 },
  decode: { replicas: 2 },
});
graphs.addDependency(platform);

app.synth();
