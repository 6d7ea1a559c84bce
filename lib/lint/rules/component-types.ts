import { nearestName } from '../../api/index.ts';
import { findFlag, flagArgument, type ComponentView } from '../component-view.ts';
import { quote, type Draft } from '../finding.ts';
import { isRouted, type GraphView } from '../graph-view.ts';
import type { Rule } from '../rule.ts';
import { frontend, graph, vllmModel, worker } from '../sample.ts';
import type { LintIndex } from '../lint-index.ts';

const types = ['frontend', 'worker', 'prefill', 'decode', 'planner', 'epp', 'default'];
const workerTypes = ['worker', 'prefill', 'decode'];

/** Whether a graph has a frontend or an endpoint picker. */
function serves(graph: GraphView): boolean {
  return graph.components.some(
    (c) =>
      c.type === 'frontend' ||
      c.type === 'epp' ||
      c.command.module === 'dynamo.frontend' ||
      // A frontend with an unknown type is reported by DYN-ROLE-003, not as missing.
      (!types.includes(c.type) && /frontend/i.test(c.key)),
  );
}

const anyServes = new WeakMap<readonly GraphView[], boolean>();

/** Whether any graph of a run serves requests. Cached, since every graph of the run asks, and there may be thousands. */
function someServes(graphs: readonly GraphView[]): boolean {
  const found = anyServes.get(graphs) ?? graphs.some(serves);
  anyServes.set(graphs, found);
  return found;
}

function* counts(graph: GraphView, lintIndex: LintIndex): Iterable<Draft> {
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
        change: 'raise replicas, or create another graph',
        severity,
      };
  }
  const workers = graph.components.filter((c) => workerTypes.includes(c.type));
  const joinsGlobal = workers.some((c) => c.spec['globalDynamoNamespace'] === true);
  if (workers.length > 0 && !serves(graph) && !isRouted(graph) && !joinsGlobal && !someServes(lintIndex.graphs))
    yield {
      path: services,
      problem: 'no frontend sends requests to the workers',
      found: `only ${graph.components.map((c) => c.key).join(', ')}`,
      change: 'add a frontend, set globalDynamoNamespace to share one, or suppress the rule if another graph serves them',
    };
}

/** The component type that matches the command of a component; undefined when it is unclear. */
function expectedType(c: ComponentView): string | undefined {
  if (c.engine !== undefined) return 'worker';
  const module = c.command.module ?? '';
  if (module === 'dynamo.frontend') return 'frontend';
  if (/planner/.test(module)) return 'planner';
  return c.command.form === 'none' && /^frontend$/i.test(c.key) ? 'frontend' : nearestName(c.type, types);
}

function* lora(c: ComponentView): Iterable<Draft> {
  const flag = findFlag(c, '--enable-lora', '--lora-paths');
  const env = c.env.find((e) => e.name === 'DYN_LORA_ENABLED' && e.value === 'true');
  if (c.engine === undefined || (flag === undefined && env === undefined)) return;
  const path = flag?.path ?? env?.path ?? c.path;
  if (c.engine !== 'vllm')
    yield { path, problem: 'LoRA adapters are served by vLLM only', found: c.engine, change: 'use vLLM, or disable LoRA' };
  else {
    if (!findFlag(c, '--max-lora-rank'))
      yield {
        path,
        problem: '--enable-lora needs --max-lora-rank',
        found: 'none',
        change: 'add --max-lora-rank with the rank of the largest adapter',
      };
    const connectors = findFlag(c, '--connector')?.values.map((w) => w.value);
    if (c.flagRole !== undefined)
      yield {
        path,
        problem: 'LoRA does not work on disaggregated workers',
        found: `a ${c.flagRole} worker`,
        change: 'serve adapters from an aggregated graph',
      };
    else if (connectors?.some((name) => name !== 'none' && name !== 'null'))
      yield {
        path: flagArgument(c, '--connector')?.path ?? path,
        problem: 'LoRA does not work with a KV connector',
        found: connectors.join(' '),
        change: 'set --connector none',
      };
    else if (connectors === undefined)
      yield {
        path,
        problem: 'LoRA needs --connector none, since the default connector is nixl',
        found: 'no --connector',
        change: 'add --connector none',
        severity: 'warning',
      };
  }
}

/** Rules about component types and the number of components of each type. */
export const componentTypeRules: readonly Rule[] = [
  {
    id: 'DYN-ROLE-003',
    severity: 'error',
    on: 'component',
    check: function* (c) {
      if (c.type === '')
        yield {
          path: c.path,
          problem: 'componentType is not set, so the pod gets no port and no probes',
          change: `set it to one of ${types.join(', ')}`,
          severity: 'warning',
        };
      else if (!types.includes(c.type)) {
        const expected = expectedType(c);
        yield {
          path: [...c.path, 'componentType'],
          problem: `the operator does not know this componentType${c.type === 'main' ? ', removed in 0.4.1' : ''}, so the pod gets no port, no probes and no engine configuration`,
          found: quote(c.type),
          allowed: types.join(', '),
          change: expected === undefined ? 'use one of them' : `set it to ${expected}`,
          ...(expected === undefined
            ? {}
            : {
                fix: {
                  description: `set componentType to ${expected}`,
                  edits: [{ op: 'set' as const, path: [...c.path, 'componentType'], value: expected }],
                },
              }),
        };
      }
    },
    title: 'missing or unknown component type',
    why: 'The operator adds the system port, the probes, the discovery labels and the multinode configuration by component type. With an unknown type it adds none of them: pods are ready at once, and do not restart when the engine hangs.',
    allowed: types.join(', '),
    fix: 'Use `worker` for engines and `frontend` for frontends. `--fix` sets the type if the command determines it.',
    example: () => ({
      bad: [graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel, { componentType: 'main' }) })],
      good: [graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel) })],
    }),
  },
  {
    id: 'DYN-ROLE-006',
    severity: 'error',
    on: 'graph',
    check: counts,
    contextual: true,
    covers: ['DYN-QUIRK-012'],
    title: 'graph without components or frontend, or with a duplicate epp, frontend or planner',
    why: 'The operator refuses an empty graph and uses an arbitrary one of two endpoint pickers. Workers without a frontend never receive a request.',
    allowed:
      'At least one service; at most one epp, one frontend and one planner. Workers need no frontend in their graph if another graph in the same files has one, or if they set globalDynamoNamespace.',
    fix: 'Add a frontend, or suppress the rule and name the graph that serves these workers as the reason.',
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
    title: 'LoRA with unsupported engine settings',
    why: 'In this release only vLLM serves LoRA adapters, and only without a KV connector. It sizes its buffers by --max-lora-rank.',
    allowed: 'An aggregated vLLM worker with --enable-lora, --max-lora-rank and --connector none.',
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
];
