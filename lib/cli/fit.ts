import { InvalidArgumentError, Option } from 'commander';
import { judgeDocuments, locateFindings, orchestratorGroups, renderDocuments, sourceFinding } from '../check/index.ts';
import { isObject, printable, type JsonObject } from '../json/index.ts';
import {
  demandOf,
  fitGangs,
  formatBytes,
  gpusOf,
  hypotheticalNodes,
  totalsOf,
  viewNode,
  type ComponentTotals,
  type Fit,
  type GraphTotals,
  type NodeView,
} from '../fit/index.ts';
import type { Orchestrator } from '../lint/index.ts';
import type { CommandDefinition, Io } from './command.ts';
import { exitCode, exitCodeFor, type ExitCode } from './exit-code.ts';
import { addFilenameOption, readInputs } from './inputs.ts';
import { count, sortFindings, textLine } from './report/index.ts';

interface Options {
  readonly filename: readonly string[];
  readonly nodes: readonly string[];
  readonly gpusPerNode?: number;
  readonly namespace: string;
  readonly orchestrator?: Orchestrator;
  readonly output: 'text' | 'json';
}

/** The answer to whether graphs fit, with the sums it rests on. */
interface Answer {
  readonly totals: GraphTotals;
  readonly nodes: readonly NodeView[];
  readonly fit: Fit;
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => `${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')}\n`)
    .join('');
}

function line({ component, replicas, nodes, pods, gpusPerPod, gpus }: ComponentTotals): readonly string[] {
  return [printable(component), String(replicas), String(nodes), String(pods), String(gpusPerPod), String(gpus)];
}

/** The nodes of a cluster in words: how many, and what they offer together. */
function offer(nodes: readonly NodeView[]): string {
  const sum = (read: (node: NodeView) => number): number => nodes.reduce((total, node) => total + read(node), 0);
  // Imagined nodes offer their GPUs under every name that pods ask for, parts of GPUs among them.
  const gpus = sum((n) => (n.hypothetical === true ? (n.allocatable['nvidia.com/gpu'] ?? 0) : gpusOf(n.allocatable)));
  if (nodes.every((n) => n.hypothetical === true))
    return `${count(nodes.length, 'node')} with ${count(gpus, 'GPU')}, and enough of all else`;
  return `${count(nodes.length, 'node')} with ${count(gpus, 'GPU')}, ${sum((n) => n.allocatable['cpu'] ?? 0)} cores and ${formatBytes(sum((n) => n.allocatable['memory'] ?? 0))}`;
}

function asText({ totals, nodes, fit }: Answer): string {
  const head = ['component', 'replicas', 'nodes each', 'pods', 'GPUs each', 'GPUs'];
  const sum = ['total', '', '', String(totals.pods), '', String(totals.gpus)];
  const lines = [table([head, ...totals.components.map(line), sum]), `\ncluster: ${offer(nodes)}\n`];
  if (fit.fits) return `${lines.join('')}fits, if nothing else runs there\n`;
  lines.push('does not fit:\n');
  const groups = new Map<string, { readonly entry: Fit['missing'][number]; readonly number: number }>();
  for (const entry of fit.missing) groups.set(entry.component, { entry, number: (groups.get(entry.component)?.number ?? 0) + 1 });
  for (const { entry, number } of groups.values()) {
    const what = entry.pods > 1 ? `${count(number, 'replica')} of ${count(entry.pods, 'pod')} each` : count(number, 'pod');
    lines.push(`  ${printable(entry.component)}: no place for ${what}\n`);
    for (const { reason, nodes: hit } of entry.obstacles)
      lines.push(`    ${hit} of ${count(nodes.length, 'node')}: ${printable(reason)}\n`);
  }
  const gpus = fit.missing.reduce((sum, entry) => sum + entry.gpus, 0);
  if (gpus > 0) lines.push(`  without a place in all: ${count(gpus, 'GPU')}\n`);
  return lines.join('');
}

function asJson({ totals, nodes, fit }: Answer): string {
  return `${JSON.stringify({ fits: fit.fits, totals, nodes: nodes.map(({ name, allocatable }) => ({ name, allocatable })), placements: fit.placements, missing: fit.missing }, null, 2)}\n`;
}

function readCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('must be a whole number of 1 or more');
  return Number(text);
}

/** How many nodes are asked for, where `--nodes` is a number and not a file. */
function imagined({ nodes, gpusPerNode }: Options): number | undefined {
  const [only = '', ...more] = nodes;
  return gpusPerNode !== undefined && more.length === 0 && /^[1-9]\d{0,5}$/.test(only) ? Number(only) : undefined;
}

async function run(options: Options, io: Io): Promise<ExitCode> {
  const number = imagined(options);
  if (number === undefined && options.gpusPerNode !== undefined) {
    io.err(
      `--gpus-per-node: needs a number of nodes, as in --nodes 4 --gpus-per-node 8, got --nodes ${printable(options.nodes.join(' '))}\n`,
    );
    return exitCode.wrongInput;
  }
  const [inputs, nodeInputs] = [
    await readInputs(options.filename, io),
    number === undefined ? await readInputs(options.nodes, io) : { documents: [], issues: [], files: [] },
  ];
  const documents = renderDocuments(judgeDocuments(inputs.documents, options), options);
  const findings = [...[...inputs.issues, ...nodeInputs.issues].map(sourceFinding), ...locateFindings(documents)];
  for (const finding of sortFindings(findings, [...inputs.files, ...nodeInputs.files])) io.err(textLine(finding, io.colour.err));
  if (findings.some(({ severity }) => severity === 'error')) return exitCode.wrongInput;
  const gangs = documents.flatMap(({ rendering }) => demandOf(rendering?.objects ?? []));
  const asked = new Set(gangs.flatMap((gang) => gang.pods.flatMap((pod) => Object.keys(pod.requests))));
  const nodes =
    number === undefined
      ? nodeInputs.documents
          .map((document) => document.value)
          .filter((value): value is JsonObject => isObject(value) && value['kind'] === 'Node')
          .map(viewNode)
      : hypotheticalNodes(number, options.gpusPerNode ?? 0, asked);
  if (gangs.length === 0) io.err('nothing to place: no DynamoGraphDeployment or DynamoComponentDeployment with pods was given\n');
  if (nodes.length === 0)
    io.err('no Node in --nodes; write them with kubectl get nodes -o yaml, or give numbers: --nodes 4 --gpus-per-node 8\n');
  if (gangs.length === 0 || nodes.length === 0) return exitCode.wrongInput;
  const answer = { totals: totalsOf(gangs), nodes, fit: fitGangs(gangs, nodes) };
  io.out(options.output === 'json' ? asJson(answer) : asText(answer));
  return exitCodeFor(!answer.fit.fits);
}

/** `dynamo-cdk8s fit`: whether graphs fit on the nodes of a cluster. */
export const fit: CommandDefinition = {
  description:
    'Say whether graphs fit on the nodes of a cluster: GPUs, cores, memory, taints, node selectors and affinity, and pods that start together or not at all. Nodes are taken as empty. Exit 0 when everything fits, 1 when something does not.',
  examples: [
    { command: 'kubectl get nodes -o yaml > nodes.yaml', does: 'write the nodes of a cluster' },
    { command: 'dynamo-cdk8s fit -f graph.yaml --nodes nodes.yaml', does: 'see what each component needs and what is missing' },
    { command: 'dynamo-cdk8s fit -f graph.yaml --nodes 4 --gpus-per-node 8', does: 'ask for nodes that are not there yet' },
    { command: 'dynamo-cdk8s fit -f graphs/ --nodes nodes.yaml --orchestrator grove -o json', does: 'where each pod would go' },
  ],
  define: (command, io, done) => {
    const repeat = (value: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), value];
    addFilenameOption(command, 'graphs to place')
      .addOption(
        new Option(
          '--nodes <path>',
          'nodes of the cluster, as kubectl get nodes -o yaml writes them, or their number; may be repeated',
        )
          .argParser(repeat)
          .makeOptionMandatory(),
      )
      .addOption(
        new Option('--gpus-per-node <number>', 'GPUs of each node, where --nodes is a number of nodes').argParser(readCount),
      )
      .option('-n, --namespace <name>', 'namespace of objects that name none', 'default')
      .addOption(new Option('--orchestrator <name>', 'what starts pods that span nodes').choices(Object.keys(orchestratorGroups)))
      .addOption(new Option('-o, --output <format>', 'how to print the answer').choices(['text', 'json']).default('text'))
      .action(async (options: Options) => done(await run(options, io)));
  },
};
