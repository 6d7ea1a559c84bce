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

/** Parallelism that is no number of GPUs, which the engine refuses at its start. */
function* wrongSizes(c: ComponentView): Iterable<Draft> {
  for (const { name, values } of c.engine === undefined ? [] : c.command.flags) {
    const word = sizeFlag.test(name) ? values[0] : undefined;
    if (word === undefined || word.unresolved || /^[1-9]\d{0,8}$/.test(word.text)) continue;
    yield {
      path: word.path,
      problem: `${name} must be a whole number of 1 or more`,
      found: quote(word.text),
      change: 'write how many GPUs it spreads over',
    };
  }
}

function* engineSize(c: ComponentView, graph: GraphView, around: LintIndex): Iterable<Draft> {
  yield* wrongSizes(c);
  const wanted = engineParallelism(c, graph, around);
  if (wanted === undefined || c.gpus === undefined || usesDeviceClaims(c)) return;
  const has = c.nodes * c.gpus;
  if (has !== wanted.gpus) {
    const asked = wanted.factors.filter(([, n]) => n !== 1).map(([name, n]) => `${name} ${n}`);
    const perNode =
      wanted.gpus % c.nodes === 0
        ? `set resources.limits.gpu to ${quote(showValue(wanted.gpus / c.nodes))}`
        : wanted.gpus < c.nodes
          ? `remove multinode${c.gpus === 0 ? `, set resources.limits.gpu to ${quote(showValue(wanted.gpus))}` : ''}`
          : `choose a nodeCount that divides ${wanted.gpus}`;
    const nodes = c.nodes === 1 ? '' : ` (${c.nodes} nodes x ${c.gpus})`;
    yield {
      path: [...c.path, 'resources', 'limits', 'gpu'],
      problem: `engine needs ${wanted.gpus} GPU${wanted.gpus === 1 ? '' : 's'}${asked.length === 0 ? '' : ` (${asked.join(' x ')})`}`,
      found: `${has}${nodes}`,
      change: `${perNode} or change the parallelism flags`,
    };
  }
  const dp = c.engine === 'sglang' ? flagCount(c, 1, '--dp', '--dp-size', '--data-parallel-size') : 1;
  const tp = wanted.factors[0]?.[1] ?? 1;
  if (dp !== undefined && dp > 1 && findFlag(c, '--enable-dp-attention') && (dp > tp || tp % dp !== 0))
    yield {
      path: findFlag(c, '--dp', '--dp-size', '--data-parallel-size')?.path ?? c.path,
      problem: 'data parallel attention needs a --dp that divides --tp',
      found: `dp ${dp}, tp ${tp}`,
      change: `set --dp to ${tp} or a divisor of it`,
    };
}

/** What TRT-LLM takes both as a flag and in its engine file. */
const twice: readonly (readonly [string, readonly string[]])[] = [
  ['--tensor-parallel-size', ['tensor_parallel_size']],
  ['--pipeline-parallel-size', ['pipeline_parallel_size']],
  ['--expert-parallel-size', ['moe_expert_parallel_size']],
  ['--max-batch-size', ['max_batch_size']],
  ['--max-num-tokens', ['max_num_tokens']],
  ['--max-seq-len', ['max_seq_len']],
  ['--free-gpu-memory-fraction', ['kv_cache_config', 'free_gpu_memory_fraction']],
  ['--kv-block-size', ['kv_cache_config', 'tokens_per_block']],
];

function* statedTwice(c: ComponentView, graph: GraphView, around: LintIndex): Iterable<Draft> {
  const file = c.engine === 'trtllm' ? engineConfig(c, graph, around) : undefined;
  if (file?.state !== 'read') return;
  for (const [name, keys] of twice) {
    const flag = findFlag(c, name);
    const inFile = valueAt(file.config, ...keys);
    const text = flag?.values[0]?.unresolved === false ? flag.values[0].text : undefined;
    if (flag === undefined || text === undefined || typeof inFile !== 'number' || Number(text) === inFile) continue;
    yield {
      path: flag.path,
      problem: `${name} and ${keys.join('.')} of ConfigMap ${file.configMap} must be the same`,
      found: `${text} and ${inFile}`,
      change: 'state the value in one place',
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
      problem: 'GPUs are requested without a limit, and the operator renders only the limit',
      found: `${request} requested`,
      change: `set resources.limits.gpu to ${quote(request)}`,
      fix: { description: `set resources.limits.gpu to ${quote(request)}`, edits },
    };
  } else if (limit !== undefined && limit !== '' && request !== limit)
    yield {
      path,
      problem: 'requested GPUs must equal the limit, only the limit is rendered',
      found: `${request} requested, limit ${limit}`,
      change: `set requests.gpu to ${quote(limit)} or leave it out`,
    };
}

function* multinodeWhere(c: ComponentView, _graph: GraphView, around: LintIndex): Iterable<Draft> {
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
      change: 'remove multinode for a single node',
    };
  else if (around.context.orchestrator === 'none')
    yield {
      path,
      problem: 'multinode needs Grove, or LWS with Volcano',
      found: 'neither',
      change: 'install one of them, or remove multinode',
    };
}

const hidden: readonly (readonly [string, string])[] = [
  ['-tp', '--tensor-parallel-size'],
  ['-pp', '--pipeline-parallel-size'],
  ['-dp', '--data-parallel-size'],
];

/** Whether a word changes when a shell reads it without quotes. */
function needsQuotes(text: string): boolean {
  return /[\s"'{}*?[\]$&|;<>()\\`]/.test(text);
}

/** Whether a word is in quotes already, so that the shell which runs Ray's head takes them off. */
function isQuoted(text: string): boolean {
  return /^'[^']*'$/.test(text.replaceAll("'\\''", ''));
}

function* launch(c: ComponentView): Iterable<Draft> {
  if (c.engine !== 'vllm' || c.nodes < 2 || c.gpus === undefined || c.gpus === 0) return;
  for (const [short, long] of hidden) {
    const flag = findFlag(c, short) ?? c.command.flags.find((f) => f.name === long && f.inline);
    if (flag)
      yield {
        path: flag.path,
        problem: `the operator does not see ${flag.inline ? `${flag.name}=value` : flag.name} when it plans the nodes`,
        found: flag.values[0]?.text ?? 'no value',
        change: `write ${long} and its value as two words`,
      };
  }
  const seen = (name: string): number => {
    const flag = c.command.flags.find((f) => f.name === name && !f.inline);
    return Number(/^\d+$/.exec(flag?.values[0]?.text ?? '')?.[0] ?? 1);
  };
  const world = seen('--tensor-parallel-size') * seen('--pipeline-parallel-size');
  const ray = world > c.gpus;
  const dataParallel = !ray && world * seen('--data-parallel-size') > c.gpus;
  if (ray && c.command.form === 'shell' && isShell(findString(c.container, 'command', 0) ?? '/bin/sh'))
    yield {
      path: [...c.containerPath, 'command'],
      problem:
        'the operator puts `ray start` before the command without quotes, so a shell wrapper runs python without its arguments',
      found: 'a shell wrapper',
      change: 'set command to python3 -m dynamo.vllm and the flags in args',
    };
  else if ((ray || dataParallel) && c.command.form === 'exec') {
    const word = listAt(c.container, 'args').findIndex((a) => typeof a === 'string' && needsQuotes(a) && !(ray && isQuoted(a)));
    if (word >= 0)
      yield {
        path: [...c.containerPath, 'args', word],
        problem: 'the operator joins args with blanks and no quotes for multinode, so a shell splits this one',
        found: quote(showValue(listAt(c.container, 'args')[word])),
        change: ray
          ? 'move the value to a file or an environment variable'
          : 'write the command as one shell script with the value in quotes',
      };
  }
}

function* budget(graph: GraphView, around: LintIndex): Iterable<Draft> {
  const { gpusPerNode, gpuBudget } = around.context;
  for (const c of graph.components)
    if (gpusPerNode !== undefined && (c.gpus ?? 0) > gpusPerNode)
      yield {
        path: [...c.path, 'resources', 'limits', 'gpu'],
        problem: `one pod needs more GPUs than a node has`,
        found: `${c.gpus} of ${gpusPerNode}`,
        change: `set multinode.nodeCount to ${Math.ceil((c.gpus ?? 0) / gpusPerNode)} and divide limits.gpu by it`,
      };
  const total = graph.components.reduce((sum, c) => sum + c.replicas * c.nodes * (c.gpus ?? 0), 0);
  if (gpuBudget !== undefined && total > gpuBudget)
    yield {
      path: ['spec', 'services'],
      problem: 'graph needs more GPUs than the budget',
      found: `${total} of ${gpuBudget}`,
      change: 'lower replicas or raise the budget',
    };
}

function* computeDomain(graph: GraphView, around: LintIndex): Iterable<Draft> {
  for (const domain of around.ofKind('ComputeDomain', graph.namespace)) {
    const template = findString(domain, 'spec', 'channel', 'resourceClaimTemplate', 'name');
    const users = graph.components.filter((c) =>
      listAt(c.spec, 'extraPodSpec', 'resourceClaims').some(
        (r) => template !== undefined && findString(r, 'resourceClaimTemplateName') === template,
      ),
    );
    const nodes = users.reduce((sum, c) => sum + c.replicas * c.nodes, 0);
    const said = findCount(domain, 'spec', 'numNodes');
    // A domain of 0 nodes takes on whatever nodes its pods land on.
    if (users.length > 0 && said !== undefined && said !== 0 && said !== nodes)
      yield {
        path: users[0]?.path ?? [],
        problem: `ComputeDomain ${findString(domain, 'metadata', 'name') ?? ''} must have as many nodes as its pods`,
        found: `numNodes ${said}, pods ${nodes} (${users.map((c) => `${c.key} ${c.replicas * c.nodes}`).join(' + ')})`,
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
const withFile = (): JsonObject =>
  worker(
    'trtllm',
    [...pathModel, '--extra-engine-args', '/config/engine.yaml', '--free-gpu-memory-fraction', '0.9'],
    { extraPodSpec: { volumes: [{ name: 'engine', configMap: { name: 'engine' } }] } },
    { volumeMounts: [{ name: 'engine', mountPath: '/config' }] },
  );
const eight = { multinode: { nodeCount: 2 }, resources: { limits: { gpu: '4' } }, sharedMemory: { size: '80Gi' } };

/** Rules about GPUs and nodes. */
export const gpuRules: readonly Rule[] = [
  {
    id: 'DYN-GPU-001',
    severity: 'error',
    on: 'component',
    check: engineSize,
    title: 'GPUs of the pods differ from what the engine spreads over',
    why: 'An engine with tensor parallel 8 on 4 GPUs does not start; with 16 it leaves 8 GPUs reserved and idle.',
    allowed:
      'nodes x GPUs per node = tensor x pipeline x data parallel (vLLM), tensor x pipeline (SGLang, where --dp divides --tp with data parallel attention; TRT-LLM, flags or engine file).',
    fix: 'Set resources.limits.gpu, multinode.nodeCount or the parallelism flags so that both are equal.',
    example: () => ({
      bad: [tensorParallel(4, '2')],
      good: [tensorParallel(4, '4', { sharedMemory: { size: '80Gi' } })],
    }),
  },
  {
    id: 'DYN-GPU-002',
    severity: 'error',
    on: 'component',
    check: statedTwice,
    contextual: true,
    title: 'TRT-LLM value stated as a flag and differently in the engine file',
    why: 'One of the two wins silently, and the reader of the other is misled about memory or batch size.',
    allowed: 'The value in one place, or the same in both.',
    fix: 'Remove the flag or the line of the engine file.',
    example: () => ({
      bad: [configMapOf(0.7), graph({ Frontend: frontend(), Worker: withFile() })],
      good: [configMapOf(0.9), graph({ Frontend: frontend(), Worker: withFile() })],
    }),
  },
  {
    id: 'DYN-GPU-003',
    severity: 'error',
    on: 'component',
    check: requestsOnly,
    covers: ['DYN-QUIRK-002'],
    title: 'GPU requested without a limit',
    why: 'Only resources.limits.gpu reaches the pod: with a request alone the worker runs on a node without GPU and crashes.',
    allowed: 'limits.gpu, with or without an equal requests.gpu.',
    fix: 'Set resources.limits.gpu; `--fix` copies the request.',
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
    check: multinodeWhere,
    contextual: true,
    covers: ['DYN-QUIRK-026'],
    title: 'multinode where it cannot be',
    why: 'Frontends, pickers and planners are one process each; a node count below 2 is refused; without Grove or LWS nobody starts the pods of the other nodes.',
    allowed: 'multinode.nodeCount of 2 or more on workers, with Grove or LWS and Volcano installed.',
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
    check: launch,
    covers: ['DYN-QUIRK-008', 'DYN-QUIRK-024'],
    title: 'vLLM multinode command the operator cannot rewrite',
    why: 'The operator adds the launch of the other nodes by joining words with blanks, unquoted, and reads only `--tensor-parallel-size N` and its like as two words. A shell wrapper with Ray, a short flag, `--flag=value` or a JSON argument comes out broken.',
    allowed:
      'command python3 -m dynamo.vllm with long flags and values as separate words; for data parallel with JSON arguments a shell script.',
    fix: 'Write the long flag and its value as two args; take the shell wrapper off where Ray is used.',
    example: () => ({
      bad: [graph({ Frontend: frontend(), Worker: worker('vllm', [...vllmModel, '-tp', '8'], eight) })],
      good: [graph({ Frontend: frontend(), Worker: worker('vllm', [...vllmModel, '--tensor-parallel-size', '8'], eight) })],
    }),
  },
  {
    id: 'DYN-GPU-006',
    severity: 'warning',
    on: 'graph',
    check: budget,
    contextual: true,
    title: 'more GPUs than a node or the budget has',
    why: 'A pod that asks for more GPUs than any node has stays pending for ever.',
    allowed: 'limits.gpu up to the GPUs of a node; all pods together up to the budget.',
    fix: 'Spread the worker with multinode, or lower replicas.',
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
    title: 'ComputeDomain with another number of nodes than its pods',
    why: 'The NVLink domain waits for exactly numNodes nodes; with another number the pods that claim its channel never start.',
    allowed: 'numNodes = replicas x nodes, summed over the components that claim the channel.',
    fix: 'Set spec.numNodes of the ComputeDomain to the sum.',
    example: () => ({
      bad: [domain(3), graph({ Frontend: frontend(), Worker: worker('sglang', [...pathModel, '--tp', '8'], claims) })],
      good: [domain(2), graph({ Frontend: frontend(), Worker: worker('sglang', [...pathModel, '--tp', '8'], claims) })],
    }),
  },
];
