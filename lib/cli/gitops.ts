import { Option } from 'commander';
import {
  checkInput,
  checkRepositoryUrl,
  defaultGraphNamespace,
  folderReadme,
  layouts,
  placeGraphs,
  type Environment,
  type GitopsInput,
  type OutputFile,
  type Repository,
} from '../gitops/index.ts';
import {
  clientLabels,
  defaultRelease,
  mergeLayers,
  renderPlatform,
  valuesWithoutEffect,
  type KubernetesObject,
} from '../platform/index.ts';
import { printable } from '../json/index.ts';
import type { CommandDefinition, Io } from './command.ts';
import { readEnvironmentOptions, type EnvironmentOptions } from './environment-options.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import { apiGroupsOf, readGraphs } from './gitops-graphs.ts';
import { report } from './platform.ts';
import { addValuesOptions, readValues, type ValuesOptions } from './values-input.ts';
import { addOutputOptions, writeOutput, type OutputOptions } from './write-output.ts';

type LayoutName = keyof typeof layouts | 'helm';

interface Options extends ValuesOptions, OutputOptions, EnvironmentOptions {
  readonly layout: LayoutName;
  readonly graph?: readonly string[];
  readonly graphNamespace?: string;
  readonly allowSecrets?: boolean;
  readonly repoUrl?: string;
  readonly revision: string;
  readonly path: string;
  readonly chart: 'platform' | 'crds';
  readonly chartVersion?: string;
}

/** An environment rendered, what must exist before it is applied, and the API groups its cluster has. */
interface RenderedEnvironment {
  readonly environment: Environment;
  readonly prerequisites: readonly string[];
  readonly groups: ReadonlySet<string>;
}

/** Says every line once: environments have most of what is said about them in common. */
function sayingOnce(io: Io): Io {
  const said = new Set<string>();
  const err = (line: string): void => {
    if (!said.has(line)) io.err(line);
    said.add(line);
  };
  return { ...io, err };
}

/** Renders one environment; undefined, with everything said, where that fails. */
async function render(
  { name, target }: Pick<Environment, 'name' | 'target'>,
  options: Options,
  isDeployed: boolean,
  io: Io,
): Promise<RenderedEnvironment | undefined> {
  const input = await readValues(options, io);
  // a GitOps repository brings its namespace along unless the values say otherwise
  const values = mergeLayers([{ platform: { namespace: { create: true } } }, input.values]);
  const rendered = input.errors.length > 0 ? undefined : renderPlatform(values, input.options);
  // what nobody deploys is warned about in the environments that are made from it
  const warnings =
    rendered === undefined || !isDeployed ? [] : [...rendered.warnings, ...valuesWithoutEffect(input.values, input.options)];
  if (report(io, input, rendered?.issues ?? [], warnings, options.strict ?? false) || rendered === undefined) return undefined;
  return {
    environment: {
      name,
      namespace: rendered.context.namespace,
      parts: rendered.byPart.filter((p) => p.objects.length > 0),
      ...(target === undefined ? {} : { target }),
      operatorRelease: rendered.operatorRelease,
      clientLabels: rendered.byPart.some(({ name }) => name === 'nats' || name === 'etcd')
        ? clientLabels(rendered.context)
        : undefined,
    },
    prerequisites: rendered.notes,
    groups: apiGroupsOf(rendered.context.apiVersions, rendered.byPart),
  };
}

const chartVersion = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/** Options that do not go together, in words for the user. */
function checkOptions(options: Options): readonly string[] {
  const { layout, repoUrl } = options;
  const needsRepository = layout !== 'helm' && layouts[layout].needsRepository;
  const url = needsRepository && repoUrl !== undefined ? checkRepositoryUrl(layout, repoUrl) : undefined;
  const rules: readonly (readonly [boolean, string])[] = [
    [layout === 'helm' && options.env !== undefined, '--env: a chart has one values file; give environments to helm with -f'],
    [
      layout === 'helm' && options.profile === 'parity',
      '--profile: the chart is made for the profile secure; for parity use the original chart',
    ],
    [layout !== 'helm' && options.chart === 'crds', '--chart crds: only layout helm writes charts'],
    [layout !== 'helm' && options.chartVersion !== undefined, '--chart-version: only layout helm writes charts'],
    [
      options.chartVersion !== undefined && !chartVersion.test(options.chartVersion),
      `--chart-version: must be a semantic version such as 1.2.3, got '${options.chartVersion ?? ''}'`,
    ],
    [
      needsRepository && repoUrl === undefined,
      `--repo-url: layout ${layout} needs the address of the Git repository that will hold the output`,
    ],
    [url !== undefined, `--repo-url: ${url ?? ''}`],
    [options.path.split('/').includes('..'), `--path: must be a folder of the repository without .., got '${options.path}'`],
    [/^-|\s|^$/.test(options.revision), `--revision: must be a branch, tag or commit, got '${options.revision}'`],
  ];
  return rules.flatMap(([broken, message]) => (broken ? [message] : []));
}

async function run(options: Options, io: Io): Promise<ExitCode> {
  if (options.layout === 'helm' && options.chart === 'crds') return await writeCrdsChart(options, io);
  const given = readEnvironmentOptions(options);
  const errors = [...given.errors, ...checkOptions(options)].map(printable);
  const once = sayingOnce(io);
  const base = await render({ name: 'default' }, options, given.environments.length === 0, once);
  const rendered: RenderedEnvironment[] = [];
  for (const { name, files, namespace, target } of given.environments) {
    const own = {
      ...options,
      filename: [...(options.filename ?? []), ...files],
      ...(namespace === undefined ? {} : { namespace }),
    };
    const one = await render({ name, ...(target === undefined ? {} : { target }) }, own, true, once);
    if (one !== undefined) rendered.push(one);
  }
  const all = rendered.length > 0 ? rendered : base === undefined ? [] : [base];
  const graphs = await readGraphs(options.graph ?? [], options.graphNamespace ?? defaultGraphNamespace, all, io);
  errors.push(...graphs.errors);
  for (const line of [...errors, ...graphs.warnings]) io.err(`${line}\n`);
  const strict = options.strict === true && graphs.warnings.length > 0;
  if (base === undefined || rendered.length < given.environments.length || errors.length > 0 || strict)
    return exitCode.wrongInput;
  const { crds } = await import('../api/index.ts');
  const environments = all.map((one) => one.environment);
  const input: GitopsInput = {
    base: base.environment,
    environments,
    graphs: placeGraphs(graphs.objects, options.graphNamespace ?? defaultGraphNamespace, environments),
    crds: crds(),
  };
  const problems = checkInput(input, options);
  for (const problem of problems) io.err(`${printable(problem)}\n`);
  if (problems.length > 0) return exitCode.wrongInput;
  const prerequisites = [...new Set(all.flatMap((one) => one.prerequisites))];
  for (const note of prerequisites) io.err(`note: ${printable(note)}\n`);
  return await write(options, input, prerequisites, io);
}

async function write(options: Options, input: GitopsInput, prerequisites: readonly string[], io: Io): Promise<ExitCode> {
  if (options.layout === 'helm') return await writeChart(options, input.graphs, input.crds, io);
  const path = options.path
    .split('/')
    .filter((step) => step !== '' && step !== '.')
    .join('/');
  const repository: Repository = { url: options.repoUrl ?? '', revision: options.revision, path };
  const files = [folderReadme(options.layout, input, prerequisites), ...layouts[options.layout].write(input, repository)];
  return writeOutput(files, owner(options), options, io);
}

function owner({ layout, release }: Options): string {
  return `gitops --layout ${layout} --release ${release ?? defaultRelease}`;
}

async function writeChart(
  options: Options,
  graphs: readonly KubernetesObject[],
  crds: readonly KubernetesObject[],
  io: Io,
): Promise<ExitCode> {
  const { helmChart } = await import('../gitops/index.ts');
  const { values, options: context } = await readValues(options, io);
  const version = options.chartVersion === undefined ? {} : { version: options.chartVersion };
  const files: readonly OutputFile[] = helmChart({ values, options: context, crds, graphs, ...version });
  return writeOutput(files, 'gitops --layout helm', options, io);
}

async function writeCrdsChart(options: Options, io: Io): Promise<ExitCode> {
  const errors = checkOptions(options);
  for (const error of errors) io.err(`${printable(error)}\n`);
  if (errors.length > 0) return exitCode.wrongInput;
  const { crds } = await import('../api/index.ts');
  const { crdsChart } = await import('../gitops/index.ts');
  return writeOutput(crdsChart(crds(), options.chartVersion), 'gitops --layout helm --chart crds', options, io);
}

const repeat = (value: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), value];

/** `dynamo-cdk8s gitops`: platform, graphs and CRDs as a folder for a GitOps repository. */
export const gitops: CommandDefinition = {
  description:
    'Write platform, graphs and the six CRDs as a folder of a GitOps repository. All or nothing: on any problem the folder stays as it was. ' +
    'Files in it that this command did not write are never touched.',
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
    { command: 'dynamo-cdk8s gitops -f values.yaml --layout plain -o manifests --dry-run', does: 'see what would change' },
  ],
  define: (command, io, done) => {
    addOutputOptions(addValuesOptions(command))
      .addOption(
        new Option('--layout <layout>', 'how to write it').choices([...Object.keys(layouts), 'helm']).makeOptionMandatory(),
      )
      .addOption(
        new Option('--graph <path>', 'graphs and what belongs to them: a file, a folder or -; may be repeated').argParser(repeat),
      )
      .option('--graph-namespace <name>', `namespace of graphs that name none (default: "${defaultGraphNamespace}")`)
      .option('--allow-secrets', 'write Secrets, tokens and credentials into the folder all the same')
      .addOption(
        new Option('--env <name=values>', 'an environment and values layered over -f; may be repeated').argParser(repeat),
      )
      .addOption(
        new Option('--env-namespace <name=namespace>', 'release namespace of an environment; may be repeated').argParser(repeat),
      )
      .addOption(
        new Option('--env-server <name=url>', 'API server of an environment (argocd); may be repeated').argParser(repeat),
      )
      .addOption(
        new Option(
          '--env-kubeconfig <name=secret>',
          'Secret with the kubeconfig of an environment (flux); may be repeated',
        ).argParser(repeat),
      )
      .option('--repo-url <url>', 'Git repository that will hold the output (argocd, flux)')
      .option('--revision <name>', 'branch, tag or commit of it', 'main')
      .option('--path <path>', 'folder of the output in it', '')
      .addOption(
        new Option('--chart <chart>', 'which chart layout helm writes').choices(['platform', 'crds']).default('platform'),
      )
      .option('--chart-version <version>', 'version of that chart (default: that of the platform)')
      .requiredOption('-o, --output <folder>', 'folder to write')
      .action(async (options: Options) => done(await run(options, io)));
  },
};
