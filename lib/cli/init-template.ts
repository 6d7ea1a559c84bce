import { isObject, type JsonObject } from '../json/index.ts';
import { editorFiles, schemaComment } from './editor-files.ts';

/** Settings of a new repository. */
export interface Template {
  /** Name of the repository, a valid package name. */
  readonly name: string;
  /** npm package specification of dynamo-cdk8s: a version, or the path or URL of a tarball. */
  readonly dependency: string;
}

const entries = (manifest: JsonObject, field: string): JsonObject => {
  const value = manifest[field];
  return isObject(value) ? value : {};
};

/** The scripts of a package.json, without the `test` of `npm init`, which always fails. */
const scripts = (manifest: JsonObject): JsonObject => {
  const { test: command, ...rest } = entries(manifest, 'scripts');
  const isPlaceholder = command === undefined || (typeof command === 'string' && command.includes('no test specified'));
  return isPlaceholder ? rest : { ...rest, test: command };
};

/** The package.json of a new repository; an existing package.json keeps its other fields, scripts and dependency versions. */
export const packageJson = ({ name, dependency }: Template, existing: JsonObject = {}): string =>
  `${JSON.stringify(
    {
      name,
      private: true,
      ...existing,
      type: 'module',
      engines: { node: '>=20' },
      scripts: {
        ...scripts(existing),
        synth: 'cdk8s synth --no-check-upgrade',
        test: 'vitest run',
        typecheck: 'tsc',
        lint: 'dynamo-cdk8s validate -f dist && dynamo-cdk8s lint -f dist',
        check: 'npm run typecheck && npm test && npm run synth && npm run lint',
      },
      dependencies: {
        cdk8s: '2.70.106',
        'cdk8s-plus-28': '2.5.6',
        constructs: '10.8.1',
        'dynamo-cdk8s': dependency,
        ...entries(existing, 'dependencies'),
      },
      devDependencies: {
        '@types/node': '^20',
        'cdk8s-cli': '2.207.60',
        tsx: '4.23.15',
        typescript: '7.0.2',
        vitest: '4.1.12',
        ...entries(existing, 'devDependencies'),
      },
    },
    null,
    2,
  )}\n`;

const readme = ({ name }: Template): string => `# ${name}

The Dynamo graphs of this cluster, written in TypeScript. \`dist/\` holds the manifests that Argo CD or Flux applies.

\`\`\`sh
npm install
npm run synth      # type-checks and writes dist/
npm test
npm run check      # everything that CI runs
\`\`\`

- \`main.ts\` lists the charts and sets the platform they run on: release, images, GPUs per node.
- \`graphs/\` has one file for each graph. \`graphs/chat.ts\` is a starting point: change the model, the engine, the replicas. \`graphs/tiny.yaml\` is a graph
  kept as YAML; editors check it against \`schemas/\`, which \`npx dynamo-cdk8s editor\` regenerates after an update.
- \`test/\` checks what every change must preserve.
- \`.github/workflows/check.yaml\` runs the checks and fails if \`dist/\` is not up to date.

Before the first rollout the namespace \`llm\` needs a Secret \`hf-token-secret\` with the key \`HF_TOKEN\`:

\`\`\`sh
kubectl create namespace llm
kubectl -n llm create secret generic hf-token-secret --from-literal=HF_TOKEN=...
\`\`\`

Then commit, push, and point your GitOps tool at \`dist/\`; or apply it by hand with \`kubectl apply -f dist/\`.
To convert a graph from YAML to TypeScript: \`npx dynamo-cdk8s import -f graph.yaml -o graphs/mine.ts\`.
`;

const main = `import { App } from 'cdk8s';
import { DynamoChart, Platform } from 'dynamo-cdk8s';
import { addChat } from './graphs/chat.ts';
import { addTiny } from './graphs/tiny.ts';

const app = new App();
const platform = new Platform({ release: '0.9.0', gpusPerNode: 8 });

addChat(new DynamoChart(app, 'chat', { namespace: 'llm', platform }));
addTiny(new DynamoChart(app, 'tiny', { namespace: 'llm', platform }));

app.synth();
`;

const graph = `import { DynamoGraph, Engine, Model, Router, type DynamoChart } from 'dynamo-cdk8s';

/** A small chat model with separate prefill and decode workers and KV-aware routing. */
export function addChat(chart: DynamoChart): DynamoGraph {
  return DynamoGraph.disaggregated(chart, 'chat', {
    model: Model.huggingFace('Qwen/Qwen3-0.6B'),
    engine: Engine.vllm(),
    router: Router.kv(),
    prefill: { replicas: 2 },
    decode: { replicas: 1 },
  });
}
`;

const tiny = `import { DynamoGraph, type DynamoChart } from 'dynamo-cdk8s';

/** A graph kept as YAML: it is checked and rendered like the others. */
export function addTiny(chart: DynamoChart): DynamoGraph {
  return DynamoGraph.fromYaml(chart, 'tiny', 'graphs/tiny.yaml');
}
`;

const tinyYaml = `${schemaComment('../schemas')}
apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata:
  name: tiny
spec:
  services:
    Frontend:
      componentType: frontend
      replicas: 1
      extraPodSpec:
        mainContainer:
          image: nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.9.0
    worker:
      componentType: worker
      replicas: 1
      envFromSecret: hf-token-secret
      extraPodSpec:
        mainContainer:
          image: nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.9.0
          command: [python3, -m, dynamo.mocker]
          args: [--model-path, Qwen/Qwen3-0.6B, --model-name, Qwen/Qwen3-0.6B]
`;

const testImports = ["import { App } from 'cdk8s';", "import { DynamoChart } from 'dynamo-cdk8s';"].join('\n');

const test = `${testImports}
import { expect, test } from 'vitest';
import { addChat } from '../graphs/chat.ts';

const chat = () => addChat(new DynamoChart(new App(), 'chat', { namespace: 'llm' }));

test('chat has no findings', () => {
  expect(chat().findings).toEqual([]);
});

test('chat stays within its GPUs', () => {
  expect(chat().totalGpus).toBeLessThanOrEqual(8);
});
`;

const tsconfig = `${JSON.stringify(
  {
    compilerOptions: {
      target: 'es2022',
      module: 'nodenext',
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      verbatimModuleSyntax: true,
      types: ['node'],
    },
    include: ['main.ts', 'graphs', 'test'],
  },
  null,
  2,
)}\n`;

const workflow = `name: check
on:
  push:
    branches: [main]
  pull_request:
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 20
          cache: npm
      - run: npm ci
      - run: npm run check
      - name: dist is up to date
        run: test -z "$(git status --porcelain dist)" || { git status --porcelain dist; echo 'run npm run synth and commit dist'; exit 1; }
`;

/** The files of a new repository by path. */
export function templateFiles(template: Template): Readonly<Record<string, string>> {
  const { schemas, vscode, jetbrains } = editorFiles('schemas');
  return {
    'package.json': packageJson(template),
    'README.md': readme(template),
    'cdk8s.yaml': 'language: typescript\napp: tsc 1>&2 && node --import tsx main.ts\noutput: dist\n',
    'main.ts': main,
    'graphs/chat.ts': graph,
    'graphs/tiny.ts': tiny,
    'graphs/tiny.yaml': tinyYaml,
    'test/chat.test.ts': test,
    'tsconfig.json': tsconfig,
    '.gitignore': 'node_modules/\n',
    '.vscode/settings.json': `${JSON.stringify(vscode, null, 2)}\n`,
    '.idea/jsonSchemas.xml': jetbrains,
    ...schemas,
    '.github/workflows/check.yaml': workflow,
  };
}
