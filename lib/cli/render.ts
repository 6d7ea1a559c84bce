import { Option, type Command } from 'commander';
import type { KubernetesObject } from '../api/index.ts';
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
import {
  chartConfig,
  cleanObject,
  flagDefaults,
  withFlags,
  type OperatorConfig,
  type RenderedObject,
  type RenderableResource,
} from '../render/index.ts';
import type { CommandDefinition, Io } from './command.ts';
import { exitCode, exitCodeFor, type ExitCode } from './exit-code.ts';
import { addNamespaceOption, orchestratorOption } from './graph-options.ts';
import { addFilenameOption, readInputs } from './inputs.ts';
import { objectFormats, type ObjectFormat } from './object-formats.ts';
import { parseNames, parseNamespace, parseReleaseName, repeat } from './option-values.ts';
import { addOperatorFlags, operatorFlagsOf, parseArguments } from './operator-flags.ts';
import { clusterWarnings, findingsFor, laterFindings, mergeOrchestratorFindings, repeatedFinding } from './render-findings.ts';
import { renderTree } from './render-tree.ts';
import { count, sortFindings, textLine, type Finding } from './report/index.ts';

interface Options {
  readonly filename: readonly string[];
  readonly namespace: string;
  readonly output: ObjectFormat | 'tree';
  readonly level: 'graph' | 'workload' | 'all';
  readonly apiGroups?: ReadonlySet<string>;
  readonly orchestrator?: Orchestrator;
  readonly clean?: boolean;
  readonly strict?: boolean;
  readonly values?: readonly string[];
  readonly release: string;
  readonly platformNamespace: string;
}

/** A resource and the objects rendered from it. */
interface Rendering {
  readonly resource: RenderableResource;
  readonly objects: readonly RenderedObject[];
  /** The objects of the requested level. */
  readonly shown: readonly RenderedObject[];
}

const writers: Readonly<Record<Options['output'], (renderings: readonly Rendering[], clean: boolean) => string>> = {
  yaml: (renderings, clean) => objectFormats.yaml(objectsOf(renderings, clean)),
  json: (renderings, clean) => objectFormats.json(objectsOf(renderings, clean)),
  name: (renderings) => objectFormats.name(objectsOf(renderings, false)),
  tree: renderTree,
};

function objectsOf(renderings: readonly Rendering[], clean: boolean): readonly KubernetesObject[] {
  return renderings.flatMap(({ shown }) => shown.map(({ object }) => (clean ? cleanObject(object) : object)));
}

/** The operator that will run a graph: its configuration, and the release of the original operator, if it is known. */
interface OperatorSettings {
  readonly config: OperatorConfig;
  readonly release: string | undefined;
}

/** The settings of the operator: the given flags override those of the platform values, or of the chart's defaults. */
async function operatorConfig(
  options: Options,
  given: Readonly<Record<string, string>>,
  io: Io,
): Promise<OperatorSettings | readonly string[]> {
  const { release, platformNamespace: namespace, values: filename } = options;
  if (filename === undefined) return { config: withFlags(chartConfig(release, namespace), given), release: undefined };
  const { readValues } = await import('./values-input.ts');
  const { operatorArguments, renderPlatform } = await import('../platform/index.ts');
  const read = await readValues({ filename, release, namespace }, io);
  if (read.errors.length > 0) return read.errors;
  const { issues, operatorRelease } = renderPlatform(read.values, read.options);
  if (issues.length > 0) return issues.map((issue) => read.describe(issue));
  return {
    config: withFlags(withFlags(flagDefaults, parseArguments(operatorArguments(read.values, read.options))), given),
    release: operatorRelease,
  };
}

/** Keeps the last document of each resource, as kubectl apply does; `repeated` holds those that replace an earlier one. */
function lastOfEachResource<D extends RenderedDocument>(
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

/** Keeps objects that several resources share only in the first of them. */
function withoutSharedObjects(renderings: readonly Rendering[]): readonly Rendering[] {
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
  const named = options.apiGroups;
  const apiGroups = named && new Set([...named, ...orchestratorGroups[options.orchestrator ?? 'none']]);
  return {
    namespace: options.namespace,
    apiGroups,
    // Without options about the cluster, assume that it has no orchestrator.
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
  const isClusterUnknown = options.orchestrator === undefined && options.apiGroups === undefined;
  const { kept, repeated } = lastOfEachResource(checked);
  const findings: readonly Finding[] = [
    ...read.issues.map(sourceFinding),
    ...repeated.map(repeatedFinding),
    ...checked.flatMap((document) => laterFindings(document, operator.release)),
    ...(isClusterUnknown ? checked.map(mergeOrchestratorFindings) : checked).flatMap(findingsFor),
    ...kept.flatMap((document) => clusterWarnings(document, config.restrictedNamespace)),
  ];
  for (const entry of sortFindings(findings, read.files)) io.err(textLine(entry, io.colour.err));
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  if (errors === 0 && kept.length === 0) {
    io.err('nothing to render: no DynamoGraphDeployment, DynamoComponentDeployment or DynamoGraphDeploymentRequest was given\n');
    return exitCode.wrongInput;
  }
  // A document that cannot be read may replace any other, so nothing is rendered; an invalid document affects only itself.
  const renderings = read.issues.some((issue) => sourceFinding(issue).severity === 'error') ? [] : kept.flatMap(renderingOf);
  const shown = withoutSharedObjects(renderings).map((rendering) => atLevel(rendering, options.level));
  if (errors === 0 || shown.length > 0) io.out(writers[options.output](shown, options.clean === true));
  if (errors > 0)
    io.err(
      `${count(errors, 'problem')}, ${shown.length === 0 ? 'nothing' : `only ${count(shown.length, 'resource')}`} rendered\n`,
    );
  return exitCodeFor(errors > 0 || (options.strict === true && findings.length > 0));
}

function defineOptions(command: Command): Command {
  return addNamespaceOption(addFilenameOption(command, 'resources to render, and existing objects of the cluster'))
    .addOption(new Option('-o, --output <format>', 'how to print the objects').choices(Object.keys(writers)).default('yaml'))
    .addOption(
      new Option('--level <level>', 'objects to print: those of the graph, the workloads, or all')
        .choices(['graph', 'workload', 'all'])
        .default('all'),
    )
    .addOption(orchestratorOption())
    .option(
      '--api-groups <list>',
      'optional API groups of the cluster, such as grove.io,scheduling.run.ai (default: none)',
      parseNames,
    )
    .option('--clean', 'omit owner references, bookkeeping annotations and empty defaults')
    .option('--strict', 'treat warnings as errors')
    .option(
      '--values <file>',
      'platform values to read the flags of the operator from, later ones override earlier ones; may be repeated',
      repeat,
    )
    .option('--release <name>', 'release of the platform', parseReleaseName, 'dynamo-platform')
    .option('--platform-namespace <name>', 'namespace of the platform', parseNamespace, 'dynamo-system');
}

/** `dynamo-cdk8s render`: prints every object the operator would create. */
export const render: CommandDefinition = {
  description:
    'Print every object the operator would create for a graph, a component or a deployment request, as it would send it. Documents of other kinds are treated as existing objects of the cluster: PersistentVolumeClaims, Secrets, ServiceAccounts, queues.',
  examples: [
    { command: 'dynamo-cdk8s render -f graph.yaml -n models', does: 'print all objects as YAML' },
    {
      command: 'dynamo-cdk8s render -f graph.yaml --orchestrator grove+kai -o tree',
      does: 'show the objects of a graph and how many GPUs it needs',
    },
    {
      command: 'dynamo-cdk8s render -f graph.yaml --level workload --clean',
      does: 'print the workloads without bookkeeping annotations',
    },
    {
      command: 'dynamo-cdk8s render -f graph.yaml --values values.yaml --release prod',
      does: 'render as the operator of that release would',
    },
    {
      command: 'kubectl get dgd,secret,sa -o yaml | dynamo-cdk8s render -f - --strict',
      does: 'render running graphs with the objects they refer to',
    },
  ],
  define: (command, io, done) => {
    addOperatorFlags(defineOptions(command)).action(async (options: Options) => {
      done(await run(options, operatorFlagsOf(command), io));
    });
  },
};
