import { setTimeout } from 'node:timers/promises';
import { Option } from 'commander';
import { findString, printable, stringAt, type JsonObject } from '../json/index.ts';
import { label } from '../render/index.ts';
import {
  ApiClient,
  ApiError,
  ConfigError,
  ConnectionError,
  isForbidden,
  isNotFound,
  loadClusterConfig,
  Transport,
} from '../runtime/index.ts';
import { drawGraph, viewLiveGraph, type LiveGraphView } from '../status/index.ts';
import type { CommandDefinition, Io } from './command.ts';
import { exitCode, exitCodeFor, type ExitCode } from './exit-code.ts';

interface Options {
  readonly namespace?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly watch?: boolean;
  readonly output: 'text' | 'json';
}

const dynamo = 'nvidia.com/v1alpha1';
const graphKind = { apiVersion: dynamo, kind: 'DynamoGraphDeployment' };
const componentKind = { apiVersion: dynamo, kind: 'DynamoComponentDeployment' };
const podKind = { apiVersion: 'v1', kind: 'Pod' };
const eventKind = { apiVersion: 'v1', kind: 'Event' };
/** Milliseconds between two reads with `--watch`. */
const watchIntervalMs = 2000;
const keep = (object: JsonObject): JsonObject => object;

/** Reads all graphs of a namespace, or one of them, with the objects that their views show. */
async function readViews(client: ApiClient, namespace: string, name: string | undefined): Promise<readonly LiveGraphView[]> {
  const all = (kind: typeof graphKind, labelSelector?: string): Promise<readonly JsonObject[]> =>
    client.list(kind, { namespace, ...(labelSelector && { labelSelector }) }, keep).then(({ items }) => items);
  const graphs = name === undefined ? await all(graphKind) : [await client.get({ ...graphKind, namespace, name })];
  const selector = name === undefined ? label.graph : `${label.graph}=${name}`;
  const [components, pods, events] = await Promise.all([all(componentKind, selector), all(podKind, selector), all(eventKind)]);
  return graphs.map((graph) => {
    const isOfGraph = (object: JsonObject): boolean =>
      findString(object, 'metadata', 'labels', label.graph) === stringAt(graph, 'metadata', 'name');
    return viewLiveGraph({ graph, components: components.filter(isOfGraph), pods: pods.filter(isOfGraph), events });
  });
}

function print(views: readonly LiveGraphView[], { output }: Options, io: Io): void {
  if (output === 'json')
    io.out(`${JSON.stringify({ apiVersion: 'dynamo-cdk8s/v1', kind: 'GraphStatusList', items: views }, null, 2)}\n`);
  else io.out(views.map((view) => drawGraph(view, { colour: io.colour.out, now: Date.now() })).join('\n'));
}

/** The message for an error of the cluster or its configuration, with what to do; undefined for any other error. */
function explain(error: unknown, namespace: string, name: string | undefined): string | undefined {
  if (name !== undefined && isNotFound(error))
    return `no DynamoGraphDeployment ${name} in namespace ${printable(namespace)}; name another with -n`;
  if (error instanceof ApiError) return isForbidden(error) ? `${error.message}; ask for the verbs get and list` : error.message;
  if (error instanceof ConfigError) return error.message;
  if (error instanceof ConnectionError) return `${error.message}; check the kubeconfig and that the API server can be reached`;
  return undefined;
}

/** Whether a retry may succeed. */
function isTransient(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ApiError && (error.status >= 500 || error.status === 429));
}

async function run(name: string | undefined, options: Options, io: Io): Promise<ExitCode> {
  const { kubeconfig, context, watch = false } = options;
  let namespace = options.namespace ?? '';
  let transport: Transport | undefined;
  try {
    const config = await loadClusterConfig({ env: io.env, ...(kubeconfig && { kubeconfig }), ...(context && { context }) });
    namespace ||= config.namespace || 'default';
    transport = new Transport(config, { env: io.env, userAgent: 'dynamo-cdk8s' });
    await transport.check();
    const client = new ApiClient(transport, { retry: false });
    let shown = '';
    let lastWarning = '';
    for (; ; await setTimeout(watchIntervalMs)) {
      const views = await readViews(client, namespace, name).catch((error: unknown) => {
        // After a first result, wait for an API server that restarts; before it, an error is more likely a wrong configuration.
        if (shown === '' || !isTransient(error)) throw error;
        const message = explain(error, namespace, name) ?? '';
        if (message !== lastWarning) io.err(`warning: ${printable(message)}; trying again\n`);
        lastWarning = message;
        return undefined;
      });
      if (views === undefined) continue;
      lastWarning = '';
      const isReady = views.length > 0 && views.every((view) => view.isReady);
      const state = JSON.stringify(views);
      if (state !== shown && shown !== '' && options.output === 'text') io.out('\n');
      if (state !== shown) print(views, options, io);
      shown = state;
      if (views.length === 0) io.err(`no DynamoGraphDeployment in namespace ${printable(namespace)}; name another with -n\n`);
      if (!watch || views.length === 0 || isReady) return exitCodeFor(!isReady);
    }
  } catch (error) {
    const message = explain(error, namespace, name);
    if (message === undefined) throw error;
    io.err(`error: ${printable(message)}\n`);
    return name !== undefined && isNotFound(error) ? exitCode.wrongInput : exitCode.internalError;
  } finally {
    await transport?.close();
  }
}

/** `dynamo-cdk8s status`: shows live graphs as trees. */
export const status: CommandDefinition = {
  description:
    'Show live graphs: components, pods, GPUs, conditions, the progress of a restart, the last events, and why a pod is stuck. Exit 0 when every graph shown is ready, 1 when one is not, 2 when the cluster cannot be read.',
  examples: [
    { command: 'dynamo-cdk8s status -n llm', does: 'show all graphs of a namespace' },
    { command: 'dynamo-cdk8s status qwen -n llm --watch', does: 'follow one graph until it is ready' },
    { command: 'dynamo-cdk8s status qwen -n llm -o json | jq .items[0].components', does: 'print JSON for scripts' },
  ],
  define: (command, io, done) => {
    command
      .argument('[name]', 'graph to show (default: all graphs of the namespace)')
      .option('-n, --namespace <name>', 'namespace (default: that of the kubeconfig)')
      .option('--kubeconfig <path>', 'kubeconfig to use (default: KUBECONFIG, the service account of the pod, or ~/.kube/config)')
      .option('--context <name>', 'context of the kubeconfig (default: the current context)')
      .option('-w, --watch', 'show every change until all graphs are ready')
      .addOption(new Option('-o, --output <format>', 'output format').choices(['text', 'json']).default('text'))
      .action(async (name: string | undefined, options: Options) => done(await run(name, options, io)));
  },
};
