import { Option } from 'commander';
import { judgeDocuments, locateFindings, renderDocuments, sourceFinding } from '../check/index.ts';
import { isObject, maximum, printable, type JsonObject } from '../json/index.ts';
import {
  demandOf,
  fitGangs,
  formatBytes,
  gpusOf,
  hypotheticalNodes,
  podCounts,
  totalsOf,
  viewNode,
  type ComponentTotals,
  type Fit,
  type GraphTotals,
  type NodeView,
} from '../fit/index.ts';
import type { Orchestrator } from '../lint/index.ts';
import { largestCluster } from '../render/index.ts';
import type { CommandDefinition, Io } from './command.ts';
import { exitCode, exitCodeFor, type ExitCode } from './exit-code.ts';
import { addNamespaceOption, orchestratorOption } from './graph-options.ts';
import { addFilenameOption, readInputs } from './inputs.ts';
import { parseCount, repeat } from './option-values.ts';
import { count, sortFindings, textLine } from './report/index.ts';

interface Options {
  readonly filename: readonly string[];
  readonly nodes: readonly string[];
  readonly gpusPerNode?: number;
  readonly namespace: string;
  readonly orchestrator?: Orchestrator;
  readonly output: 'text' | 'json';
}

/** Whether graphs fit, with the totals and the nodes that the result is computed from. */
interface FitReport {
  readonly totals: GraphTotals;
  readonly nodes: readonly NodeView[];
  readonly fit: Fit;
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => maximum(rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => `${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')}\n`)
    .join('');
}

function componentRow({ component, replicas, nodes, pods, gpusPerPod, gpus }: ComponentTotals): readonly string[] {
  return [printable(component), String(replicas), String(nodes), String(pods), String(gpusPerPod), String(gpus)];
}

/** The number of nodes and their total capacity, for people. */
function describeNodes(nodes: readonly NodeView[]): string {
  const sum = (read: (node: NodeView) => number): number => nodes.reduce((total, node) => total + read(node), 0);
  // A hypothetical node lists its GPUs under every GPU resource that pods request, so only one of them is counted.
  const gpus = sum((n) => (n.hypothetical === true ? (n.allocatable['nvidia.com/gpu'] ?? 0) : gpusOf(n.allocatable)));
  if (nodes.every((n) => n.hypothetical === true))
    return `${count(nodes.length, 'node')} with ${count(gpus, 'GPU')}, and enough of all other resources`;
  return `${count(nodes.length, 'node')} with ${count(gpus, 'GPU')}, ${sum((n) => n.allocatable['cpu'] ?? 0)} cores and ${formatBytes(sum((n) => n.allocatable['memory'] ?? 0))}`;
}

function formatText({ totals, nodes, fit }: FitReport): string {
  const head = ['component', 'replicas', 'nodes each', 'pods', 'GPUs each', 'GPUs'];
  const sum = ['total', '', '', String(totals.pods), '', String(totals.gpus)];
  const lines = [table([head, ...totals.components.map(componentRow), sum]), `\ncluster: ${describeNodes(nodes)}\n`];
  if (fit.fits) return `${lines.join('')}fits, if nothing else runs there\n`;
  lines.push('does not fit:\n');
  const groups = new Map<string, { readonly entry: Fit['missing'][number]; readonly number: number }>();
  for (const entry of fit.missing) groups.set(entry.component, { entry, number: (groups.get(entry.component)?.number ?? 0) + 1 });
  for (const { entry, number } of groups.values()) {
    const what = entry.pods > 1 ? `${count(number, 'replica')} of ${count(entry.pods, 'pod')} each` : count(number, 'pod');
    lines.push(`  ${printable(entry.component)}: no room for ${what}\n`);
    for (const { reason, nodes: rejecting } of entry.obstacles)
      lines.push(`    ${rejecting} of ${count(nodes.length, 'node')}: ${printable(reason)}\n`);
  }
  const gpus = fit.missing.reduce((sum, entry) => sum + entry.gpus, 0);
  if (gpus > 0) lines.push(`  not placed in total: ${count(gpus, 'GPU')}\n`);
  return lines.join('');
}

function formatJson({ totals, nodes, fit }: FitReport): string {
  return `${JSON.stringify({ fits: fit.fits, totals, nodes: nodes.map(({ name, allocatable }) => ({ name, allocatable })), placements: fit.placements, missing: fit.missing }, null, 2)}\n`;
}

/** The number of hypothetical nodes; undefined if `--nodes` names files. */
function hypotheticalNodeCount({ nodes, gpusPerNode }: Options): number | undefined {
  const [only = '', ...more] = nodes;
  return gpusPerNode !== undefined && more.length === 0 && /^[1-9]\d{0,5}$/.test(only) ? Number(only) : undefined;
}

/** Why pods are not placed: more than any cluster runs would take hours. Undefined if there are fewer. */
function excessPods(counts: ReadonlyMap<string, number>): string | undefined {
  const byCount = [...counts].toSorted(([, a], [, b]) => b - a);
  const pods = byCount.reduce((sum, [, number]) => sum + number, 0);
  const [largest] = byCount;
  if (pods <= largestCluster.pods || largest === undefined) return undefined;
  const [component, number] = largest;
  return `${pods} pods are more than the ${largestCluster.pods} that Kubernetes supports in one cluster; lower replicas or multinode.nodeCount, most of all of ${printable(component)} with ${count(number, 'pod')}\n`;
}

/** What is wrong with a number of nodes, or with the GPUs of nodes that have no number. */
function nodeCountProblem(options: Options): string | undefined {
  if (hypotheticalNodeCount(options) !== undefined) return undefined;
  const { nodes, gpusPerNode } = options;
  const number = nodes.find((name) => /^[-+]?\d+$/.test(name));
  const example = 'as in --nodes 4 --gpus-per-node 8';
  if (gpusPerNode !== undefined)
    return `--gpus-per-node: needs one number of nodes from 1 to 999999, ${example}, got --nodes ${printable(nodes.join(' '))}\n`;
  return number === undefined
    ? undefined
    : `--nodes: a number of nodes needs --gpus-per-node, ${example}, got --nodes ${number}; name a file of that name ./${number}\n`;
}

async function run(options: Options, io: Io): Promise<ExitCode> {
  const nodeCount = hypotheticalNodeCount(options);
  const problem = nodeCountProblem(options);
  if (problem !== undefined) {
    io.err(problem);
    return exitCode.wrongInput;
  }
  const [inputs, nodeInputs] = [
    await readInputs(options.filename, io),
    nodeCount === undefined ? await readInputs(options.nodes, io) : { documents: [], issues: [], files: [] },
  ];
  const documents = renderDocuments(judgeDocuments(inputs.documents, options), options);
  const findings = [...[...inputs.issues, ...nodeInputs.issues].map(sourceFinding), ...locateFindings(documents)];
  for (const finding of sortFindings(findings, [...inputs.files, ...nodeInputs.files])) io.err(textLine(finding, io.colour.err));
  if (findings.some(({ severity }) => severity === 'error')) return exitCode.wrongInput;
  const counts = podCounts(documents.flatMap(({ rendering }) => rendering?.objects ?? []));
  const excess = excessPods(counts);
  if (excess !== undefined) {
    io.err(excess);
    return exitCode.wrongInput;
  }
  const gangs = documents.flatMap(({ rendering }) => demandOf(rendering?.objects ?? []));
  const requested = new Set(gangs.flatMap((gang) => gang.pods.flatMap((pod) => Object.keys(pod.requests))));
  const nodes =
    nodeCount === undefined
      ? nodeInputs.documents
          .map((document) => document.value)
          .filter((value): value is JsonObject => isObject(value) && value['kind'] === 'Node')
          .map(viewNode)
      : hypotheticalNodes(nodeCount, options.gpusPerNode ?? 0, requested);
  if (gangs.length === 0) io.err('nothing to place: no DynamoGraphDeployment or DynamoComponentDeployment with pods was given\n');
  if (nodes.length === 0)
    io.err('no Node in --nodes; pass the output of kubectl get nodes -o yaml, or a number as in --nodes 4 --gpus-per-node 8\n');
  if (gangs.length === 0 || nodes.length === 0) return exitCode.wrongInput;
  const report = { totals: totalsOf(gangs), nodes, fit: fitGangs(gangs, nodes) };
  io.out(options.output === 'json' ? formatJson(report) : formatText(report));
  return exitCodeFor(!report.fit.fits);
}

/** `dynamo-cdk8s fit`: checks whether graphs fit on the nodes of a cluster. */
export const fit: CommandDefinition = {
  description:
    'Check whether graphs fit on the nodes of a cluster: GPUs, cores, memory, taints, node selectors, affinity, and gangs of pods that start together or not at all. Nodes are assumed to be empty. Exit 0 when everything fits, 1 when something does not.',
  examples: [
    { command: 'kubectl get nodes -o yaml > nodes.yaml', does: 'save the nodes of a cluster' },
    { command: 'dynamo-cdk8s fit -f graph.yaml --nodes nodes.yaml', does: 'show what each component needs and what is missing' },
    { command: 'dynamo-cdk8s fit -f graph.yaml --nodes 4 --gpus-per-node 8', does: 'check against nodes that do not exist yet' },
    {
      command: 'dynamo-cdk8s fit -f graphs/ --nodes nodes.yaml --orchestrator grove -o json',
      does: 'print the node of each pod',
    },
  ],
  define: (command, io, done) => {
    addNamespaceOption(addFilenameOption(command, 'graphs to place'))
      .addOption(
        new Option(
          '--nodes <path>',
          'nodes of the cluster, as kubectl get nodes -o yaml prints them, or their number; may be repeated',
        )
          .argParser(repeat)
          .makeOptionMandatory(),
      )
      .addOption(new Option('--gpus-per-node <number>', 'GPUs of each node, if --nodes is a number').argParser(parseCount))
      .addOption(orchestratorOption())
      .addOption(new Option('-o, --output <format>', 'output format').choices(['text', 'json']).default('text'))
      .action(async (options: Options) => done(await run(options, io)));
  },
};
