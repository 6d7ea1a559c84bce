/** The cdk8s app of this repository: CRDs, platform and a graph of one environment, synthesized into dist/. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { DynamoChart, DynamoGraph, Engine, Model, Platform, Router } from './lib/graph/index.ts';
import { DynamoCrds, DynamoPlatform } from './lib/platform/index.ts';
import { environmentValues } from './environment.ts';

/** API groups whose objects go into a separate chart, and what must be installed before the file of that chart is applied. */
const prerequisites: Readonly<Record<string, readonly [chart: string, prerequisite: string]>> = {
  'cert-manager.io': ['certificates', 'cert-manager'],
  'monitoring.coreos.com': ['monitoring', 'the Prometheus operator'],
  'kai.scheduler': ['queues', 'the CRDs of the KAI scheduler'],
  'scheduling.run.ai': ['queues', 'the CRDs of the KAI scheduler'],
  'nvidia.com': ['graphs', 'the platform and wait until its webhook answers,'],
};

const app = new App();
const crds = new Chart(app, 'crds');
new DynamoCrds(crds, 'crds');
const namespace = 'dynamo-system';
const networkPolicy = { clientNamespaceLabels: { 'kubernetes.io/metadata.name': 'models' } };
const platform = new Chart(app, 'platform', { namespace });
const extras = new Map<string, Chart>();
new DynamoPlatform(platform, 'platform', {
  values: [...environmentValues(), { platform: { namespace: { create: true }, networkPolicy } }],
  chartFor: ({ apiVersion }) => {
    const [name] = prerequisites[apiVersion.split('/')[0] ?? ''] ?? [];
    if (name !== undefined && !extras.has(name)) extras.set(name, new Chart(app, name, { namespace }));
    return extras.get(name ?? '');
  },
});
const graphs = new DynamoChart(app, 'graphs', {
  namespace: 'models',
  createNamespace: true,
  platform: new Platform({ gpusPerNode: 8 }),
});
DynamoGraph.disaggregated(graphs, 'qwen3', {
  model: Model.huggingFace('Qwen/Qwen3-0.6B'),
  engine: Engine.vllm(),
  router: Router.kv(),
  prefill: { replicas: 2 },
  decode: { replicas: 2 },
});
platform.addDependency(crds);
for (const chart of [...extras.values(), graphs]) chart.addDependency(platform);

app.synth();
for (const file of readdirSync(app.outdir)) {
  const prerequisite = Object.values(prerequisites).find(([chart]) => file.includes(`-${chart}.`))?.[1];
  if (prerequisite === undefined) continue;
  writeFileSync(
    join(app.outdir, file),
    `# Install ${prerequisite} before you apply this file.\n${readFileSync(join(app.outdir, file), 'utf8')}`,
  );
}
