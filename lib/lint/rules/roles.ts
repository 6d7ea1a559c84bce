import { isObject, type JsonObject } from '../../json/index.ts';
import { type ComponentView, findFlag, flagText, type Role, roleOf, servedModel } from '../component-view.ts';
import { engineConfig } from '../engine-config.ts';
import { quote, type Draft, type Fix } from '../finding.ts';
import { engineWorkers, isRouted, type GraphView } from '../graph-view.ts';
import { showValue } from '../../manifest/index.ts';
import { parseJsonObject } from '../parse-json-object.ts';
import { nearestName } from '../../api/index.ts';
import type { Rule } from '../rule.ts';
import { decode, frontend, graph, object, pathModel, prefill, vllmModel, worker } from '../sample.ts';
import type { LintIndex } from '../lint-index.ts';

/** Whether a worker's flag says one role and its type the other. */
function contradicts({ flagRole, declaredRole }: ComponentView): boolean {
  return flagRole !== undefined && declaredRole !== undefined && flagRole !== declaredRole;
}

/** Whether all that makes it a decode worker is the flag that stops vLLM from publishing KV events, which an aggregated worker may have too. */
function onlySilent(c: ComponentView): boolean {
  return findFlag(c, '--is-decode-worker') !== undefined && c.declaredRole !== 'decode';
}

function* missingCounterpart(graph: GraphView, around: LintIndex): Iterable<Draft> {
  if (isRouted(graph)) return;
  const workers = engineWorkers(graph);
  // A worker whose flag and type contradict each other has a finding of its own, and one of the two may be the missing half.
  if (workers.some(contradicts)) return;
  const prefills = workers.filter((c) => roleOf(c) === 'prefill');
  const rest = workers.filter((c) => roleOf(c) !== 'prefill');
  const alone: readonly (readonly [readonly ComponentView[], Role])[] = [
    [rest.length === 0 ? prefills : [], 'decode'],
    [prefills.length === 0 ? rest.filter((c) => c.flagRole === 'decode' && !onlySilent(c)) : [], 'prefill'],
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

function roleFix(c: ComponentView, role: Role): Fix {
  return {
    description: `set subComponentType to ${role}`,
    edits: [{ op: 'set', path: [...c.path, 'subComponentType'], value: role }],
  };
}

function misspeltRole(c: ComponentView): Draft {
  const meant = nearestName(c.subType, ['prefill', 'decode']);
  const role = meant === 'prefill' ? 'prefill' : 'decode';
  return {
    path: [...c.path, 'subComponentType'],
    problem: 'subComponentType is no role, so planner and profiler do not find the worker',
    found: quote(c.subType),
    allowed: 'prefill, decode',
    change: `did you mean ${role}`,
    ...(c.flagRole === undefined || c.flagRole === role ? { fix: roleFix(c, role) } : {}),
  };
}

/** Flag and type say different roles: the worker's name decides which of them is likely wrong. */
function contradiction(c: ComponentView): Draft {
  const flag = c.flagRole ?? 'decode';
  const said = c.declaredRole ?? 'decode';
  const named = /prefill/i.test(c.key) ? 'prefill' : /decode/i.test(c.key) ? 'decode' : undefined;
  const word = findFlag(c, '--is-prefill-worker', '--is-decode-worker', '--disaggregation-mode');
  const right = word?.name === '--disaggregation-mode' ? `--disaggregation-mode ${said}` : `--is-${said}-worker`;
  const type = c.subType === said ? 'subComponentType' : 'componentType';
  return {
    path: named === flag ? [...c.path, type] : (word?.path ?? c.path),
    problem: `its flag says ${flag}, its ${type} says ${said}`,
    change: named === flag ? `set ${type} to ${flag}` : `use ${right}`,
  };
}

function* roleSources(graph: GraphView): Iterable<Draft> {
  const workers = engineWorkers(graph);
  const prefillEngines = new Set(workers.filter((c) => c.flagRole === 'prefill').map((c) => c.engine));
  for (const c of workers) {
    const said = c.declaredRole;
    if (c.subType !== '' && said === undefined && nearestName(c.subType, ['prefill', 'decode']) !== undefined) {
      yield misspeltRole(c);
      continue;
    }
    if (contradicts(c)) {
      yield contradiction(c);
      continue;
    }
    if (c.flagRole !== undefined && said === undefined && !(onlySilent(c) && prefillEngines.size === 0))
      yield {
        path: c.path,
        problem: `role must be said once: its flags say ${c.flagRole}, but subComponentType is not set`,
        change: `set subComponentType to ${c.flagRole}, which planner and profiler select on`,
        ...(c.type === 'worker' ? { fix: roleFix(c, c.flagRole) } : {}),
      };
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

/** What TensorRT-LLM's configuration says, from its file and from the flags over it; undefined when the file cannot be read. */
function trtllmSettings(c: ComponentView, graph: GraphView, around: LintIndex): JsonObject | undefined {
  const file = engineConfig(c, graph, around);
  const override = findFlag(c, '--override-engine-args');
  const over = override === undefined ? {} : parseJsonObject(override.values[0]?.text ?? '');
  if (file.state === 'elsewhere' || file.state === 'missing' || over === undefined) return undefined;
  const dotted = c.command.flags.filter((f) => f.name.startsWith('--trtllm.')).map((f) => f.name.split('.')[1] ?? '');
  return { ...Object.fromEntries(dotted.map((key) => [key, {}])), ...(file.state === 'read' ? file.config : {}), ...over };
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

/** Rules about prefill and decode workers. */
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
      if (c.engine === undefined || contradicts(c)) return;
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
