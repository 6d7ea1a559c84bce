import { choosePreset } from './choose-preset.ts';
import { callees, literal, name, print, spread, type Code, type PrintOptions, type Source } from './code.ts';
import type { ComponentPlan, GraphPlan } from './graph-plan.ts';
import type { Operation } from './json-diff.ts';
import { propsCode, type Props } from './overrides.ts';

/** Statements, and the names that they import. */
export interface Written {
  readonly lines: readonly string[];
  readonly names: readonly string[];
  /** Whether the API server rejects the object, so that synth must not fail on its errors. */
  readonly refused?: boolean;
}

// Words that cannot name a variable in a module, and the globals `undefined`, `eval` and `arguments`.
const reserved = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements ' +
    'import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield'
  ).split(' '),
);

/** Variable name for the name of an object. */
export function variableName(text: string): string {
  const camel = text.replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase());
  const lower = camel.charAt(0).toLowerCase() + camel.slice(1);
  return reserved.has(lower) ? `${lower}Graph` : /^[a-z]/.test(lower) ? lower : `graph${camel}`;
}

function patchSource(operation: Operation): Source {
  const args = [literal(operation.path), ...(operation.op === 'remove' ? [] : [literal(operation.value)])];
  return { kind: 'call', callee: `JsonPatch.${operation.op}`, args: args.map((a) => a.source) };
}

function patchStatement(target: string, patches: readonly Operation[]): Source {
  return { kind: 'call', callee: `${target}.addPatch`, args: patches.map(patchSource) };
}

const presetNames: Readonly<Record<string, string>> = { addWorker: 'worker', addPrefill: 'prefill', addDecode: 'decode' };

const text = (code: Code | undefined): string => (code === undefined ? '' : print(code.source));

/** Moves properties that are equal in both roles to `both`. */
function shareProps(a: Props, b: Props): { readonly both: Props; readonly a: Props; readonly b: Props } {
  const alike = Object.keys(a).filter((k) => a[k] !== undefined && text(a[k]) === text(b[k]));
  const without = (props: Props): Props => Object.fromEntries(Object.entries(props).filter(([k]) => !alike.includes(k)));
  return { both: Object.fromEntries(alike.map((k) => [k, a[k]])), a: without(a), b: without(b) };
}

const some = (props: Props): Code | undefined =>
  Object.values(props).some((c) => c !== undefined) ? propsCode(props) : undefined;

function presetProps(plan: GraphPlan): Props {
  const of = (method: ComponentPlan['method']): ComponentPlan | undefined => plan.components.find((c) => c.method === method);
  const named = (component: ComponentPlan | undefined): Props => {
    if (component === undefined) return {};
    return { name: component.name === presetNames[component.method] ? undefined : literal(component.name), ...component.props };
  };
  const roles = shareProps(named(of('addPrefill')), named(of('addDecode')));
  const planner = of('addPlanner');
  const { frontend: none, ...props } = plan.props;
  return {
    ...props,
    frontend: none ?? some(of('addFrontend')?.props ?? {}),
    planner: planner && propsCode(planner.props),
    worker: some(named(of('addWorker'))),
    workers: some(roles.both),
    prefill: some(roles.a),
    decode: some(roles.b),
  };
}

function componentStatement(graph: string, component: ComponentPlan): Source {
  const props = component.method === 'addManifest' ? literal(component.manifest) : propsCode(component.props);
  const empty = props.source.kind === 'object' && props.source.entries.length === 0;
  const own = literal(component.name).source;
  const usual = { addFrontend: 'Frontend', addPlanner: 'Planner' } as Readonly<Record<string, string>>;
  const byProps = usual[component.method];
  const args =
    byProps === undefined
      ? [own, ...(empty ? [] : [props.source])]
      : component.name === byProps
        ? empty
          ? []
          : [props.source]
        : [props.source, own];
  return { kind: 'call', callee: `${graph}.${component.method}`, args };
}

const lineCount = (code: Code): number => print(code.source, 4, 40).split('\n').length;

/** Moves properties that are equal in all components to `shared`, if that makes the code shorter. */
function shareAmong(components: readonly ComponentPlan[]): { readonly shared: Props; readonly own: readonly ComponentPlan[] } {
  const candidates = components.filter(
    (c) => c.method !== 'addManifest' && c.method !== 'addFrontend' && c.method !== 'addPlanner',
  );
  const [first, ...others] = candidates;
  const none = { shared: {}, own: components };
  if (first === undefined || others.length === 0) return none;
  const alike = Object.keys(first.props).filter(
    (k) => first.props[k] !== undefined && others.every((o) => text(o.props[k]) === text(first.props[k])),
  );
  const shared = Object.fromEntries(alike.map((k) => [k, first.props[k]]));
  const lines = Object.values(shared).reduce((sum, code) => sum + (code === undefined ? 0 : lineCount(code)), 0);
  if (lines * others.length <= candidates.length + 2) return none;
  const own = components.map((c) =>
    candidates.includes(c) ? { ...c, props: { shared: spread('shared'), ...without(c.props, alike) } } : c,
  );
  return { shared, own };
}

function without(props: Props, keys: readonly string[]): Props {
  return Object.fromEntries(Object.entries(props).filter(([k]) => !keys.includes(k)));
}

/** Writes a graph as a preset if possible, otherwise component by component, then its patches and suppressions. */
export function writeGraph(
  plan: GraphPlan,
  id: string,
  variable: string,
  suppressed: readonly { readonly id: string; readonly reason: string }[],
  options: PrintOptions,
): Written {
  const preset = choosePreset(plan);
  const variants = plan.components.some((c) => text(c.props['engine']).startsWith('engine.with'));
  const engine = variants && plan.engine !== undefined ? name('engine', plan.engine.value) : plan.props['engine'];
  const given = { ...plan, props: { ...plan.props, name: id === plan.id ? undefined : literal(plan.id), engine } };
  const props = propsCode(preset === undefined ? given.props : presetProps(given));
  const callee = preset === undefined ? 'new DynamoGraph' : `DynamoGraph.${preset}`;
  const made: Source = {
    kind: 'call',
    callee,
    args: [{ kind: 'text', text: 'chart' }, literal(id).source, ...(isEmpty(props) ? [] : [props.source])],
  };
  const { shared, own: unshared } = preset === undefined ? shareAmong(plan.components) : { shared: {}, own: [] };
  const components = unshared.map((c) => componentStatement(variable, c));
  const patched = plan.components.filter((c) => c.patches.length > 0);
  const patches = patched.map((c) => patchStatement(`${variable}.component(${text(literal(c.name))})`, c.patches));
  const own = plan.patches.length === 0 ? [] : [patchStatement(variable, plan.patches)];
  const suppressions = suppressed.map((s): Source => ({
    kind: 'call',
    callee: `${variable}.suppress`,
    args: [literal(s.id).source, literal(s.reason).source],
  }));
  const after = [...components, ...patches, ...own, ...suppressions];
  const lead: [string, Source][] = [];
  if (plan.cache !== undefined) lead.push(['const modelCache = ', plan.cache.source]);
  if (variants && plan.engine !== undefined) lead.push(['const engine = ', plan.engine.source]);
  if (Object.keys(shared).length > 0) lead.push(['const shared = ', { kind: 'constant', value: propsCode(shared).source }]);
  const statements: [string, Source][] = [
    ...lead,
    [after.length === 0 ? '' : `const ${variable} = `, made],
    ...after.map((s): [string, Source] => ['', s]),
  ];
  const names = statements
    .flatMap(([, source]) => callees(source))
    .filter((n) => n !== variable && n !== 'engine' && n !== 'shared');
  return { lines: statements.map(([start, source]) => `${start}${print(source, 0, start.length + 1, options)};`), names };
}

function isEmpty(code: Code): boolean {
  return code.source.kind === 'object' && code.source.entries.length === 0;
}
