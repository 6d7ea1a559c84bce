import { nearestName } from '../../api/index.ts';
import { findFlag, flagWord, type ComponentView } from '../component-view.ts';
import { quote, type Draft } from '../finding.ts';
import { isRouted, type GraphView } from '../graph-view.ts';
import type { Rule } from '../rule.ts';
import { frontend, graph, vllmModel, worker } from '../sample.ts';
import type { LintIndex } from '../lint-index.ts';

const types = ['frontend', 'worker', 'prefill', 'decode', 'planner', 'epp', 'default'];
const workerTypes = ['worker', 'prefill', 'decode'];

function serves(graph: GraphView): boolean {
  return graph.components.some(
    (c) =>
      c.type === 'frontend' ||
      c.type === 'epp' ||
      c.command.module === 'dynamo.frontend' ||
      // A wrong type has a finding of its own; it does not make the frontend missing.
      (!types.includes(c.type) && /frontend/i.test(c.key)),
  );
}

const known = new WeakMap<readonly GraphView[], boolean>();

/** Whether any graph of a run takes requests; asked for each of them, and there may be thousands. */
function someServes(graphs: readonly GraphView[]): boolean {
  const found = known.get(graphs) ?? graphs.some(serves);
  known.set(graphs, found);
  return found;
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

/** The type that what a component runs asks for; undefined when that cannot be told. */
function typeOf(c: ComponentView): string | undefined {
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

/** Rules about types of components and how many of each there are. */
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
          change: `set it: ${types.join(', ')}`,
          severity: 'warning',
        };
      else if (!types.includes(c.type)) {
        const meant = typeOf(c);
        yield {
          path: [...c.path, 'componentType'],
          problem: `componentType is not one the operator knows${c.type === 'main' ? ', gone since 0.4.1' : ''}, so the pod gets no port, no probes and no engine handling`,
          found: quote(c.type),
          allowed: types.join(', '),
          change: meant === undefined ? 'use one of them' : `set it to ${meant}`,
          ...(meant === undefined
            ? {}
            : {
                fix: {
                  description: `set componentType to ${meant}`,
                  edits: [{ op: 'set' as const, path: [...c.path, 'componentType'], value: meant }],
                },
              }),
        };
      }
    },
    title: 'component type outside the known set',
    why: 'The operator adds the system port, the probes, the discovery labels and the multinode handling by component type. An unknown type gets none of them: pods count as ready at once and never restart when the engine hangs.',
    allowed: types.join(', '),
    fix: 'Use `worker` for engines and `frontend` for frontends; `--fix` does where the command tells which it is.',
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
];
