import { findCount, findString, isObject, listAt, type JsonObject, valueAt } from '../../json/index.ts';
import { isShell } from '../command-line.ts';
import { findFlag, flagCount, type ComponentView } from '../component-view.ts';
import { engineConfig } from '../engine-config.ts';
import { quote, type Draft } from '../finding.ts';
import type { GraphView } from '../graph-view.ts';
import { engineParallelism, usesDeviceClaims } from '../parallelism.ts';
import { showValue } from '../../manifest/index.ts';
import type { Rule } from '../rule.ts';
import { frontend, graph, object, pathModel, tensorParallel, vllmModel, worker } from '../sample.ts';
import type { LintIndex } from '../lint-index.ts';

const sizeFlag = /^(?:--(?:tensor|pipeline|data|expert)-parallel-size|--(?:tp|pp|dp|ep)(?:-size)?|-(?:tp|pp|dp))$/;

/** Reports parallelism flags that are not a positive number; the engine exits at startup. */
function* invalidSizes(c: ComponentView): Iterable<Draft> {
  for (const { name, values } of c.engine === undefined ? [] : c.command.flags) {
    const argument = sizeFlag.test(name) ? values[0] : undefined;
    if (argument === undefined || argument.unresolved || /^[1-9]\d{0,8}$/.test(argument.value)) continue;
    yield {
      path: argument.path,
      problem: `${name} must be a whole number of 1 or more`,
      found: quote(argument.value),
      change: 'set it to a number of GPUs',
    };
  }
}

function* engineSize(c: ComponentView, graph: GraphView, lintIndex: LintIndex): Iterable<Draft> {
  yield* invalidSizes(c);
  const parallelism = engineParallelism(c, graph, lintIndex);
  if (parallelism === undefined || c.gpus === undefined || usesDeviceClaims(c)) return;
  const available = c.nodes * c.gpus;
  const needed = parallelism.gpus;
  if (available !== needed) {
    const factors = parallelism.factors.filter(([, n]) => n !== 1).map(([name, n]) => `${name} ${n}`);
    const perNode =
      needed % c.nodes === 0
        ? `set resources.limits.gpu to ${quote(showValue(needed / c.nodes))}`
        : needed < c.nodes
          ? `remove multinode${c.gpus === 0 ? `, set resources.limits.gpu to ${quote(showValue(needed))}` : ''}`
          : `choose a nodeCount that divides ${needed}`;
    const nodes = c.nodes === 1 ? '' : ` (${c.nodes} nodes x ${c.gpus})`;
    yield {
      path: [...c.path, 'resources', 'limits', 'gpu'],
      problem: `engine needs ${needed} GPU${needed === 1 ? '' : 's'}${factors.length === 0 ? '' : ` (${factors.join(' x ')})`}`,
      found: `${available}${nodes}`,
      change: `${perNode}, or change the parallelism flags`,
    };
  }
  const dp = c.engine === 'sglang' ? flagCount(c, 1, '--dp', '--dp-size', '--data-parallel-size') : 1;
  const tp = parallelism.factors[0]?.[1] ?? 1;
  if (dp !== undefined && dp > 1 && findFlag(c, '--enable-dp-attention') && (dp > tp || tp % dp !== 0))
    yield {
      path: findFlag(c, '--dp', '--dp-size', '--data-parallel-size')?.path ?? c.path,
      problem: 'with data parallel attention, --dp must divide --tp',
      found: `dp ${dp}, tp ${tp}`,
      change: `set --dp to ${tp} or a divisor of it`,
    };
}

/** The values that TRT-LLM reads both from a flag and from a key of its engine file. */
const flagsInFile: readonly (readonly [string, readonly string[]])[] = [
  ['--tensor-parallel-size', ['tensor_parallel_size']],
  ['--pipeline-parallel-size', ['pipeline_parallel_size']],
  ['--expert-parallel-size', ['moe_expert_parallel_size']],
  ['--max-batch-size', ['max_batch_size']],
  ['--max-num-tokens', ['max_num_tokens']],
  ['--max-seq-len', ['max_seq_len']],
  ['--free-gpu-memory-fraction', ['kv_cache_config', 'free_gpu_memory_fraction']],
  ['--kv-block-size', ['kv_cache_config', 'tokens_per_block']],
];

function* conflictingValues(c: ComponentView, graph: GraphView, lintIndex: LintIndex): Iterable<Draft> {
  const file = c.engine === 'trtllm' ? engineConfig(c, graph, lintIndex) : undefined;
  if (file?.state !== 'read') return;
  for (const [name, keys] of flagsInFile) {
    const flag = findFlag(c, name);
    const inFile = valueAt(file.config, ...keys);
    const value = flag?.values[0]?.unresolved === false ? flag.values[0].value : undefined;
    if (flag === undefined || value === undefined || typeof inFile !== 'number' || Number(value) === inFile) continue;
    yield {
      path: flag.path,
      problem: `${name} and ${keys.join('.')} in ConfigMap ${file.configMap} must be equal`,
      found: `${value} and ${inFile}`,
      change: 'remove one of them',
    };
  }
}

function* requestsOnly(c: ComponentView): Iterable<Draft> {
  const [request, limit] = [findString(c.spec, 'resources', 'requests', 'gpu'), findString(c.spec, 'resources', 'limits', 'gpu')];
  const path = [...c.path, 'resources', 'requests', 'gpu'];
  if (request === undefined || request === '' || request === '0') return;
  if ((limit === undefined || limit === '') && c.gpus === 0) {
    const edits = [{ op: 'set' as const, path: [...c.path, 'resources', 'limits', 'gpu'], value: request }];
    yield {
      path,
      problem: 'GPUs have a request without a limit, and the operator renders only the limit',
      found: `request ${request}`,
      change: `set resources.limits.gpu to ${quote(request)}`,
      fix: { description: `set resources.limits.gpu to ${quote(request)}`, edits },
    };
  } else if (limit !== undefined && limit !== '' && request !== limit)
    yield {
      path,
      problem: 'the GPU request must equal the limit, since only the limit is rendered',
      found: `request ${request}, limit ${limit}`,
      change: `set requests.gpu to ${quote(limit)}, or remove it`,
    };
}

function* checkMultinode(c: ComponentView, _graph: GraphView, lintIndex: LintIndex): Iterable<Draft> {
  if (!isObject(c.spec['multinode'])) return;
  const path = [...c.path, 'multinode'];
  if (['frontend', 'epp', 'planner'].includes(c.type))
    yield {
      path,
      problem: `a ${c.type} cannot span nodes`,
      found: `nodeCount ${c.nodes}`,
      change: 'remove multinode and raise replicas',
    };
  else if (c.nodes < 2)
    yield {
      path: [...path, 'nodeCount'],
      problem: 'nodeCount must be 2 or more',
      found: showValue(c.nodes),
      change: 'remove multinode to run on a single node',
    };
  else if (lintIndex.context.orchestrator === 'none')
    yield {
      path,
      problem: 'multinode needs Grove, or LWS with Volcano',
      found: 'neither',
      change: 'install one of them, or remove multinode',
    };
}

/** Short flags that the operator does not read, and their long form. */
const shortFlags: readonly (readonly [string, string])[] = [
  ['-tp', '--tensor-parallel-size'],
  ['-pp', '--pipeline-parallel-size'],
  ['-dp', '--data-parallel-size'],
];

/** Whether a shell interprets characters of an unquoted argument. */
function needsQuotes(value: string): boolean {
  return /[\s"'{}*?[\]$&|;<>()\\`]/.test(value);
}

/** Whether an argument is quoted already. The shell that runs the Ray head removes the quotes. */
function isQuoted(value: string): boolean {
  return /^'[^']*'$/.test(value.replaceAll("'\\''", ''));
}

function* checkLaunch(c: ComponentView): Iterable<Draft> {
  if (c.engine !== 'vllm' || c.nodes < 2 || c.gpus === undefined || c.gpus === 0) return;
  for (const [short, long] of shortFlags) {
    const flag = findFlag(c, short) ?? c.command.flags.find((f) => f.name === long && f.inline);
    if (flag)
      yield {
        path: flag.path,
        problem: `the operator does not read ${flag.inline ? `${flag.name}=value` : flag.name} when it configures multinode`,
        found: flag.values[0]?.value ?? 'no value',
        change: `write ${long} and its value as two items of args`,
      };
  }
  const sizeOf = (name: string): number => {
    const flag = c.command.flags.find((f) => f.name === name && !f.inline);
    return Number(/^\d+$/.exec(flag?.values[0]?.value ?? '')?.[0] ?? 1);
  };
  const worldSize = sizeOf('--tensor-parallel-size') * sizeOf('--pipeline-parallel-size');
  const ray = worldSize > c.gpus;
  const dataParallel = !ray && worldSize * sizeOf('--data-parallel-size') > c.gpus;
  if (ray && c.command.form === 'shell' && isShell(findString(c.container, 'command', 0) ?? '/bin/sh'))
    yield {
      path: [...c.containerPath, 'command'],
      problem: 'the operator prepends `ray start` to the unquoted command, so a shell command runs python without its arguments',
      found: 'a shell command',
      change: 'set command to python3 -m dynamo.vllm and put the flags in args',
    };
  else if ((ray || dataParallel) && c.command.form === 'exec') {
    const argument = listAt(c.container, 'args').findIndex(
      (a) => typeof a === 'string' && needsQuotes(a) && !(ray && isQuoted(a)),
    );
    if (argument >= 0)
      yield {
        path: [...c.containerPath, 'args', argument],
        problem: 'the operator joins the args of a multinode worker with spaces, without quotes, so a shell splits this one',
        found: quote(showValue(listAt(c.container, 'args')[argument])),
        change: ray
          ? 'move the value to a file or an environment variable'
          : 'write the command as one shell script with the value in quotes',
      };
  }
}

function* budget(graph: GraphView, lintIndex: LintIndex): Iterable<Draft> {
  const { gpusPerNode, gpuBudget } = lintIndex.context;
  for (const c of graph.components)
    if (gpusPerNode !== undefined && (c.gpus ?? 0) > gpusPerNode)
      yield {
        path: [...c.path, 'resources', 'limits', 'gpu'],
        problem: 'a pod needs more GPUs than a node has',
        found: `${c.gpus} of ${gpusPerNode}`,
        change: `set multinode.nodeCount to ${Math.ceil((c.gpus ?? 0) / gpusPerNode)} and divide limits.gpu by it`,
      };
  const total = graph.components.reduce((sum, c) => sum + c.replicas * c.nodes * (c.gpus ?? 0), 0);
  if (gpuBudget !== undefined && total > gpuBudget)
    yield {
      path: ['spec', 'services'],
      problem: 'graph needs more GPUs than the budget allows',
      found: `${total} of ${gpuBudget}`,
      change: 'lower replicas, or raise the budget',
    };
}

function* computeDomain(graph: GraphView, lintIndex: LintIndex): Iterable<Draft> {
  for (const domain of lintIndex.ofKind('ComputeDomain', graph.namespace)) {
    const template = findString(domain, 'spec', 'channel', 'resourceClaimTemplate', 'name');
    const users = graph.components.filter((c) =>
      listAt(c.spec, 'extraPodSpec', 'resourceClaims').some(
        (r) => template !== undefined && findString(r, 'resourceClaimTemplateName') === template,
      ),
    );
    const nodes = users.reduce((sum, c) => sum + c.replicas * c.nodes, 0);
    const numNodes = findCount(domain, 'spec', 'numNodes');
    // With numNodes 0, the domain contains the nodes that its pods are scheduled to.
    if (users.length > 0 && numNodes !== undefined && numNodes !== 0 && numNodes !== nodes)
      yield {
        path: users[0]?.path ?? [],
        problem: `numNodes of ComputeDomain ${findString(domain, 'metadata', 'name') ?? ''} must equal the number of its pods`,
        found: `numNodes ${numNodes}, pods ${nodes} (${users.map((c) => `${c.key} ${c.replicas * c.nodes}`).join(' + ')})`,
        change: `set its numNodes to ${nodes}`,
      };
  }
}

const claims = {
  extraPodSpec: { resourceClaims: [{ name: 'channel', resourceClaimTemplateName: 'domain-channel' }] },
  multinode: { nodeCount: 2 },
  resources: { limits: { gpu: '4' }, claims: [{ name: 'channel' }] },
};
const domain = (numNodes: number) =>
  object('resource.nvidia.com/v1beta1', 'ComputeDomain', 'domain', {
    spec: { numNodes, channel: { resourceClaimTemplate: { name: 'domain-channel' } } },
  });
const configMapOf = (fraction: number) =>
  object('v1', 'ConfigMap', 'engine', {
    data: { 'engine.yaml': `tensor_parallel_size: 1\nkv_cache_config:\n  free_gpu_memory_fraction: ${fraction}\n` },
  });
const workerWithFile = (): JsonObject =>
  worker(
    'trtllm',
    [...pathModel, '--extra-engine-args', '/config/engine.yaml', '--free-gpu-memory-fraction', '0.9'],
    { extraPodSpec: { volumes: [{ name: 'engine', configMap: { name: 'engine' } }] } },
    { volumeMounts: [{ name: 'engine', mountPath: '/config' }] },
  );
const twoNodes = { multinode: { nodeCount: 2 }, resources: { limits: { gpu: '4' } }, sharedMemory: { size: '80Gi' } };

/** Rules about GPUs and nodes. */
export const gpuRules: readonly Rule[] = [
  {
    id: 'DYN-GPU-001',
    severity: 'error',
    on: 'component',
    check: engineSize,
    title: 'GPUs of the pods that differ from the parallelism of the engine',
    why: 'An engine with tensor parallelism 8 does not start on 4 GPUs, and leaves 8 GPUs idle on 16.',
    allowed:
      'nodes x GPUs per node equal to tensor x pipeline x data parallelism (vLLM) or tensor x pipeline parallelism (SGLang, TRT-LLM). With data parallel attention in SGLang, --dp divides --tp. TRT-LLM takes the sizes from flags or the engine file.',
    fix: 'Change resources.limits.gpu, multinode.nodeCount or the parallelism flags so that both numbers are equal.',
    example: () => ({
      bad: [tensorParallel(4, '2')],
      good: [tensorParallel(4, '4', { sharedMemory: { size: '80Gi' } })],
    }),
  },
  {
    id: 'DYN-GPU-002',
    severity: 'error',
    on: 'component',
    check: conflictingValues,
    contextual: true,
    title: 'TRT-LLM value that differs between flag and engine file',
    why: 'TRT-LLM uses one of the two values and ignores the other without a message, so memory or batch size can differ from what you expect.',
    allowed: 'The value either as a flag or in the engine file, or the same value in both.',
    fix: 'Remove the flag, or the key in the engine file.',
    example: () => ({
      bad: [configMapOf(0.7), graph({ Frontend: frontend(), Worker: workerWithFile() })],
      good: [configMapOf(0.9), graph({ Frontend: frontend(), Worker: workerWithFile() })],
    }),
  },
  {
    id: 'DYN-GPU-003',
    severity: 'error',
    on: 'component',
    check: requestsOnly,
    covers: ['DYN-QUIRK-002'],
    title: 'GPU request without an equal limit',
    why: 'The operator renders only resources.limits.gpu. With a request alone, the worker can run on a node without GPUs and crash.',
    allowed: 'limits.gpu, with or without an equal requests.gpu.',
    fix: 'Set resources.limits.gpu. `--fix` copies the request.',
    example: () => ({
      bad: [graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel, { resources: { requests: { gpu: '1' } } }) })],
      good: [
        graph({
          Frontend: frontend(),
          Worker: worker('vllm', vllmModel, { resources: { requests: { gpu: '1' }, limits: { gpu: '1' } } }),
        }),
      ],
    }),
  },
  {
    id: 'DYN-GPU-004',
    severity: 'error',
    on: 'component',
    check: checkMultinode,
    contextual: true,
    covers: ['DYN-QUIRK-026'],
    title: 'multinode on an unsupported component or cluster',
    why: 'A frontend, endpoint picker or planner is a single process. The API server refuses a nodeCount below 2. Without Grove or LWS, the pods on the other nodes are not created.',
    allowed: 'multinode.nodeCount of 2 or more on workers, with Grove, or LWS and Volcano, installed.',
    fix: 'Remove multinode, or install an orchestrator.',
    example: () => ({
      bad: [graph({ Frontend: frontend({}, { multinode: { nodeCount: 2 } }), Worker: worker('vllm', vllmModel) })],
      good: [graph({ Frontend: frontend({}, { replicas: 2 }), Worker: worker('vllm', vllmModel) })],
    }),
  },
  {
    id: 'DYN-GPU-005',
    severity: 'error',
    on: 'component',
    check: checkLaunch,
    covers: ['DYN-QUIRK-008', 'DYN-QUIRK-024'],
    title: 'vLLM multinode command that the operator cannot rewrite',
    why: 'To launch vLLM on several nodes, the operator joins the arguments with spaces, without quotes. It reads parallelism flags only in the form `--tensor-parallel-size N`, as two items of args. It breaks a shell command with Ray and a JSON argument, and does not read a short flag or `--flag=value`.',
    allowed:
      'command python3 -m dynamo.vllm, with long flags and their values as separate items of args; a shell script for data parallelism with JSON arguments.',
    fix: 'Write the long flag and its value as two items of args. Replace a shell command with python3 -m dynamo.vllm if the worker uses Ray.',
    example: () => ({
      bad: [graph({ Frontend: frontend(), Worker: worker('vllm', [...vllmModel, '-tp', '8'], twoNodes) })],
      good: [graph({ Frontend: frontend(), Worker: worker('vllm', [...vllmModel, '--tensor-parallel-size', '8'], twoNodes) })],
    }),
  },
  {
    id: 'DYN-GPU-006',
    severity: 'warning',
    on: 'graph',
    check: budget,
    contextual: true,
    title: 'more GPUs than a node has or the budget allows',
    why: 'A pod that requests more GPUs than any node has stays pending forever.',
    allowed: 'limits.gpu up to the GPUs of a node; the GPUs of all pods up to the budget.',
    fix: 'Set multinode on the worker, or lower replicas.',
    example: () => ({
      context: { gpusPerNode: 8 },
      bad: [tensorParallel(16, '16')],
      good: [tensorParallel(8, '8', { sharedMemory: { size: '80Gi' } })],
    }),
  },
  {
    id: 'DYN-GPU-007',
    severity: 'error',
    on: 'graph',
    check: computeDomain,
    contextual: true,
    title: 'ComputeDomain whose numNodes differs from the number of its pods',
    why: 'The NVLink domain waits for exactly numNodes nodes. With a different number of pods, the pods that claim its channel never start.',
    allowed: 'numNodes equal to the sum of replicas x nodes over the components that claim the channel.',
    fix: 'Set spec.numNodes of the ComputeDomain to the sum.',
    example: () => ({
      bad: [domain(3), graph({ Frontend: frontend(), Worker: worker('sglang', [...pathModel, '--tp', '8'], claims) })],
      good: [domain(2), graph({ Frontend: frontend(), Worker: worker('sglang', [...pathModel, '--tp', '8'], claims) })],
    }),
  },
];
