import { Option } from 'commander';
import {
  checkInput,
  checkRepositoryUrl,
  defaultGraphNamespace,
  defaultRevision,
  folderReadme,
  layouts,
  placeGraphs,
  type Environment,
  type GitopsInput,
  type OutputFile,
  type Repository,
} from '../gitops/index.ts';
import { clientLabels, defaultRelease, mergeLayers, renderPlatform, valuesWithoutEffect } from '../platform/index.ts';
import { labelProblem, type KubernetesObject } from '../api/index.ts';
import { append, printable } from '../json/index.ts';
import type { CommandDefinition, Io } from './command.ts';
import { readEnvironmentOptions, type EnvironmentOptions } from './environment-options.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import { apiGroupsOf, readGraphs } from './gitops-graphs.ts';
import { optionsWithoutEffect } from './gitops-options.ts';
import { report } from './platform.ts';
import { repeat } from './option-values.ts';
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

/** A rendered environment, what must exist before it is applied, and the API groups its cluster serves. */
interface RenderedEnvironment {
  readonly environment: Environment;
  readonly prerequisites: readonly string[];
  readonly groups: ReadonlySet<string>;
}

/** Prints each message once: environments share most of their messages. */
function withoutRepeatedMessages(io: Io): Io {
  const printed = new Set<string>();
  const err = (message: string): void => {
    if (!printed.has(message)) io.err(message);
    printed.add(message);
  };
  return { ...io, err };
}

/** Renders one environment; if that fails, prints the errors and returns undefined. */
async function render(
  { name, target }: Pick<Environment, 'name' | 'target'>,
  options: Options,
  isDeployed: boolean,
  io: Io,
): Promise<RenderedEnvironment | undefined> {
  const input = await readValues(options, io);
  // A GitOps folder contains the Namespace unless the values disable it.
  const values = mergeLayers([{ platform: { namespace: { create: true } } }, input.values]);
  const rendered = input.errors.length > 0 ? undefined : renderPlatform(values, input.options);
  // A base that is not deployed itself has no warnings; the environments derived from it have their own.
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

/** Errors in the options, and in combinations of them. */
function checkOptions(options: Options): readonly string[] {
  const { layout, repoUrl } = options;
  const needsRepository = layout !== 'helm' && layouts[layout].needsRepository;
  const urlProblem = needsRepository && repoUrl !== undefined ? checkRepositoryUrl(layout, repoUrl) : undefined;
  const namespaceProblem = options.graphNamespace === undefined ? undefined : labelProblem(options.graphNamespace);
  const rules: readonly (readonly [boolean, string])[] = [
    [
      layout === 'helm' && options.env !== undefined,
      '--env: a chart has one values file; pass those of an environment to helm with -f',
    ],
    [
      layout === 'helm' && options.profile === 'parity',
      '--profile: layout helm supports only the profile secure; for parity use the original chart',
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
    [urlProblem !== undefined, `--repo-url: ${urlProblem ?? ''}`],
    [options.path.split('/').includes('..'), `--path: must be a folder of the repository without .., got '${options.path}'`],
    [/^-|\s|^$/.test(options.revision), `--revision: must be a branch, tag or commit, got '${options.revision}'`],
    [namespaceProblem !== undefined, `--graph-namespace: ${namespaceProblem ?? ''}, got '${options.graphNamespace ?? ''}'`],
  ];
  return rules.flatMap(([broken, message]) => (broken ? [message] : []));
}

async function run(options: Options, io: Io): Promise<ExitCode> {
  if (options.layout === 'helm' && options.chart === 'crds') return await writeCrdsChart(options, io);
  const given = readEnvironmentOptions(options);
  const errors = [...given.errors, ...checkOptions(options)].map(printable);
  const renderIo = withoutRepeatedMessages(io);
  const base = await render({ name: 'default' }, options, given.environments.length === 0, renderIo);
  const rendered: RenderedEnvironment[] = [];
  for (const { name, files, namespace, target } of given.environments) {
    const own = {
      ...options,
      filename: [...(options.filename ?? []), ...files],
      ...(namespace === undefined ? {} : { namespace }),
    };
    const one = await render({ name, ...(target === undefined ? {} : { target }) }, own, true, renderIo);
    if (one !== undefined) rendered.push(one);
  }
  const all = rendered.length > 0 ? rendered : base === undefined ? [] : [base];
  const { graphNamespace = defaultGraphNamespace } = options;
  const namespace = labelProblem(graphNamespace) === undefined ? graphNamespace : defaultGraphNamespace;
  const graphs = await readGraphs(options.graph ?? [], namespace, all, io);
  append(errors, graphs.errors);
  const { crds } = await import('../api/index.ts');
  const environments = all.map((one) => one.environment);
  const input: GitopsInput = {
    base: base?.environment ?? { name: 'default', namespace: '', parts: [] },
    environments,
    graphs: placeGraphs(graphs.objects, namespace, environments),
    crds: crds(),
  };
  append(errors, checkInput(input, options).map(printable));
  const idle = optionsWithoutEffect(options).map((line) => `warning: ${line}`);
  for (const line of [...errors, ...idle, ...graphs.warnings]) io.err(`${line}\n`);
  const strict = options.strict === true && idle.length + graphs.warnings.length > 0;
  if (base === undefined || rendered.length < given.environments.length || errors.length > 0 || strict)
    return exitCode.wrongInput;
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

/** `dynamo-cdk8s gitops`: writes platform, graphs and CRDs as a folder of a GitOps repository. */
export const gitops: CommandDefinition = {
  description:
    'Write platform, graphs and the six CRDs as a folder of a GitOps repository. On any error the folder stays unchanged. ' +
    'Files in it that this command did not write are kept.',
  examples: [
    {
      command: 'dynamo-cdk8s gitops -f values.yaml --graph graphs/ --layout plain -o manifests',
      does: 'write one file per object, numbered in the order to apply them',
    },
    {
      command: 'dynamo-cdk8s gitops -f values.yaml --env test=test.yaml --env production=prod.yaml --layout kustomize -o deploy',
      does: 'write a base per part and an overlay per environment',
    },
    {
      command:
        'dynamo-cdk8s gitops -f values.yaml --layout argocd --repo-url https://git.example.com/platform.git --path dynamo -o dynamo',
      does: 'write an Application with sync waves and health checks',
    },
    { command: 'dynamo-cdk8s gitops -f values.yaml --layout helm -o chart', does: 'write a Helm chart' },
    { command: 'dynamo-cdk8s gitops -f values.yaml --layout plain -o manifests --dry-run', does: 'show what would change' },
  ],
  define: (command, io, done) => {
    addOutputOptions(addValuesOptions(command))
      .addOption(
        new Option('--layout <layout>', 'layout of the folder').choices([...Object.keys(layouts), 'helm']).makeOptionMandatory(),
      )
      .addOption(
        new Option('--graph <path>', 'graphs and objects applied with them: a file, a folder or -; may be repeated').argParser(
          repeat,
        ),
      )
      .option('--graph-namespace <name>', `namespace of graphs that set none (default: "${defaultGraphNamespace}")`)
      .option('--allow-secrets', 'allow Secrets, tokens and credentials in the folder')
      .addOption(
        new Option('--env <name=values>', 'an environment and values that override those of -f; may be repeated').argParser(
          repeat,
        ),
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
      .option('--revision <name>', 'branch, tag or commit of the repository', defaultRevision)
      .option('--path <path>', 'folder of the output in the repository', '')
      .addOption(
        new Option('--chart <chart>', 'which chart layout helm writes').choices(['platform', 'crds']).default('platform'),
      )
      .option('--chart-version <version>', 'version of the chart (default: the version of the platform)')
      .requiredOption('-o, --output <folder>', 'folder to write')
      .action(async (options: Options) => done(await run(options, io)));
  },
};
