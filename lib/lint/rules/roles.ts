import { isObject, type Json, type JsonObject } from '../../json/index.ts';
import { type ComponentView, findFlag, flagText, flagWord, type Role, servedModel } from '../component-view.ts';
import { engineConfig } from '../engine-config.ts';
import { quote, type Draft } from '../finding.ts';
import { engineWorkers, type GraphView } from '../graph-view.ts';
import { showValue } from '../show-value.ts';
import type { Rule } from '../rule.ts';
import { decode, frontend, graph, object, pathModel, prefill, vllmModel, worker } from '../sample.ts';
import type { LintIndex } from '../lint-index.ts';

const types = ['frontend', 'worker', 'prefill', 'decode', 'planner', 'epp', 'default'];
const workerTypes = ['worker', 'prefill', 'decode'];
const routers = /^dynamo\.(?:global_)?router\b/;

function roleOf(component: ComponentView): Role | undefined {
  return component.flagRole ?? component.declaredRole;
}

function isRouted(graph: GraphView): boolean {
  return graph.components.some((c) => routers.test(c.command.module ?? ''));
}

function serves(graph: GraphView): boolean {
  return graph.components.some((c) => c.type === 'frontend' || c.type === 'epp');
}

const known = new WeakMap<readonly GraphView[], boolean>();

/** Whether any graph of a run takes requests; asked for each of them, and there may be thousands. */
function someServes(graphs: readonly GraphView[]): boolean {
  const found = known.get(graphs) ?? graphs.some(serves);
  known.set(graphs, found);
  return found;
}

function* missingCounterpart(graph: GraphView, around: LintIndex): Iterable<Draft> {
  if (isRouted(graph)) return;
  const workers = engineWorkers(graph);
  const prefills = workers.filter((c) => roleOf(c) === 'prefill');
  const rest = workers.filter((c) => roleOf(c) !== 'prefill');
  const alone: readonly (readonly [readonly ComponentView[], Role])[] = [
    [rest.length === 0 ? prefills : [], 'decode'],
    [prefills.length === 0 ? rest.filter((c) => c.flagRole === 'decode') : [], 'prefill'],
  ];
  const isElsewhere = (role: Role): boolean =>
    around.graphs.some(
      (g) => g.resource !== graph.resource && engineWorkers(g).some((c) => (roleOf(c) === 'prefill') === (role === 'prefill')),
    );
  for (const [components, missing] of alone) {
    if (components.length === 0 || isElsewhere(missing)) continue;
    for (const c of components)
      yield {
        path: c.path,
        problem: `a ${roleOf(c) ?? 'decode'} worker needs a ${missing} worker`,
        found: 'none in this graph or in any graph beside it',
        change: `add a ${missing} worker, or take the role flag off`,
      };
  }
}

function* roleSources(graph: GraphView): Iterable<Draft> {
  const workers = engineWorkers(graph);
  const prefillEngines = new Set(workers.filter((c) => c.flagRole === 'prefill').map((c) => c.engine));
  for (const c of workers) {
    const said = c.declaredRole;
    if (c.flagRole !== undefined && said !== c.flagRole) {
      const hint =
        said === undefined
          ? `its flags say ${c.flagRole}, but subComponentType is not set`
          : `its flags say ${c.flagRole}, its type says ${said}`;
      const path = said === undefined ? c.path : [...c.path, c.subType === said ? 'subComponentType' : 'componentType'];
      const fix =
        said === undefined && c.type === 'worker'
          ? {
              fix: {
                description: `set subComponentType to ${c.flagRole}`,
                edits: [{ op: 'set' as const, path: [...c.path, 'subComponentType'], value: c.flagRole }],
              },
            }
          : {};
      yield {
        path,
        problem: `role must be said once: ${hint}`,
        change: `set subComponentType to ${c.flagRole}, which planner and profiler select on`,
        ...fix,
      };
    }
    if (c.flagRole !== undefined) continue;
    const flag = c.engine === 'vllm' || c.engine === 'mocker' ? '--is-decode-worker' : '--disaggregation-mode decode';
    if (said === 'prefill')
      yield {
        path: c.path,
        problem: 'type says prefill, but no flag says so and the engine serves both halves',
        change: `add ${flag.replace('decode', 'prefill')}, or drop the sub-type`,
      };
    else if (prefillEngines.has(c.engine))
      yield { path: c.path, problem: 'decode side of a disaggregated graph has no role flag', change: `add ${flag}` };
  }
}

/** What prefill and decode must agree on, and how each says it. */
const agreements: readonly { readonly what: string; readonly read: (c: ComponentView) => string | undefined }[] = [
  { what: 'served model', read: servedModel },
  { what: 'KV block size', read: (c) => flagText(c, '--block-size', '--page-size', '--kv-block-size') },
  { what: 'bootstrap port', read: (c) => (c.engine === 'sglang' ? flagText(c, '--disaggregation-bootstrap-port') : undefined) },
  {
    what: 'transfer backend',
    read: (c) => (c.engine === 'sglang' ? flagText(c, '--disaggregation-transfer-backend') : undefined),
  },
];

function connector(c: ComponentView): readonly string[] | undefined {
  if (c.engine !== 'vllm' || findFlag(c, '--kv-transfer-config')) return undefined;
  return findFlag(c, '--connector')?.values.map((w) => w.text) ?? ['nixl'];
}

function* disagreements(graph: GraphView): Iterable<Draft> {
  const workers = engineWorkers(graph);
  const [first] = workers.filter((c) => roleOf(c) === 'prefill');
  if (first === undefined) return;
  for (const other of workers.filter((c) => roleOf(c) !== 'prefill' && c.engine === first.engine)) {
    for (const { what, read } of agreements) {
      const [a, b] = [read(first), read(other)];
      if (a !== undefined && b !== undefined && a !== b)
        yield {
          path: other.path,
          problem: `prefill and decode must have the same ${what}`,
          found: `${quote(b)} here and ${quote(a)} on ${first.key}`,
          change: 'give both the same value',
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

function* counts(graph: GraphView, around: LintIndex): Iterable<Draft> {
  const services = ['spec', 'services'];
  if (!graph.isGraph) return;
  if (graph.components.length === 0) {
    yield { path: ['spec'], problem: 'a graph must have at least one service', found: 'none', change: 'add spec.services' };
    return;
  }
  const limits: readonly (readonly [string, 'error' | 'warning'])[] = [
    ['epp', 'error'],
    ['frontend', 'warning'],
    ['planner', 'warning'],
  ];
  for (const [type, severity] of limits) {
    const found = graph.components.filter((c) => c.type === type);
    if (found.length > 1)
      yield {
        path: found[1]?.path ?? services,
        problem: `a graph should have one ${type}`,
        found: found.map((c) => c.key).join(' and '),
        change: 'raise replicas or make a graph of its own',
        severity,
      };
  }
  const workers = graph.components.filter((c) => workerTypes.includes(c.type));
  const joinsGlobal = workers.some((c) => c.spec['globalDynamoNamespace'] === true);
  if (workers.length > 0 && !serves(graph) && !isRouted(graph) && !joinsGlobal && !someServes(around.graphs))
    yield {
      path: services,
      problem: 'workers have no frontend that sends them requests',
      found: `only ${graph.components.map((c) => c.key).join(', ')}`,
      change: 'add a frontend, or set globalDynamoNamespace and share one, or suppress the rule when another graph serves them',
    };
}

/** What TensorRT-LLM's configuration says, from its file and from the flags over it; undefined when the file cannot be read. */
function trtllmSettings(c: ComponentView, graph: GraphView, around: LintIndex): JsonObject | undefined {
  const file = engineConfig(c, graph, around);
  const override = findFlag(c, '--override-engine-args');
  const over = override === undefined ? {} : readJson(override.values[0]?.text ?? '');
  if (file.state === 'elsewhere' || file.state === 'missing' || over === undefined) return undefined;
  const dotted = c.command.flags.filter((f) => f.name.startsWith('--trtllm.')).map((f) => f.name.split('.')[1] ?? '');
  return { ...Object.fromEntries(dotted.map((key) => [key, {}])), ...(file.state === 'read' ? file.config : {}), ...over };
}

function readJson(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function* transceiver(c: ComponentView, graph: GraphView, around: LintIndex): Iterable<Draft> {
  if (c.engine !== 'trtllm' || c.flagRole === undefined) return;
  const settings = trtllmSettings(c, graph, around);
  if (settings === undefined) return;
  const path = findFlag(c, '--extra-engine-args', '--disaggregation-mode')?.path ?? c.path;
  const missing = settings['cache_transceiver_config'] === undefined || settings['cache_transceiver_config'] === null;
  if (missing)
    yield {
      path,
      problem: `a ${c.flagRole} worker of TensorRT-LLM needs cache_transceiver_config, which moves KV blocks between workers`,
      found: 'none in its engine configuration',
      change: 'set cache_transceiver_config.backend to DEFAULT in the file that --extra-engine-args names',
    };
  const overlaps =
    settings['disable_overlap_scheduler'] !== true &&
    !('disable_overlap_scheduler' in settings && isObject(settings['disable_overlap_scheduler']));
  if (c.flagRole === 'prefill' && !missing && overlaps)
    yield {
      path,
      problem: 'a prefill worker of TensorRT-LLM cannot overlap scheduling',
      found: `disable_overlap_scheduler ${showValue(settings['disable_overlap_scheduler'] ?? 'not set')}`,
      change: 'set disable_overlap_scheduler to true in the file that --extra-engine-args names',
    };
}

function* lora(c: ComponentView): Iterable<Draft> {
  const flag = findFlag(c, '--enable-lora', '--lora-paths');
  const env = c.env.find((e) => e.name === 'DYN_LORA_ENABLED' && e.value === 'true');
  if (c.engine === undefined || (flag === undefined && env === undefined)) return;
  const path = flag?.path ?? env?.path ?? c.path;
  if (c.engine !== 'vllm')
    yield { path, problem: 'LoRA adapters are served by vLLM only', found: c.engine, change: 'use vLLM or drop LoRA' };
  else {
    if (!findFlag(c, '--max-lora-rank'))
      yield {
        path,
        problem: '--enable-lora needs --max-lora-rank',
        found: 'none',
        change: 'add --max-lora-rank with the rank of the largest adapter',
      };
    const connectors = findFlag(c, '--connector')?.values.map((w) => w.text);
    if (c.flagRole !== undefined)
      yield {
        path,
        problem: 'LoRA does not work with a disaggregated worker',
        found: `a ${c.flagRole} worker`,
        change: 'serve adapters from an aggregated graph',
      };
    else if (connectors?.some((name) => name !== 'none' && name !== 'null'))
      yield {
        path: flagWord(c, '--connector')?.path ?? path,
        problem: 'LoRA does not work with a KV connector',
        found: connectors.join(' '),
        change: 'set --connector none',
      };
    else if (connectors === undefined)
      yield {
        path,
        problem: 'LoRA needs --connector none, the default connector is nixl',
        found: 'no --connector',
        change: 'add --connector none',
        severity: 'warning',
      };
  }
}

const handover = 'cache_transceiver_config:\n  backend: DEFAULT\n';
const engineFiles = (prefillFile: string): JsonObject =>
  object('v1', 'ConfigMap', 'engine-files', { data: { 'prefill.yaml': prefillFile, 'decode.yaml': handover } });
const trtllmRole = (role: Role): JsonObject =>
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

/** Rules about roles, types and how many of each. */
export const roleRules: readonly Rule[] = [
  {
    id: 'DYN-ROLE-001',
    severity: 'error',
    on: 'graph',
    check: missingCounterpart,
    contextual: true,
    title: 'prefill worker without a decode worker, or the reverse',
    why: 'A disaggregated request runs first on a prefill worker and then on a decode worker. With one half missing every request waits for ever or fails.',
    allowed: 'Both halves in one graph, or the other half in a graph beside it, or a local or global router in the graph.',
    fix: 'Add the missing worker, or remove the role flag to serve both halves from one worker.',
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
    title: 'role flag and component type disagree',
    why: 'The engine follows its flag, planner and profiler follow subComponentType. When one of them is missing the planner does not find the worker or scales the wrong one.',
    allowed:
      'The flag and subComponentType (or a componentType of prefill or decode) name the same role on every worker of a disaggregated graph.',
    fix: 'Set subComponentType to the role of the flag; `--fix` does. Give the decode worker its flag too.',
    example: () => ({
      bad: [graph({ Frontend: frontend(), P: prefill([], { subComponentType: 'decode' }), Decode: decode() })],
      good: [graph({ Frontend: frontend(), P: prefill(), Decode: decode() })],
    }),
  },
  {
    id: 'DYN-ROLE-003',
    severity: 'error',
    covers: ['DYN-QUIRK-013'],
    on: 'component',
    check: function* (c) {
      if (c.type === '')
        yield {
          path: c.path,
          problem: 'componentType is not set, so the pod gets no port and no probes',
          change: `set it: ${types.join(', ')}`,
          severity: 'warning',
        };
      else if (!types.includes(c.type)) {
        const fix =
          c.engine === undefined
            ? {}
            : {
                fix: {
                  description: 'set componentType to worker',
                  edits: [{ op: 'set' as const, path: [...c.path, 'componentType'], value: 'worker' }],
                },
              };
        yield {
          path: [...c.path, 'componentType'],
          problem: 'componentType is not one the operator knows, so the pod gets no port, no probes and no engine handling',
          found: quote(c.type),
          allowed: types.join(', '),
          change: c.engine === undefined ? 'use one of them' : 'set it to worker',
          ...fix,
        };
      }
    },
    title: 'component type outside the known set',
    why: 'The operator adds the system port, the probes, the discovery labels and the multinode handling by component type. An unknown type gets none of them: pods count as ready at once and never restart when the engine hangs.',
    allowed: types.join(', '),
    fix: 'Use `worker` for engines; `--fix` does where the command runs an engine.',
    example: () => ({
      bad: [graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel, { componentType: 'main' }) })],
      good: [graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel) })],
    }),
  },
  {
    id: 'DYN-ROLE-004',
    severity: 'error',
    on: 'graph',
    check: disagreements,
    title: 'prefill and decode disagree on model, block size, connector or bootstrap port',
    why: 'The decode worker reads the KV blocks the prefill worker wrote. Another model, block size or connector makes them unreadable, and with another bootstrap port the two never meet.',
    allowed:
      'The same served model and block size on both; a common connector, which `none` is not; on SGLang the same --disaggregation-bootstrap-port.',
    fix: 'Give both sides the same value.',
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
      if (c.engine === undefined) return;
      const role = roleOf(c);
      const misnamed = (/prefill/i.test(c.key) && role !== 'prefill') || (/decode/i.test(c.key) && role === 'prefill');
      if (misnamed)
        yield {
          path: c.path,
          problem: `worker is named ${quote(c.key)} but is ${role === undefined ? 'an aggregated worker' : `a ${role} worker`}`,
          change: 'name it after what it does; a rename needs a new graph name',
        };
    },
    title: 'worker named after the other role',
    why: 'The planner falls back to well-known service names, and people read them. A prefill name on a worker that decodes sends both the wrong way.',
    allowed: 'A name that says the role, or one that says none.',
    fix: 'Rename the service. Services of a running graph cannot be renamed, so use a new graph name.',
    example: () => ({
      bad: [graph({ Frontend: frontend(), VllmPrefillWorker: worker('vllm', vllmModel) })],
      good: [graph({ Frontend: frontend(), VllmWorker: worker('vllm', vllmModel) })],
    }),
  },
  {
    id: 'DYN-ROLE-006',
    severity: 'error',
    on: 'graph',
    check: counts,
    contextual: true,
    covers: ['DYN-QUIRK-012'],
    title: 'graph without components, without a frontend, or with two of what should be one',
    why: 'The operator refuses an empty graph, picks an arbitrary one of two endpoint pickers, and workers without a frontend never receive a request.',
    allowed:
      'At least one service; one epp; one frontend and one planner as a rule. Workers alone are fine when a frontend of another graph in the same files serves them or they set globalDynamoNamespace.',
    fix: 'Add the frontend, or suppress the rule with the name of the graph that serves these workers.',
    example: () => ({
      bad: [graph({ Worker: worker('vllm', vllmModel) })],
      good: [graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel) })],
    }),
  },
  {
    id: 'DYN-ROLE-007',
    severity: 'error',
    on: 'component',
    check: lora,
    title: 'LoRA where it cannot work',
    why: 'Only vLLM serves adapters in this release, only without a KV connector, and it sizes its buffers by --max-lora-rank.',
    allowed: 'vLLM, aggregated, with --enable-lora, --max-lora-rank and --connector none.',
    fix: 'Add --max-lora-rank and --connector none, or serve the adapter from an aggregated graph.',
    example: () => ({
      bad: [graph({ Frontend: frontend(), Worker: worker('vllm', [...vllmModel, '--enable-lora', '--connector', 'none']) })],
      good: [
        graph({
          Frontend: frontend(),
          Worker: worker('vllm', [...vllmModel, '--enable-lora', '--max-lora-rank', '64', '--connector', 'none']),
        }),
      ],
    }),
  },
  {
    id: 'DYN-ROLE-008',
    severity: 'error',
    on: 'component',
    check: transceiver,
    contextual: true,
    title: 'disaggregated TensorRT-LLM worker whose configuration cannot hand KV blocks over',
    why: 'Without a cache transceiver the engine refuses requests that another worker has begun, and a prefill worker that overlaps scheduling hands blocks over before they are computed.',
    allowed: 'cache_transceiver_config on prefill and decode workers; disable_overlap_scheduler: true on prefill workers.',
    fix: 'Set both in the engine configuration; `Engine.trtllm` does for workers of `DynamoGraph.disaggregated`.',
    example: () => ({
      bad: [engineFiles('tensor_parallel_size: 1\n'), trtllmPair()],
      good: [engineFiles(`${handover}disable_overlap_scheduler: true\n`), trtllmPair()],
    }),
  },
];
