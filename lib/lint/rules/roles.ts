import { isObject, type JsonObject, parseJsonObject } from '../../json/index.ts';
import { type ComponentView, findFlag, flagValue, type WorkerRole, roleOf, servedModel } from '../component-view.ts';
import { engineConfig } from '../engine-config.ts';
import { quote, type Draft, type Fix } from '../finding.ts';
import { engineWorkers, isRouted, type GraphView } from '../graph-view.ts';
import { showValue } from '../../manifest/index.ts';
import { nearestName } from '../../api/index.ts';
import type { Rule } from '../rule.ts';
import { decode, frontend, graph, object, pathModel, prefill, vllmModel, worker } from '../sample.ts';
import type { LintIndex } from '../lint-index.ts';

/** Whether the flag and the type of a worker declare different roles. */
function contradicts({ flagRole, declaredRole }: ComponentView): boolean {
  return flagRole !== undefined && declaredRole !== undefined && flagRole !== declaredRole;
}

/** Whether `--is-decode-worker` is the only sign of a decode worker. It stops vLLM from publishing KV events, so aggregated workers use it too. */
function mayBeAggregated(c: ComponentView): boolean {
  return findFlag(c, '--is-decode-worker') !== undefined && c.declaredRole !== 'decode';
}

function* missingCounterpart(graph: GraphView, lintIndex: LintIndex): Iterable<Draft> {
  if (isRouted(graph)) return;
  const workers = engineWorkers(graph);
  // DYN-ROLE-002 reports a worker whose flag and type contradict each other. It may be the missing counterpart.
  if (workers.some(contradicts)) return;
  const prefills = workers.filter((c) => roleOf(c) === 'prefill');
  const rest = workers.filter((c) => roleOf(c) !== 'prefill');
  const unpaired: readonly (readonly [readonly ComponentView[], WorkerRole])[] = [
    [rest.length === 0 ? prefills : [], 'decode'],
    [prefills.length === 0 ? rest.filter((c) => c.flagRole === 'decode' && !mayBeAggregated(c)) : [], 'prefill'],
  ];
  const isElsewhere = (role: WorkerRole): boolean =>
    lintIndex.graphs.some(
      (g) => g.resource !== graph.resource && engineWorkers(g).some((c) => (roleOf(c) === 'prefill') === (role === 'prefill')),
    );
  for (const [components, missing] of unpaired) {
    if (components.length === 0 || isElsewhere(missing)) continue;
    for (const c of components)
      yield {
        path: c.path,
        problem: `a ${roleOf(c) ?? 'decode'} worker needs a ${missing} worker`,
        found: 'none in this graph or in another graph of the same files',
        change: `add a ${missing} worker, or remove the role flag`,
      };
  }
}

function roleFix(c: ComponentView, role: WorkerRole): Fix {
  return {
    description: `set subComponentType to ${role}`,
    edits: [{ op: 'set', path: [...c.path, 'subComponentType'], value: role }],
  };
}

function misspeltRole(c: ComponentView): Draft {
  const role = nearestName(c.subType, ['prefill', 'decode']) === 'prefill' ? 'prefill' : 'decode';
  return {
    path: [...c.path, 'subComponentType'],
    problem: 'subComponentType is not a role, so planner and profiler do not find the worker',
    found: quote(c.subType),
    allowed: 'prefill, decode',
    change: `did you mean ${role}`,
    ...(c.flagRole === undefined || c.flagRole === role ? { fix: roleFix(c, role) } : {}),
  };
}

/** Reports a flag and a type of different roles. The name of the worker decides which of them is likely wrong. */
function contradiction(c: ComponentView): Draft {
  const flag = c.flagRole ?? 'decode';
  const declared = c.declaredRole ?? 'decode';
  const named = /prefill/i.test(c.key) ? 'prefill' : /decode/i.test(c.key) ? 'decode' : undefined;
  const roleFlag = findFlag(c, '--is-prefill-worker', '--is-decode-worker', '--disaggregation-mode');
  const matchingFlag =
    roleFlag?.name === '--disaggregation-mode' ? `--disaggregation-mode ${declared}` : `--is-${declared}-worker`;
  const type = c.subType === declared ? 'subComponentType' : 'componentType';
  return {
    path: named === flag ? [...c.path, type] : (roleFlag?.path ?? c.path),
    problem: `the flags declare the role ${flag}, but ${type} declares ${declared}`,
    change: named === flag ? `set ${type} to ${flag}` : `use ${matchingFlag}`,
  };
}

function* roleSources(graph: GraphView): Iterable<Draft> {
  const workers = engineWorkers(graph);
  const prefillEngines = new Set(workers.filter((c) => c.flagRole === 'prefill').map((c) => c.engine));
  for (const c of workers) {
    const declared = c.declaredRole;
    if (c.subType !== '' && declared === undefined && nearestName(c.subType, ['prefill', 'decode']) !== undefined) {
      yield misspeltRole(c);
      continue;
    }
    if (contradicts(c)) {
      yield contradiction(c);
      continue;
    }
    if (c.flagRole !== undefined && declared === undefined && !(mayBeAggregated(c) && prefillEngines.size === 0))
      yield {
        path: c.path,
        problem: `the flags declare the role ${c.flagRole}, but subComponentType, which planner and profiler read, is not set`,
        change: `set subComponentType to ${c.flagRole}`,
        ...(c.type === 'worker' ? { fix: roleFix(c, c.flagRole) } : {}),
      };
    if (c.flagRole !== undefined) continue;
    const flag = c.engine === 'vllm' || c.engine === 'mocker' ? '--is-decode-worker' : '--disaggregation-mode decode';
    if (declared === 'prefill')
      yield {
        path: c.path,
        problem: 'the type declares the role prefill, but without a role flag the engine does both prefill and decode',
        change: `add ${flag.replace('decode', 'prefill')}, or declare no role in the type`,
      };
    else if (prefillEngines.has(c.engine))
      yield { path: c.path, problem: 'decode worker of a disaggregated graph has no role flag', change: `add ${flag}` };
  }
}

/** The settings that must be equal on prefill and decode workers. */
const sharedSettings: readonly { readonly name: string; readonly read: (c: ComponentView) => string | undefined }[] = [
  { name: 'served model', read: servedModel },
  { name: 'KV block size', read: (c) => flagValue(c, '--block-size', '--page-size', '--kv-block-size') },
  { name: 'bootstrap port', read: (c) => (c.engine === 'sglang' ? flagValue(c, '--disaggregation-bootstrap-port') : undefined) },
  {
    name: 'transfer backend',
    read: (c) => (c.engine === 'sglang' ? flagValue(c, '--disaggregation-transfer-backend') : undefined),
  },
];

function connector(c: ComponentView): readonly string[] | undefined {
  if (c.engine !== 'vllm' || findFlag(c, '--kv-transfer-config')) return undefined;
  return findFlag(c, '--connector')?.values.map((w) => w.value) ?? ['nixl'];
}

function* disagreements(graph: GraphView): Iterable<Draft> {
  const workers = engineWorkers(graph);
  const [first] = workers.filter((c) => roleOf(c) === 'prefill');
  if (first === undefined) return;
  for (const other of workers.filter((c) => roleOf(c) !== 'prefill' && c.engine === first.engine)) {
    for (const { name, read } of sharedSettings) {
      const [a, b] = [read(first), read(other)];
      if (a !== undefined && b !== undefined && a !== b)
        yield {
          path: other.path,
          problem: `prefill and decode workers must have the same ${name}`,
          found: `${quote(b)} here and ${quote(a)} on ${first.key}`,
          change: 'use the same value on both',
        };
    }
  }
  for (const c of workers.filter((w) => w.engine === first.engine)) {
    const names = connector(c);
    if (names === undefined || names.includes('nixl')) continue;
    const none = names.includes('none') || names.includes('null');
    yield {
      path: findFlag(c, '--connector')?.path ?? c.path,
      problem: 'prefill and decode workers exchange KV blocks through nixl',
      found: `--connector ${names.join(' ')}`,
      change: none ? 'use nixl on both' : `add nixl: --connector ${names.join(' ')} nixl`,
    };
  }
}

/** The configuration of TensorRT-LLM: its engine file, overridden by flags; undefined when the file is unknown. */
function trtllmSettings(c: ComponentView, graph: GraphView, lintIndex: LintIndex): JsonObject | undefined {
  const file = engineConfig(c, graph, lintIndex);
  const override = findFlag(c, '--override-engine-args');
  const overrides = override === undefined ? {} : parseJsonObject(override.values[0]?.value ?? '');
  if (file.state === 'elsewhere' || file.state === 'missing' || overrides === undefined) return undefined;
  const dotted = c.command.flags.filter((f) => f.name.startsWith('--trtllm.')).map((f) => f.name.split('.')[1] ?? '');
  return { ...Object.fromEntries(dotted.map((key) => [key, {}])), ...(file.state === 'read' ? file.config : {}), ...overrides };
}

function* transceiver(c: ComponentView, graph: GraphView, lintIndex: LintIndex): Iterable<Draft> {
  if (c.engine !== 'trtllm' || c.flagRole === undefined) return;
  const settings = trtllmSettings(c, graph, lintIndex);
  if (settings === undefined) return;
  const path = findFlag(c, '--extra-engine-args', '--disaggregation-mode')?.path ?? c.path;
  const missing = settings['cache_transceiver_config'] === undefined || settings['cache_transceiver_config'] === null;
  if (missing)
    yield {
      path,
      problem: `a ${c.flagRole} worker of TensorRT-LLM needs cache_transceiver_config to transfer KV blocks between workers`,
      found: 'none in its engine configuration',
      change: 'set cache_transceiver_config.backend to DEFAULT in the file that --extra-engine-args names',
    };
  const overlaps =
    settings['disable_overlap_scheduler'] !== true &&
    !('disable_overlap_scheduler' in settings && isObject(settings['disable_overlap_scheduler']));
  if (c.flagRole === 'prefill' && !missing && overlaps)
    yield {
      path,
      problem: 'a prefill worker of TensorRT-LLM must not use the overlap scheduler',
      found: `disable_overlap_scheduler ${showValue(settings['disable_overlap_scheduler'] ?? 'not set')}`,
      change: 'set disable_overlap_scheduler to true in the file that --extra-engine-args names',
    };
}

const transceiverConfig = 'cache_transceiver_config:\n  backend: DEFAULT\n';
const engineFiles = (prefillFile: string): JsonObject =>
  object('v1', 'ConfigMap', 'engine-files', { data: { 'prefill.yaml': prefillFile, 'decode.yaml': transceiverConfig } });
const trtllmRole = (role: WorkerRole): JsonObject =>
  worker(
    'trtllm',
    [...pathModel, '--disaggregation-mode', role, '--extra-engine-args', `/engine/${role}.yaml`],
    {
      subComponentType: role,
      extraPodSpec: { volumes: [{ name: 'engine', configMap: { name: 'engine-files' } }] },
    },
    { volumeMounts: [{ name: 'engine', mountPath: '/engine' }] },
  );
const trtllmPair = () => graph({ Frontend: frontend(), Prefill: trtllmRole('prefill'), Decode: trtllmRole('decode') });

/** Rules about prefill and decode workers. */
export const roleRules: readonly Rule[] = [
  {
    id: 'DYN-ROLE-001',
    severity: 'error',
    on: 'graph',
    check: missingCounterpart,
    contextual: true,
    title: 'prefill worker without a decode worker, or the reverse',
    why: 'A disaggregated request runs first on a prefill worker and then on a decode worker. If one of them is missing, every request waits forever or fails.',
    allowed:
      'Both workers in one graph, or the other one in another graph of the same files, or a local or global router in the graph.',
    fix: 'Add the missing worker, or remove the role flag so that one worker does both.',
    example: () => ({
      bad: [graph({ Frontend: frontend(), Prefill: prefill() })],
      good: [graph({ Frontend: frontend(), Prefill: prefill(), Decode: decode() })],
    }),
  },
  {
    id: 'DYN-ROLE-002',
    severity: 'warning',
    on: 'graph',
    check: roleSources,
    title: 'role flag and component type that differ',
    why: 'The engine takes its role from a flag, the planner and the profiler take it from subComponentType. If they differ or one is missing, the planner does not find the worker or scales the wrong one.',
    allowed:
      'The same role by flag and by subComponentType (or componentType prefill or decode) on every worker of a disaggregated graph.',
    fix: 'Set subComponentType to the role of the flag, which `--fix` does. Add the role flag to the decode worker too.',
    example: () => ({
      bad: [graph({ Frontend: frontend(), P: prefill([], { subComponentType: 'decode' }), Decode: decode() })],
      good: [graph({ Frontend: frontend(), P: prefill(), Decode: decode() })],
    }),
  },
  {
    id: 'DYN-ROLE-004',
    severity: 'error',
    on: 'graph',
    check: disagreements,
    title: 'prefill and decode workers that differ in model, block size, connector or bootstrap port',
    why: 'The decode worker reads the KV blocks that the prefill worker writes. With a different model, block size or connector it cannot read them. With a different bootstrap port the two workers do not connect.',
    allowed:
      'On both workers, the same served model and block size, a common connector other than `none`, and for SGLang the same --disaggregation-bootstrap-port.',
    fix: 'Use the same value on both workers.',
    example: () => ({
      bad: [graph({ Frontend: frontend(), P: prefill(['--block-size', '64']), D: decode(['--block-size', '16']) })],
      good: [graph({ Frontend: frontend(), P: prefill(['--block-size', '64']), D: decode(['--block-size', '64']) })],
    }),
  },
  {
    id: 'DYN-ROLE-005',
    severity: 'warning',
    on: 'component',
    check: function* (c) {
      if (c.engine === undefined || contradicts(c)) return;
      const role = roleOf(c);
      const misnamed = (/prefill/i.test(c.key) && role !== 'prefill') || (/decode/i.test(c.key) && role === 'prefill');
      if (misnamed)
        yield {
          path: c.path,
          problem: `worker is named ${quote(c.key)} but is ${role === undefined ? 'an aggregated worker' : `a ${role} worker`}`,
          change: 'rename the service after its role; this requires a new graph name',
        };
    },
    title: 'worker named after another role',
    why: 'The planner falls back to well-known service names to find prefill and decode workers. The name of another role misleads the planner and the reader.',
    allowed: 'A name that contains the role of the worker, or no role.',
    fix: 'Rename the service. Services of a running graph cannot be renamed, so use a new graph name.',
    example: () => ({
      bad: [graph({ Frontend: frontend(), VllmPrefillWorker: worker('vllm', vllmModel) })],
      good: [graph({ Frontend: frontend(), VllmWorker: worker('vllm', vllmModel) })],
    }),
  },
  {
    id: 'DYN-ROLE-008',
    severity: 'error',
    on: 'component',
    check: transceiver,
    contextual: true,
    title: 'disaggregated TensorRT-LLM worker that cannot transfer KV blocks',
    why: 'Without a cache transceiver, the engine refuses requests that another worker started. A prefill worker with the overlap scheduler transfers blocks before they are computed.',
    allowed: 'cache_transceiver_config on prefill and decode workers; disable_overlap_scheduler: true on prefill workers.',
    fix: 'Set both in the engine configuration. `Engine.trtllm` sets them for the workers of `DynamoGraph.disaggregated`.',
    example: () => ({
      bad: [engineFiles('tensor_parallel_size: 1\n'), trtllmPair()],
      good: [engineFiles(`${transceiverConfig}disable_overlap_scheduler: true\n`), trtllmPair()],
    }),
  },
];
