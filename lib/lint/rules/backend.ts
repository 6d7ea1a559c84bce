import { listAt, findString } from '../../json/index.ts';
import { showValue } from '../../manifest/index.ts';
import { isPython, launchedFrameworks } from '../../render/index.ts';
import { isShell, type Flag } from '../command-line.ts';
import type { ComponentView } from '../component-view.ts';
import { quote, type Draft } from '../finding.ts';
import { engineFlags } from '../flags/engines.ts';
import { arityOf, nearestFlag, type FlagTable } from '../flags/flag-table.ts';
import { programFlags } from '../flags/programs.ts';
import { engineWorkers, type GraphView } from '../graph-view.ts';
import type { Rule } from '../rule.ts';
import { frontend, graph, vllmModel, worker } from '../sample.ts';
import type { LintIndex } from '../lint-index.ts';
import { canonicalModule, flagSpan, targetRelease } from '../releases/lookup.ts';
import { presenceIn } from '../../api/index.ts';
import { flagSuccessor } from '../releases/successors.ts';

const backends = ['sglang', 'vllm', 'trtllm'];
const engineTypes = ['worker', 'prefill', 'decode'];

/** The backends that the command and args of a component start, found with the pattern of the operator. */
function launchedBackends(component: ComponentView): readonly string[] {
  const command = [...listAt(component.container, 'command'), ...listAt(component.container, 'args')].map(showValue).join(' ');
  const launched: readonly string[] = launchedFrameworks(command);
  return backends.filter((name) => launched.includes(name));
}

function* checkBackend(graph: GraphView): Iterable<Draft> {
  const declared = findString(graph.resource, 'spec', 'backendFramework');
  if (declared !== undefined && !backends.includes(declared))
    yield {
      path: ['spec', 'backendFramework'],
      problem: 'backendFramework is not a known backend',
      found: quote(declared),
      allowed: backends.join(', '),
      change: 'use one of them, or remove it',
    };
  for (const c of graph.components.filter((component) => engineTypes.includes(component.type))) {
    const launched = launchedBackends(c);
    const [only] = launched;
    if (launched.length > 1 && declared === undefined)
      yield {
        path: c.containerPath,
        problem: 'command starts more than one backend, and spec.backendFramework is not set',
        found: launched.join(' and '),
        change: 'set spec.backendFramework',
      };
    else if (launched.length === 1 && declared !== undefined && only !== declared)
      yield {
        path: ['spec', 'backendFramework'],
        problem: `backendFramework contradicts the command of ${c.key}`,
        found: `${quote(declared)} and dynamo.${only}`,
        change: `set it to ${only}, or remove it`,
      };
  }
  const workers = engineWorkers(graph);
  const prefillWorker = workers.find((c) => (c.flagRole ?? c.declaredRole) === 'prefill');
  for (const c of workers.filter((w) => w.engine !== workers[0]?.engine)) {
    const split = prefillWorker !== undefined && (c === prefillWorker || c.engine !== prefillWorker.engine);
    yield {
      path: c.path,
      problem: split ? 'prefill and decode must run the same engine' : 'graph mixes engines',
      found: `${c.engine ?? ''} and ${workers[0]?.engine ?? ''}`,
      change: split ? 'use one engine for both' : 'create one graph for each engine',
      severity: split ? 'error' : 'warning',
    };
  }
}

function tableOf(c: ComponentView): FlagTable | undefined {
  if (c.engine !== undefined) return engineFlags[c.engine];
  const module = c.command.module ?? '';
  return Object.hasOwn(programFlags, module) ? programFlags[module] : undefined;
}

/** A flag without a nested key: vLLM reads `--eplb-config.window_size` as the key `window_size` of `--eplb-config`. */
function withoutNestedKey(flag: string): string {
  const dot = flag.indexOf('.');
  return dot > 2 ? flag.slice(0, dot) : flag;
}

function* checkFlag(c: ComponentView, table: FlagTable, flag: Flag, { context }: LintIndex): Iterable<Draft> {
  const release = context.release ?? targetRelease;
  const module = canonicalModule(c.command.module ?? table.program);
  const span = flagSpan(module, flag.name);
  const presence = span && presenceIn(span, release);
  const successor = flagSuccessor(module, flag.name);
  const change = successor === undefined ? 'remove it' : `use ${successor}`;
  const problem = `${table.program} of release ${release} does not accept ${flag.name}`;
  if (presence?.is === 'earlier') yield { path: flag.path, problem: `${problem}, removed in ${presence.gone}`, change };
  else if (presence?.is === 'later')
    yield {
      path: flag.path,
      problem: `${problem}, added in ${presence.came}`,
      change: `${change}, or lint for another release with --release`,
      severity: context.release === undefined ? 'warning' : 'error',
    };
  else if (presence === undefined && arityOf(table, withoutNestedKey(flag.name)) === undefined) {
    const near = nearestFlag(table, flag.name);
    yield {
      path: flag.path,
      problem: `${table.program} has no known flag ${flag.name}`,
      change: near === undefined ? 'check its spelling and release' : `did you mean ${near}`,
      severity: 'warning',
    };
  }
}

function* checkFlags(c: ComponentView, _graph: GraphView, lintIndex: LintIndex): Iterable<Draft> {
  const table = tableOf(c);
  if (table === undefined) return;
  const canonical = (flag: Flag): string => (table.underscores ? flag.name.replaceAll('_', '-') : flag.name);
  for (const [flag, ...repetitions] of groupFlags(c.command.flags, canonical)) {
    const arity = arityOf(table, flag.name);
    const needsValue = arity === 'one' || arity === 'many';
    const second = repetitions[0];
    if (second) yield repeatedFlag(flag, second, repetitions, arity !== 'none');
    else if (needsValue && flag.values.length === 0)
      yield { path: flag.path, problem: `${flag.name} needs a value`, found: 'none', change: 'add the value after it' };
    yield* checkFlag(c, table, flag, lintIndex);
  }
}

/** Groups flags by name, in the order of their first occurrence. */
function groupFlags(flags: readonly Flag[], name: (flag: Flag) => string): readonly (readonly [Flag, ...Flag[]])[] {
  const groups = new Map<string, [Flag, ...Flag[]]>();
  for (const flag of flags) {
    const group = groups.get(name(flag));
    if (group) group.push(flag);
    else groups.set(name(flag), [flag]);
  }
  return [...groups.values()];
}

/** Reports a repeated flag. The last value applies, so it is an error only when the values differ or the first is missing. */
function repeatedFlag(first: Flag, second: Flag, repetitions: readonly Flag[], takesValue: boolean): Draft {
  const values = [first, ...repetitions].map((flag) => flag.values.map(({ value }) => value).join(' '));
  const lacks = takesValue && values[0] === '';
  const differ = values.some((value) => value !== values[0]);
  const times = repetitions.length === 1 ? 'twice' : `${repetitions.length + 1} times`;
  return {
    path: second.path,
    problem: `${first.name} is given ${times}${lacks ? ', the first time without a value' : ''}`,
    ...(differ && !lacks ? { found: values.map(quote).join(' and ') } : {}),
    change: 'keep one',
    ...(differ || lacks ? {} : { severity: 'warning' }),
  };
}

/** Reports commands and args that, merged with the defaults of the component type, cannot start. */
function* checkCommand(c: ComponentView): Iterable<Draft> {
  if (c.type === 'epp') return;
  const command = listAt(c.container, 'command').map(showValue);
  const args = listAt(c.container, 'args').map(showValue);
  const argsPath = [...c.containerPath, 'args'];
  const moduleAt = command.indexOf('-m');
  if (c.type === 'frontend' && args.length === 0 && moduleAt >= 0)
    yield {
      path: [...c.containerPath, 'command'],
      problem:
        'without args, the default args `-m dynamo.frontend` of a frontend are appended to the command, so its module receives them',
      found: quote(command.join(' ')),
      change: 'move the arguments from -m on to args',
    };
  if (command.length === 0 && args.length > 0) {
    if (c.type === 'frontend' && args[0] !== '-m' && !(args[0] ?? '').endsWith('.py'))
      yield {
        path: argsPath,
        problem: 'args replace the default `-m dynamo.frontend`, so python is started without a module',
        found: quote(args[0] ?? ''),
        change: 'start args with -m and dynamo.frontend, or set command to python3 -m dynamo.frontend',
      };
    if (c.type !== 'frontend' && args.length > 1)
      yield {
        path: argsPath,
        problem: 'the default command `/bin/sh -c` runs only the first of several args',
        found: `${args.length} args`,
        change: 'set command, such as python3 -m dynamo.vllm',
      };
    return;
  }
  const program = command[0] ?? '';
  if (isShell(program) && command.at(-1) === '-c' && args.length === 0)
    yield { path: [...c.containerPath, 'command'], problem: 'shell has no script to run', change: 'put the script in args' };
  else if (isShell(program) && command.at(-1) === '-c' && args.length > 1 && !/[\s;&|]/.test(args[0] ?? ''))
    yield {
      path: argsPath,
      problem: 'shell runs only the first of several args as its script',
      found: quote(args[0] ?? ''),
      change: 'write the script as one string, or run python3 directly',
    };
  else if (
    isPython(program) &&
    c.command.module === undefined &&
    c.command.script === undefined &&
    !c.command.argv.some((w) => w.value === '-c' || w.value.endsWith('.py'))
  )
    yield {
      path: [...c.containerPath, args.length > 0 ? 'args' : 'command'],
      problem: 'python is started without a module or a script',
      found: quote([...command, ...args].slice(0, 3).join(' ')),
      change: 'add -m and the module, such as dynamo.vllm',
    };
}

/** Rules about the engine and its command line. */
export const backendRules: readonly Rule[] = [
  {
    id: 'DYN-BACK-001',
    severity: 'error',
    on: 'graph',
    check: checkBackend,
    title: 'backend that is unknown, mixed with another, or contradicts the command',
    why: 'The operator detects the backend in the command and compares it with spec.backendFramework. If they differ, it does not create the graph. Prefill and decode workers of different engines cannot read each other’s KV blocks.',
    allowed: `${backends.join(', ')}, the same as in the command; the same engine for the prefill and decode workers of a graph.`,
    fix: 'Remove backendFramework, or set it to the backend of the command.',
    example: () => ({
      bad: [graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel) }, { backendFramework: 'sglang' })],
      good: [graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel) }, { backendFramework: 'vllm' })],
    }),
  },
  {
    id: 'DYN-BACK-002',
    severity: 'error',
    on: 'component',
    check: checkFlags,
    title: 'engine flag that is unknown, removed, repeated or lacks its value',
    why: 'The engine exits with a usage error, and the pod restarts forever. Of a repeated flag, only the last value applies.',
    allowed:
      'Flags of the target release, each once, with a value if the flag requires one. An unknown flag is a warning, as is a flag of a later release unless --release is set.',
    fix: 'Correct the spelling, remove the repetition, add the value, or use the flag of the target release.',
    example: () => ({
      bad: [graph({ Frontend: frontend(), Worker: worker('vllm', [...vllmModel, '--block-size', '--block-size', '16']) })],
      good: [graph({ Frontend: frontend(), Worker: worker('vllm', [...vllmModel, '--block-size', '16']) })],
    }),
  },
  {
    id: 'DYN-BACK-003',
    severity: 'error',
    on: 'component',
    check: checkCommand,
    title: 'args without the command they need',
    why: 'Lists are replaced, not merged. On a frontend, args alone replace the default `-m dynamo.frontend`. On a worker, the default command `/bin/sh -c` runs only the first item of args.',
    allowed: 'Both command and args; on a frontend, args that start with -m; on a worker, args with one shell script.',
    fix: 'Set command to python3 -m and the module, and put the flags in args.',
    example: () => ({
      bad: [graph({ Frontend: frontend({ args: ['--router-mode', 'kv'] }), Worker: worker('vllm', vllmModel) })],
      good: [
        graph({
          Frontend: frontend({ command: ['python3', '-m', 'dynamo.frontend'], args: ['--router-mode', 'kv'] }),
          Worker: worker('vllm', vllmModel),
        }),
      ],
    }),
  },
];
