import { Option, type Command } from 'commander';
import { formatPath, isObject, type Path } from '../json/index.ts';
import { lintResource, buildLintIndex, type LintContext, type Orchestrator, type LintIndex } from '../lint/index.ts';
import { stringifyJson, toYamlDocuments, type ManifestDocument } from '../manifest/index.ts';
import {
  chartConfig,
  cleanObject,
  clusterOfDocuments,
  flagDefaults,
  renderResource,
  withFlags,
  type KubernetesObject,
  type OperatorConfig,
  type RenderedObject,
  type RenderContext,
} from '../render/index.ts';
import type { CommandDefinition, Io } from './command.ts';
import { exitCode, exitCodeFor, type ExitCode } from './exit-code.ts';
import { orchestratorGroups } from './foresight.ts';
import { addFilenameOption, readInputs } from './inputs.ts';
import { addOperatorFlags, operatorFlagsOf, parseArguments } from './operator-flags.ts';
import { sortDocuments, type RenderInput } from './render-input.ts';
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
interface Rendering extends RenderInput {
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
  return `${kind.toLowerCase()}${group}/${metadata.name}`;
}

/** The flags of the operator that will run the graph: those given, over those its values or the chart's defaults imply. */
async function operatorConfig(
  options: Options,
  given: Readonly<Record<string, string>>,
  io: Io,
): Promise<OperatorConfig | readonly string[]> {
  const { release, platformNamespace: namespace, values: file } = options;
  if (file === undefined) return withFlags(chartConfig(release, namespace), given);
  const { readValues } = await import('./values-input.ts');
  const { operatorArguments } = await import('../platform/operator/arguments.ts');
  const read = await readValues({ filename: [file], release, namespace }, io);
  if (read.errors.length > 0) return read.errors;
  return withFlags(withFlags(flagDefaults, parseArguments(operatorArguments(read.values, read.options))), given);
}

function finding(document: ManifestDocument, path: Path, severity: Finding['severity'], id: string, message: string): Finding {
  return { file: document.file, ...document.position(path), severity, id, path: formatPath(path), message };
}

/** Renders one resource and tells what its author should know, each fact at the line that causes it: what lint finds is a warning here. */
function renderInput(
  { resource, document }: RenderInput,
  context: RenderContext,
  around: LintIndex,
  findings: Finding[],
): Rendering {
  const { objects, issues, warnings, quirks } = renderResource(resource, context);
  const tell = (severity: Finding['severity'], path: Path, id: string, message: string): number =>
    findings.push(finding(document, path, severity, id, message));
  for (const { path, code, message } of issues) tell('error', path, code, message);
  for (const { path, code, message } of warnings) tell('warning', path, code, message);
  const { restrictedNamespace } = context.config;
  if (restrictedNamespace !== '' && resource.metadata.namespace !== restrictedNamespace)
    tell(
      'warning',
      ['metadata', 'namespace'],
      'unwatched_namespace',
      `the operator watches only ${restrictedNamespace}, got ${resource.metadata.namespace}`,
    );
  const lint: LintContext = { ...around.context, rendering: { objects, quirks } };
  const written = isObject(document.value) ? document.value : {};
  for (const { path, id, message } of lintResource(written, { ...around, context: lint }).findings)
    tell('warning', path, id, `${message} (${id})`);
  return { resource, document, objects, shown: objects };
}

/** The orchestrator that API groups stand for. */
function orchestratorOf(groups: ReadonlySet<string>): Orchestrator {
  if (groups.has('grove.io')) return groups.has('scheduling.run.ai') ? 'grove+kai' : 'grove';
  return orchestratorGroups.lws.every((group) => groups.has(group)) ? 'lws' : 'none';
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

async function run(options: Options, given: Readonly<Record<string, string>>, io: Io): Promise<ExitCode> {
  const config = await operatorConfig(options, given, io);
  if (!('natsAddress' in config)) {
    io.err(config.map((line) => `${line}\n`).join(''));
    return exitCode.wrongInput;
  }
  const read = await readInputs(options.filename, io);
  const findings: Finding[] = read.issues.map(({ code, ...issue }) => ({ ...issue, id: code, path: '' }));
  const named = options.apiGroups?.split(',').map((group) => group.trim()) ?? [];
  const apiGroups = new Set([...named, ...orchestratorGroups[options.orchestrator ?? 'none']].filter((group) => group !== ''));
  const {
    inputs,
    cluster,
    ours,
    findings: checked,
  } = sortDocuments(read.documents, {
    namespace: options.namespace,
    old: [],
    apiGroups: options.apiGroups === undefined ? undefined : apiGroups,
    restrictedNamespace: config.restrictedNamespace,
  });
  findings.push(...checked);
  const context: RenderContext = { config, cluster: clusterOfDocuments(cluster, apiGroups, options.namespace) };
  const resources = read.documents.map((document) => document.value).filter(isObject);
  const around = buildLintIndex({ resources, namespace: options.namespace, orchestrator: orchestratorOf(apiGroups) });
  const renderings = inputs.map((input) => renderInput(input, context, around, findings));
  if (!ours && findings.every(({ severity }) => severity === 'warning')) {
    io.err('nothing to render: no DynamoGraphDeployment, DynamoComponentDeployment or DynamoGraphDeploymentRequest was given\n');
    return exitCode.wrongInput;
  }
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  for (const entry of sortFindings(findings, read.files)) io.err(textLine(entry, io.colour.err));
  if (errors > 0) {
    io.err(`${count(errors, 'problem')}, nothing rendered\n`);
    return exitCode.wrongInput;
  }
  const shown = withoutRepetition(renderings).map((rendering) => atLevel(rendering, options.level));
  io.out(writers[options.output](shown, options.clean === true));
  return exitCodeFor(options.strict === true && findings.length > 0);
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
