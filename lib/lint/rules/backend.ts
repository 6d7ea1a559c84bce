import { listAt, findString } from '../../json/index.ts';
import { showValue } from '../../manifest/index.ts';
import { launchedFrameworks } from '../../render/index.ts';
import { isPython, isShell, type Flag } from '../command-line.ts';
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

/** Which backends a component's own command and args name, as the operator's pattern finds them. */
function namedBackends(component: ComponentView): readonly string[] {
  const text = [...listAt(component.container, 'command'), ...listAt(component.container, 'args')].map(showValue).join(' ');
  const launched: readonly string[] = launchedFrameworks(text);
  return backends.filter((name) => launched.includes(name));
}

function* backendOf(graph: GraphView): Iterable<Draft> {
  const said = findString(graph.resource, 'spec', 'backendFramework');
  if (said !== undefined && !backends.includes(said))
    yield {
      path: ['spec', 'backendFramework'],
      problem: 'backendFramework is not a backend',
      found: quote(said),
      allowed: backends.join(', '),
      change: 'use one of them or leave it out',
    };
  for (const c of graph.components.filter((component) => engineTypes.includes(component.type))) {
    const named = namedBackends(c);
    const [only] = named;
    if (named.length > 1 && said === undefined)
      yield {
        path: c.containerPath,
        problem: 'command starts more than one backend and spec.backendFramework does not choose',
        found: named.join(' and '),
        change: 'set spec.backendFramework',
      };
    else if (named.length === 1 && said !== undefined && only !== said)
      yield {
        path: ['spec', 'backendFramework'],
        problem: `backendFramework contradicts the command of ${c.key}`,
        found: `${quote(said)} and dynamo.${only}`,
        change: `set it to ${only} or leave it out`,
      };
  }
  const workers = engineWorkers(graph);
  const prefillWorker = workers.find((c) => (c.flagRole ?? c.declaredRole) === 'prefill');
  for (const c of workers.filter((w) => w.engine !== workers[0]?.engine)) {
    const split = prefillWorker !== undefined && (c === prefillWorker || c.engine !== prefillWorker.engine);
    yield {
      path: c.path,
      problem: split ? 'prefill and decode must run the same engine' : 'graph mixes engines',
      found: `${c.engine ?? ''} beside ${workers[0]?.engine ?? ''}`,
      change: split ? 'use one engine for both' : 'make one graph for each engine',
      severity: split ? 'error' : 'warning',
    };
  }
}

function tableOf(c: ComponentView): FlagTable | undefined {
  if (c.engine !== undefined) return engineFlags[c.engine];
  const module = c.command.module ?? '';
  return Object.hasOwn(programFlags, module) ? programFlags[module] : undefined;
}

/** A flag without what is nested below it: vLLM takes `--eplb-config.window_size` for a key of `--eplb-config`. */
function headOf(flag: string): string {
  const dot = flag.indexOf('.');
  return dot > 2 ? flag.slice(0, dot) : flag;
}

function* knownFlag(c: ComponentView, table: FlagTable, flag: Flag, { context }: LintIndex): Iterable<Draft> {
  const release = context.release ?? targetRelease;
  const module = canonicalModule(c.command.module ?? table.program);
  const span = flagSpan(module, flag.name);
  const presence = span && presenceIn(span, release);
  const successor = flagSuccessor(module, flag.name);
  const change = successor === undefined ? 'leave it out' : `use ${successor}`;
  const problem = `${table.program} of release ${release} does not take ${flag.name}`;
  if (presence?.is === 'earlier') yield { path: flag.path, problem: `${problem}, gone since ${presence.gone}`, change };
  else if (presence?.is === 'later')
    yield {
      path: flag.path,
      problem: `${problem}, which came with ${presence.came}`,
      change: `${change}, or judge by another release with --release`,
      severity: context.release === undefined ? 'warning' : 'error',
    };
  else if (presence === undefined && arityOf(table, headOf(flag.name)) === undefined) {
    const near = nearestFlag(table, flag.name);
    yield {
      path: flag.path,
      problem: `${table.program} is not known to take ${flag.name}`,
      change: near === undefined ? 'check its spelling and release' : `did you mean ${near}`,
      severity: 'warning',
    };
  }
}

function* flags(c: ComponentView, _graph: GraphView, around: LintIndex): Iterable<Draft> {
  const table = tableOf(c);
  if (table === undefined) return;
  const canonical = (flag: Flag): string => (table.underscores ? flag.name.replaceAll('_', '-') : flag.name);
  for (const [flag, ...again] of groupFlags(c.command.flags, canonical)) {
    const arity = arityOf(table, flag.name);
    const needsValue = arity === 'one' || arity === 'many';
    const second = again[0];
    if (second) yield repeated(flag, second, again, arity !== 'none');
    else if (needsValue && flag.values.length === 0)
      yield { path: flag.path, problem: `${flag.name} needs a value`, found: 'none', change: 'add the value after it' };
    yield* knownFlag(c, table, flag, around);
  }
}

/** Flags by name, in the order of their first appearance. */
function groupFlags(flags: readonly Flag[], name: (flag: Flag) => string): readonly (readonly [Flag, ...Flag[]])[] {
  const groups = new Map<string, [Flag, ...Flag[]]>();
  for (const flag of flags) {
    const group = groups.get(name(flag));
    if (group) group.push(flag);
    else groups.set(name(flag), [flag]);
  }
  return [...groups.values()];
}

/** A flag that stands more than once: the last value counts, so it matters only where they differ or one is missing. */
function repeated(first: Flag, second: Flag, again: readonly Flag[], takesValue: boolean): Draft {
  const values = [first, ...again].map((flag) => flag.values.map(({ text }) => text).join(' '));
  const lacks = takesValue && values[0] === '';
  const differ = values.some((value) => value !== values[0]);
  const times = again.length === 1 ? 'twice' : `${again.length + 1} times`;
  return {
    path: second.path,
    problem: `${first.name} is given ${times}${lacks ? ', the first time without a value' : ''}`,
    ...(differ && !lacks ? { found: values.map(quote).join(' and ') } : {}),
    change: 'keep one',
    ...(differ || lacks ? {} : { severity: 'warning' }),
  };
}

/** Where the base command and the user's lists make a container that cannot start. */
function* broken(c: ComponentView): Iterable<Draft> {
  if (c.type === 'epp') return;
  const command = listAt(c.container, 'command').map(showValue);
  const args = listAt(c.container, 'args').map(showValue);
  const argsPath = [...c.containerPath, 'args'];
  const moduleAt = command.indexOf('-m');
  if (c.type === 'frontend' && args.length === 0 && moduleAt >= 0)
    yield {
      path: [...c.containerPath, 'command'],
      problem:
        'without args a frontend gets the default `-m dynamo.frontend` after its command, so the module is started with them',
      found: quote(command.join(' ')),
      change: 'move the words from -m on to args',
    };
  if (command.length === 0 && args.length > 0) {
    if (c.type === 'frontend' && args[0] !== '-m' && !(args[0] ?? '').endsWith('.py'))
      yield {
        path: argsPath,
        problem: 'args replace the default `-m dynamo.frontend`, so python is started without a module',
        found: quote(args[0] ?? ''),
        change: 'begin args with -m and dynamo.frontend, or set command to python3 -m dynamo.frontend',
      };
    if (c.type !== 'frontend' && args.length > 1)
      yield {
        path: argsPath,
        problem: 'the default command is `/bin/sh -c`, which runs only the first of several args',
        found: `${args.length} args`,
        change: 'set command, such as python3 -m dynamo.vllm',
      };
    return;
  }
  const program = command[0] ?? '';
  if (isShell(program) && command.at(-1) === '-c' && args.length === 0)
    yield { path: [...c.containerPath, 'command'], problem: 'shell is given no script', change: 'put the script in args' };
  else if (isShell(program) && command.at(-1) === '-c' && args.length > 1 && !/[\s;&|]/.test(args[0] ?? ''))
    yield {
      path: argsPath,
      problem: 'shell runs only the first of several args as its script',
      found: quote(args[0] ?? ''),
      change: 'make the script one string, or run python3 directly',
    };
  else if (
    isPython(program) &&
    c.command.module === undefined &&
    c.command.script === undefined &&
    !c.command.words.some((w) => w.text === '-c' || w.text.endsWith('.py'))
  )
    yield {
      path: [...c.containerPath, args.length > 0 ? 'args' : 'command'],
      problem: 'python is started without a module or a script',
      found: quote([...command, ...args].slice(0, 3).join(' ')),
      change: 'add -m and the module, such as dynamo.vllm',
    };
}

/** Rules about which engine runs and how it is called. */
export const backendRules: readonly Rule[] = [
  {
    id: 'DYN-BACK-001',
    severity: 'error',
    on: 'graph',
    check: backendOf,
    title: 'unknown or mixed backend, or one that contradicts the command',
    why: 'The operator finds the backend in the command and compares it with spec.backendFramework; a contradiction stops the graph from being made. Prefill and decode of two engines cannot read each other’s KV blocks.',
    allowed: `${backends.join(', ')}, the same as in the command; one engine for both halves of a disaggregated graph.`,
    fix: 'Leave backendFramework out, or set it to the module of the command.',
    example: () => ({
      bad: [graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel) }, { backendFramework: 'sglang' })],
      good: [graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel) }, { backendFramework: 'vllm' })],
    }),
  },
  {
    id: 'DYN-BACK-002',
    severity: 'error',
    on: 'component',
    check: flags,
    title: 'engine flag that is unknown, removed, given twice or lacks its value',
    why: 'The engine ends at once with a usage error, and the pod restarts for ever. A flag given twice hides one of its values.',
    allowed:
      'Flags of the target release, each once, with a value where it takes one. A flag lint does not know is a warning only, like one of a later release unless --release is given.',
    fix: 'Correct the spelling, remove the second one, add the value, or use the name of the target release.',
    example: () => ({
      bad: [graph({ Frontend: frontend(), Worker: worker('vllm', [...vllmModel, '--block-size', '--block-size', '16']) })],
      good: [graph({ Frontend: frontend(), Worker: worker('vllm', [...vllmModel, '--block-size', '16']) })],
    }),
  },
  {
    id: 'DYN-BACK-003',
    severity: 'error',
    on: 'component',
    check: broken,
    title: 'args without the command they need',
    why: 'Lists are replaced, not merged: args alone drop `-m dynamo.frontend` on a frontend, and on a worker the default command `/bin/sh -c` runs only the first of them.',
    allowed: 'command and args together, or args that begin with -m on a frontend, or one script string on a worker.',
    fix: 'Set command to python3 -m and the module, and keep the flags in args.',
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
