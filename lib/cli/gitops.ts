import { join } from 'node:path';
import { Option } from 'commander';
import { type Environment, layouts, type OutputFile, type Repository } from '../gitops/index.ts';
import { type KubernetesObject, mergeLayers, renderPlatform } from '../platform/index.ts';
import type { CommandDefinition, Io } from './command.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import { readGraphs } from './gitops-graphs.ts';
import { report } from './platform.ts';
import { addValuesOptions, readValues, type ValuesOptions } from './values-input.ts';
import { writeFolder } from './write-folder.ts';

type LayoutName = keyof typeof layouts | 'helm';

interface Options extends ValuesOptions {
  readonly layout: LayoutName;
  readonly output: string;
  readonly graph?: readonly string[];
  readonly env?: readonly string[];
  readonly repoUrl?: string;
  readonly revision: string;
  readonly path: string;
}

const environmentName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** `NAME=VALUES` options by name; a name given twice layers its files. */
function environmentFiles(given: readonly string[], errors: string[]): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, readonly string[]>();
  for (const option of given) {
    const [name = '', ...rest] = option.split('=');
    const file = rest.join('=');
    if (!environmentName.test(name) || file === '')
      errors.push(`--env ${option}: write NAME=VALUES, such as production=prod.yaml`);
    else files.set(name, [...(files.get(name) ?? []), file]);
  }
  return files;
}

/** Renders one environment; undefined, with everything said, where that fails. */
async function environment(name: string, options: Options, io: Io): Promise<Environment | undefined> {
  const input = await readValues(options, io);
  // a GitOps repository brings its namespace along unless the values say otherwise
  const values = mergeLayers([{ platform: { namespace: { create: true } } }, input.values]);
  const rendered = input.errors.length > 0 ? undefined : renderPlatform(values, input.options);
  if (report(io, input, rendered?.issues ?? [], rendered?.warnings ?? [], options.strict ?? false) || rendered === undefined)
    return undefined;
  return { name, namespace: rendered.context.namespace, parts: rendered.byPart.filter((p) => p.objects.length > 0) };
}

function repositoryOf(options: Options, errors: string[]): Repository {
  if (options.layout === 'helm' && options.env !== undefined)
    errors.push('--env: a chart has one values file; give environments to helm with -f');
  if (options.layout === 'helm' && options.profile === 'parity')
    errors.push('--profile: the chart is made for the profile secure; for parity use the original chart');
  if (options.layout !== 'helm' && layouts[options.layout].needsRepository && options.repoUrl === undefined)
    errors.push(`--repo-url: layout ${options.layout} needs the address of the Git repository that will hold the output`);
  const path = options.path.replaceAll(/^[./]+|\/+$/g, '');
  return { url: options.repoUrl ?? '', revision: options.revision, path };
}

async function run(options: Options, io: Io): Promise<ExitCode> {
  const errors: string[] = [];
  const files = environmentFiles(options.env ?? [], errors);
  const repository = repositoryOf(options, errors);
  const base = await environment('default', options, io);
  const environments: Environment[] = [];
  for (const [name, values] of files) {
    const one = await environment(name, { ...options, filename: [...(options.filename ?? []), ...values] }, io);
    if (one !== undefined) environments.push(one);
  }
  const graphs = await readGraphs(options.graph ?? [], base?.namespace ?? 'default', io);
  for (const line of [...graphs.errors, ...graphs.warnings, ...errors.map((e) => `${e}\n`)]) io.err(line);
  const strict = options.strict === true && graphs.warnings.length > 0;
  if (base === undefined || environments.length < files.size || graphs.errors.length > 0 || errors.length > 0 || strict)
    return exitCode.wrongInput;
  const { crds } = await import('../api/index.ts');
  if (options.layout === 'helm') return await writeChart(options, graphs.objects, crds(), io);
  const input = { base, environments: environments.length > 0 ? environments : [base], graphs: graphs.objects, crds: crds() };
  const layout = layouts[options.layout];
  return await write(options, layout.write(input, repository), layout.owns, io);
}

const chartFiles = ['Chart.yaml', 'README.md', 'crds', 'templates', 'values.schema.json', 'values.yaml'];

async function writeChart(
  options: Options,
  graphs: readonly KubernetesObject[],
  crds: readonly KubernetesObject[],
  io: Io,
): Promise<ExitCode> {
  const { helmChart } = await import('../gitops/index.ts');
  const { values, options: context } = await readValues(options, io);
  return await write(options, helmChart({ values, options: context, crds, graphs }), chartFiles, io);
}

async function write(options: Options, files: readonly OutputFile[], owned: readonly string[], io: Io): Promise<ExitCode> {
  const problem = await writeFolder(io.cwd, options.output, files, (entry) => owned.includes(entry));
  if (problem !== undefined) {
    io.err(`${problem}\n`);
    return exitCode.wrongInput;
  }
  io.out(files.map((f) => `${join(options.output, f.path)}\n`).join(''));
  return exitCode.done;
}

const repeat = (value: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), value];

/** `dynamo-cdk8s gitops`: platform, graphs and CRDs as a folder for a GitOps repository. */
export const gitops: CommandDefinition = {
  description:
    'Write platform, graphs and the six CRDs as a folder of a GitOps repository. All or nothing: on any problem the folder stays as it was.',
  examples: [
    {
      command: 'dynamo-cdk8s gitops -f values.yaml --graph graphs/ --layout plain -o manifests',
      does: 'one file per object, in the order of application',
    },
    {
      command: 'dynamo-cdk8s gitops -f values.yaml --env test=test.yaml --env production=prod.yaml --layout kustomize -o deploy',
      does: 'a base per part and an overlay per environment',
    },
    {
      command:
        'dynamo-cdk8s gitops -f values.yaml --layout argocd --repo-url https://git.example.com/platform.git --path dynamo -o dynamo',
      does: 'an Application with sync waves and health checks',
    },
    { command: 'dynamo-cdk8s gitops -f values.yaml --layout helm -o chart', does: 'a chart with values of its own' },
  ],
  define: (command, io, done) => {
    addValuesOptions(command)
      .addOption(
        new Option('--layout <layout>', 'how to write it').choices([...Object.keys(layouts), 'helm']).makeOptionMandatory(),
      )
      .addOption(
        new Option('--graph <path>', 'graphs and what belongs to them: a file, a folder or -; may be repeated').argParser(repeat),
      )
      .addOption(
        new Option('--env <name=values>', 'an environment and values layered over -f; may be repeated').argParser(repeat),
      )
      .option('--repo-url <url>', 'Git repository that will hold the output (argocd, flux)')
      .option('--revision <name>', 'branch, tag or commit of it', 'main')
      .option('--path <path>', 'folder of the output in it', '')
      .requiredOption('-o, --output <folder>', 'folder to write')
      .action(async (options: Options) => done(await run(options, io)));
  },
};
