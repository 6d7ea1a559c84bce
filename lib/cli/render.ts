import { Option, type Command } from 'commander';
import {
  judgeDocuments,
  lintDocuments,
  orchestratorGroups,
  orchestratorOf,
  renderDocuments,
  sourceFinding,
  type LintSettings,
  type RenderedDocument,
} from '../check/index.ts';
import { printable } from '../json/index.ts';
import type { Orchestrator } from '../lint/index.ts';
import { stringifyJson, toYamlDocuments } from '../manifest/index.ts';
import {
  chartConfig,
  cleanObject,
  flagDefaults,
  withFlags,
  type KubernetesObject,
  type OperatorConfig,
  type RenderedObject,
  type Source,
} from '../render/index.ts';
import type { CommandDefinition, Io } from './command.ts';
import { exitCode, exitCodeFor, type ExitCode } from './exit-code.ts';
import { addFilenameOption, readInputs } from './inputs.ts';
import { addOperatorFlags, operatorFlagsOf, parseArguments } from './operator-flags.ts';
import { askForOrchestrator, clusterWarnings, findingsFor, laterFindings, repeatedFinding } from './render-findings.ts';
import { renderTree } from './render-tree.ts';
import { count, sortFindings, textLine, type Finding } from './report/index.ts';

interface Options {
  readonly filename: readonly string[];
  readonly namespace: string;
  readonly output: 'yaml' | 'json' | 'name' | 'tree';
  readonly level: 'graph' | 'workload' | 'all';
  readonly apiGroups?: string;
  readonly orchestrator?: Orchestrator;
  readonly clean?: boolean;
  readonly strict?: boolean;
  readonly values?: string;
  readonly release: string;
  readonly platformNamespace: string;
}

/** A resource and what it renders to. */
interface Rendering {
  readonly resource: Source;
  readonly objects: readonly RenderedObject[];
  /** Those of the level that was asked for. */
  readonly shown: readonly RenderedObject[];
}

const writers: Readonly<Record<Options['output'], (renderings: readonly Rendering[], clean: boolean) => string>> = {
  yaml: (renderings, clean) => toYamlDocuments(objectsOf(renderings, clean)),
  json: (renderings, clean) => `${stringifyJson({ apiVersion: 'v1', kind: 'List', items: objectsOf(renderings, clean) }, 2)}\n`,
  name: (renderings) =>
    objectsOf(renderings, false)
      .map((object) => `${nameLine(object)}\n`)
      .join(''),
  tree: renderTree,
};

function objectsOf(renderings: readonly Rendering[], clean: boolean): readonly KubernetesObject[] {
  return renderings.flatMap(({ shown }) => shown.map(({ object }) => (clean ? cleanObject(object) : object)));
}

function nameLine({ apiVersion, kind, metadata }: KubernetesObject): string {
  const group = apiVersion.includes('/') ? `.${apiVersion.split('/', 1)[0]}` : '';
  return printable(`${kind.toLowerCase()}${group}/${metadata.name}`);
}

/** The operator that will run a graph: what its flags say, and the release of the original it is of, if it is known to be of one. */
interface OperatorSettings {
  readonly config: OperatorConfig;
  readonly release: string | undefined;
}

/** The flags of the operator that will run the graph: those given, over those its values or the chart's defaults imply. */
async function operatorConfig(
  options: Options,
  given: Readonly<Record<string, string>>,
  io: Io,
): Promise<OperatorSettings | readonly string[]> {
  const { release, platformNamespace: namespace, values: file } = options;
  if (file === undefined) return { config: withFlags(chartConfig(release, namespace), given), release: undefined };
  const { readValues } = await import('./values-input.ts');
  const { operatorArguments, operatorReleaseOf, platformContext } = await import('../platform/index.ts');
  const read = await readValues({ filename: [file], release, namespace }, io);
  if (read.errors.length > 0) return read.errors;
  return {
    config: withFlags(withFlags(flagDefaults, parseArguments(operatorArguments(read.values, read.options))), given),
    release: operatorReleaseOf(read.values, platformContext(read.values, read.options)),
  };
}

/** Of resources given more than once the last counts, as with kubectl apply. */
function withoutRepeated<D extends RenderedDocument>(
  documents: readonly D[],
): { readonly kept: readonly D[]; readonly repeated: readonly D[] } {
  const rendered = documents.filter(({ rendering }) => rendering !== undefined);
  const key = ({ identity: { kind, namespace, name } }: D): string => `${kind}/${namespace}/${name}`;
  const last = new Map(rendered.map((document) => [key(document), document]));
  const first = new Map(rendered.toReversed().map((document) => [key(document), document]));
  const kept = rendered.filter((document) => last.get(key(document)) === document);
  return { kept, repeated: kept.filter((document) => first.get(key(document)) !== document) };
}

function renderingOf({ rendering }: RenderedDocument): readonly Rendering[] {
  if (rendering === undefined || rendering.issues.length > 0) return [];
  const { resource, objects } = rendering;
  return [{ resource, objects, shown: objects }];
}

/** Objects that several resources share are made by the first of them. */
function withoutRepetition(renderings: readonly Rendering[]): readonly Rendering[] {
  const seen = new Set<string>();
  return renderings.map((rendering) => {
    const objects = rendering.objects.filter(({ object: { apiVersion, kind, metadata } }) => {
      const key = `${apiVersion}/${kind}/${metadata.namespace}/${metadata.name}`;
      const known = seen.has(key);
      seen.add(key);
      return !known;
    });
    return { ...rendering, objects, shown: objects };
  });
}

function atLevel(rendering: Rendering, level: Options['level']): Rendering {
  return level === 'all' ? rendering : { ...rendering, shown: rendering.objects.filter((rendered) => rendered.level === level) };
}

function settingsOf(options: Options, config: OperatorConfig): LintSettings {
  const named = options.apiGroups?.split(',').map((group) => group.trim());
  const apiGroups = named && new Set([...named, ...orchestratorGroups[options.orchestrator ?? 'none']].filter((g) => g !== ''));
  return {
    namespace: options.namespace,
    apiGroups,
    // What the operator would find when nothing is said of the cluster: no orchestrator.
    orchestrator: apiGroups === undefined ? (options.orchestrator ?? 'none') : orchestratorOf(apiGroups),
    restrictedNamespace: config.restrictedNamespace,
    config,
  };
}

async function run(options: Options, given: Readonly<Record<string, string>>, io: Io): Promise<ExitCode> {
  const operator = await operatorConfig(options, given, io);
  if (!('config' in operator)) {
    io.err(operator.map((line) => `${printable(line)}\n`).join(''));
    return exitCode.wrongInput;
  }
  const { config } = operator;
  const read = await readInputs(options.filename, io);
  const settings = settingsOf(options, config);
  const checked = lintDocuments(renderDocuments(judgeDocuments(read.documents, settings), settings), settings);
  const isAsked = options.orchestrator === undefined && options.apiGroups === undefined;
  const { kept, repeated } = withoutRepeated(checked);
  const findings: readonly Finding[] = [
    ...read.issues.map(sourceFinding),
    ...repeated.map(repeatedFinding),
    ...checked.flatMap((document) => laterFindings(document, operator.release)),
    ...(isAsked ? checked.map(askForOrchestrator) : checked).flatMap(findingsFor),
    ...kept.flatMap((document) => clusterWarnings(document, config.restrictedNamespace)),
  ];
  for (const entry of sortFindings(findings, read.files)) io.err(textLine(entry, io.colour.err));
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  if (errors === 0 && !checked.some(({ isDynamo }) => isDynamo)) {
    io.err('nothing to render: no DynamoGraphDeployment, DynamoComponentDeployment or DynamoGraphDeploymentRequest was given\n');
    return exitCode.wrongInput;
  }
  // What could not be read might have been anything; each document that was read stands for itself.
  const renderings = read.issues.some((issue) => sourceFinding(issue).severity === 'error') ? [] : kept.flatMap(renderingOf);
  const shown = withoutRepetition(renderings).map((rendering) => atLevel(rendering, options.level));
  if (errors === 0 || shown.length > 0) io.out(writers[options.output](shown, options.clean === true));
  if (errors > 0)
    io.err(
      `${count(errors, 'problem')}, ${shown.length === 0 ? 'nothing' : `only ${count(shown.length, 'resource')}`} rendered\n`,
    );
  return exitCodeFor(errors > 0 || (options.strict === true && findings.length > 0));
}

function defineOptions(command: Command): Command {
  return addFilenameOption(command, 'resources to render, and objects the cluster has')
    .option('-n, --namespace <name>', 'namespace of objects that name none', 'default')
    .addOption(new Option('-o, --output <format>', 'how to print the objects').choices(Object.keys(writers)).default('yaml'))
    .addOption(
      new Option('--level <level>', 'which objects to print: around the pods, the workloads, or all')
        .choices(['graph', 'workload', 'all'])
        .default('all'),
    )
    .addOption(
      new Option('--orchestrator <name>', 'what the cluster has for graphs that span nodes').choices(
        Object.keys(orchestratorGroups),
      ),
    )
    .option(
      '--api-groups <list>',
      'API groups the cluster has, such as grove.io,scheduling.run.ai; none of the optional ones by default',
    )
    .option('--clean', 'leave out owner references and bookkeeping')
    .option('--strict', 'treat warnings as errors')
    .option('--values <file>', 'platform values to take the flags of the operator from')
    .option('--release <name>', 'release of the platform', 'dynamo-platform')
    .option('--platform-namespace <name>', 'namespace of the platform', 'dynamo-system');
}

/** `dynamo-cdk8s render`: every object the operator would create. */
export const render: CommandDefinition = {
  description:
    'Print every object the operator would create for a graph, a component or a deployment request, as it would send it. Documents of other kinds are taken as objects the cluster has: claims, secrets, service accounts, queues.',
  examples: [
    { command: 'dynamo-cdk8s render -f graph.yaml -n models', does: 'print all objects as YAML' },
    {
      command: 'dynamo-cdk8s render -f graph.yaml --orchestrator grove+kai -o tree',
      does: 'see what a graph becomes and how many GPUs it needs',
    },
    { command: 'dynamo-cdk8s render -f graph.yaml --level workload --clean', does: 'read the workloads without bookkeeping' },
    {
      command: 'dynamo-cdk8s render -f graph.yaml --values values.yaml --release prod',
      does: "render as that release's operator would",
    },
    {
      command: 'kubectl get dgd,secret,sa -o yaml | dynamo-cdk8s render -f - --strict',
      does: 'render what runs, with what is around it',
    },
  ],
  define: (command, io, done) => {
    addOperatorFlags(defineOptions(command)).action(async (options: Options) => {
      done(await run(options, operatorFlagsOf(command), io));
    });
  },
};
