import { valueAt, listAt, objectAt, withoutNulls, withoutPaths, type Path } from '../../json/index.ts';
import { App } from 'cdk8s';
import { isObject, normalizeResource, type Json, type JsonObject } from '../../api/index.ts';
import type { LintIndex } from '../../lint/index.ts';
import { DynamoChart } from '../chart.ts';
import { Component, componentTypes, type ComponentType } from '../component.ts';
import { varyEngine, type Engine } from '../engine/engine.ts';
import { DynamoGraph, type DynamoGraphProps } from '../graph.ts';
import type { Model } from '../model.ts';
import type { Platform } from '../platform.ts';
import { isEmptyObject, literal, name, type Code, type PrintOptions } from './code.ts';
import {
  addMethods,
  engineCode,
  engineOptions,
  isPythonPath,
  readService,
  moduleInArgs,
  readWorker,
  commandLine,
  type ServiceReading,
  type ComponentForm,
  type WorkerReading,
} from './component-plan.ts';
import { cacheCode, modelCode, readCache, readRouter, splitOptions, type CacheReading } from './graph-reading.ts';
import { diff, type Operation } from './json-diff.ts';
import { envCode, overrides, propsCode, type Props } from './overrides.ts';
import { plannerProps } from './planner-plan.ts';

/** Context that all graphs of an import share. */
export interface ImportContext {
  readonly platform: Platform;
  /** Namespace of the chart, when all objects share one. */
  readonly namespace: string | undefined;
  /** How code is printed. */
  readonly print: PrintOptions;
  /** Index of all imported objects. */
  readonly index: LintIndex;
}

/** How to add a component: the method, its properties, and patches for what properties cannot express. */
export interface ComponentPlan {
  readonly name: string;
  readonly form: ComponentForm;
  readonly method: 'addFrontend' | 'addWorker' | 'addPrefill' | 'addDecode' | 'addPlanner' | 'addComponent' | 'addManifest';
  readonly props: Props;
  readonly manifest: JsonObject;
  readonly patches: readonly Operation[];
}

/** How to write a graph. */
export interface GraphPlan {
  readonly id: string;
  readonly props: Props;
  readonly components: readonly ComponentPlan[];
  readonly cache: Code | undefined;
  readonly engine: Code | undefined;
  readonly patches: readonly Operation[];
}

/** What to try for a graph. */
interface Attempt {
  /** Id of the model cache, if there is one. */
  readonly cacheId: string;
  /** Form of each component. */
  readonly forms: readonly ComponentForm[];
  /** Whether the frontend's arguments are written as a router. */
  readonly routed: boolean;
}

/** An empty chart with the properties of the chart in the generated code. */
export function scratchChart(context: ImportContext): DynamoChart {
  const { platform, namespace } = context;
  return new DynamoChart(new App(), 'import', { platform, namespace, explicitDefaults: false, warnings: 'ignore' });
}

/** Adds a component by the method of its plan. */
function addPlanned(graph: DynamoGraph, plan: Pick<ComponentPlan, 'method' | 'name' | 'manifest'>, props: Code): Component {
  const value = props.value as object;
  if (plan.method === 'addManifest') return graph.addManifest(plan.name, plan.manifest);
  if (plan.method === 'addFrontend') return graph.addFrontend(value, plan.name);
  if (plan.method === 'addPlanner') return graph.addPlanner(value, plan.name);
  return graph[plan.method](plan.name, value);
}

const routerOf = (services: readonly ServiceReading[]): ReturnType<typeof readRouter> => {
  const frontend = services.find((s) => s.spec['componentType'] === 'frontend');
  return frontend === undefined ? { router: undefined, rest: [] } : readRouter(frontend.spec);
};

function gpuProps(spec: JsonObject, gpus: number, platform: Platform): Props {
  const want = Number(valueAt(spec, 'resources', 'limits', 'gpu') ?? 0);
  const nodes = Number(valueAt(spec, 'multinode', 'nodeCount') ?? 1);
  if (!Number.isInteger(want)) return {};
  if (want * nodes === gpus)
    return Math.ceil(gpus / platform.gpusPerNode) === nodes || want === 0 ? {} : { gpusPerNode: literal(want) };
  return { gpus: literal(want) };
}

/** Engines and models of the workers of a graph: those of the graph, and those of workers that differ from it. */
interface Shared {
  readonly readings: ReadonlyMap<ServiceReading, WorkerReading>;
  readonly model: Code<Model> | undefined;
  readonly engine: Code<Engine> | undefined;
  readonly engines: ReadonlyMap<ServiceReading, Code<Engine> | undefined>;
  readonly models: ReadonlyMap<ServiceReading, Code<Model> | undefined>;
}

function shareEngines(services: readonly ServiceReading[], forms: readonly ComponentForm[], platform: Platform): Shared {
  const readings = new Map<ServiceReading, WorkerReading>();
  services.forEach((s, index) => {
    const form = forms[index];
    const read = form === 'engine' || form === 'bare-engine' ? readWorker(s.spec, form) : undefined;
    if (read !== undefined) readings.set(s, read);
  });
  const all = [...readings];
  const first = all[0];
  if (first === undefined) return { readings, model: undefined, engine: undefined, engines: new Map(), models: new Map() };
  const [, lead] = first;
  const same = all.filter(([, r]) => r.backend === lead.backend);
  const optionsOf = (r: WorkerReading): Readonly<Record<string, Code>> => {
    const bare = engineCode(r.backend, Object.fromEntries(Object.entries(r.options).map(([k, v]) => [k, literal(v)]))).value;
    return engineOptions(r, platform.image(bare.runtime), bare.workingDir);
  };
  const { common, own } = splitOptions(same.map(([, r]) => optionsOf(r)));
  const engine = engineCode(lead.backend, common);
  const engines = new Map(
    all.map(([s, r]): [ServiceReading, Code<Engine> | undefined] => {
      if (r.backend !== lead.backend) return [s, engineCode(r.backend, optionsOf(r))];
      const extra = propsCode({ ...own[same.findIndex(([other]) => other === s)] });
      if (isEmptyObject(extra)) return [s, undefined];
      return [
        s,
        {
          value: varyEngine(engine.value, extra.value as object),
          source: { kind: 'call', callee: 'engine.with', args: [extra.source] },
        },
      ];
    }),
  );
  const key = (r: WorkerReading): string => JSON.stringify([r.source, r.servedName ?? r.source, r.revision]);
  const code = (r: WorkerReading): Code<Model> =>
    modelCode(
      r,
      all.filter(([, o]) => key(o) === key(r)).map(([s]) => s.spec['envFromSecret']),
      platform,
    );
  return {
    readings,
    engine,
    engines,
    model: code(lead),
    models: new Map(all.map(([s, r]) => [s, key(r) === key(lead) ? undefined : code(r)])),
  };
}

/** The method and the properties that define a component, without overrides. */
function definingProps(
  service: ServiceReading,
  form: ComponentForm,
  shared: Shared,
  routed: boolean,
  services: readonly ServiceReading[],
  platform: Platform,
): Pick<ComponentPlan, 'method' | 'props'> {
  const { spec } = service;
  const subType = spec['subComponentType'];
  const moduleIn = moduleInArgs(spec) ? literal('args') : undefined;
  const [program] = commandLine(spec);
  const python = program !== undefined && program !== 'python3' && isPythonPath(program) ? literal(program) : undefined;
  const reading = shared.readings.get(service);
  if (reading !== undefined) {
    const engine = shared.engines.get(service);
    const run = (engine ?? shared.engine)?.value;
    const extraArgs = reading.rest.length === 0 ? undefined : literal(reading.rest);
    const gpus = run === undefined ? 0 : varyEngine(run, { extraArgs: reading.rest }).gpus;
    const sub = reading.role === 'aggregated' && (subType === 'prefill' || subType === 'decode') ? literal(subType) : undefined;
    return {
      method: addMethods[reading.role],
      props: {
        engine,
        model: shared.models.get(service),
        subType: sub,
        python,
        moduleIn,
        extraArgs,
        ...gpuProps(spec, gpus, platform),
      },
    };
  }
  if (form === 'frontend') {
    const { router, rest } = routerOf(services);
    const [, dash, module, ...all] = commandLine(spec);
    const direct = dash === '-m' && module === 'dynamo.frontend' && isPythonPath(program ?? '');
    const args = routed && router !== undefined ? rest : all;
    // Without arguments, the default command of the operator starts the frontend.
    if (!direct || (all.length === 0 && args.length === 0)) return { method: 'addFrontend', props: {} };
    return { method: 'addFrontend', props: { python, moduleIn, extraArgs: args.length > 0 ? literal(args) : undefined } };
  }
  if (form === 'planner') return { method: 'addPlanner', props: { python, moduleIn, ...plannerProps(commandLine(spec)) } };
  if (form === 'custom') {
    const nodes = valueAt(spec, 'multinode', 'nodeCount');
    const gpus = valueAt(spec, 'resources', 'limits', 'gpu');
    const [, dash, module, ...args] = commandLine(spec);
    const runs = isPythonPath(program ?? '') && dash === '-m' && module !== undefined;
    return {
      method: 'addComponent',
      props: {
        type: componentTypes.includes(spec['componentType'] as ComponentType) ? literal(spec['componentType']) : undefined,
        subType: typeof subType === 'string' ? literal(subType) : undefined,
        gpus: typeof gpus === 'string' && /^[1-9]\d*$/.test(gpus) ? literal(Number(gpus)) : undefined,
        module: runs ? literal(module) : undefined,
        python: runs ? python : undefined,
        moduleIn: runs ? moduleIn : undefined,
        extraArgs: runs && args.length > 0 ? literal(args) : undefined,
        nodeCount: typeof nodes === 'number' && nodes > 1 ? literal(nodes) : undefined,
      },
    };
  }
  return { method: 'addManifest', props: {} };
}

function cacheProps(
  service: ServiceReading,
  form: ComponentForm,
  cache: CacheReading | undefined,
  code: Code | undefined,
): Props {
  if (cache === undefined || form === 'manifest') return {};
  const mounts = listAt(service.spec, 'volumeMounts');
  const byDefault = form === 'engine' || form === 'bare-engine' || form === 'frontend';
  if (mounts.length === 0) return byDefault ? { modelCache: literal(false) } : {};
  return {
    modelCache: byDefault || code === undefined ? undefined : name('modelCache', code.value),
    compilationCache: mounts.length > 1 ? literal(true) : undefined,
  };
}

function graphProps(
  doc: JsonObject,
  shared: Shared,
  router: Code | undefined,
  cache: Code | undefined,
  services: readonly ServiceReading[],
  context: ImportContext,
): Props {
  const spec = objectAt(doc, 'spec');
  const { name: _, namespace, ...metadata } = objectAt(doc, 'metadata');
  const env = envCode(listAt(spec, 'envs'));
  const meta = { ...metadata, ...(namespace === undefined || namespace === context.namespace ? {} : { namespace }) };
  const { services: _s, backendFramework, envs, pvcs, ...rest } = spec;
  const fields = {
    ...rest,
    ...(envs !== undefined && (env === undefined || listAt(spec, 'envs').length === 0) ? { envs } : {}),
    ...(pvcs !== undefined && cache === undefined ? { pvcs } : {}),
  };
  return {
    metadata: Object.keys(meta).length === 0 ? undefined : literal(meta),
    model: shared.model,
    engine: shared.engine,
    router,
    modelCache: cache === undefined ? undefined : name('modelCache', cache.value),
    backend: typeof backendFramework === 'string' ? literal(backendFramework) : undefined,
    env: env === undefined || listAt(spec, 'envs').length === 0 ? undefined : env,
    frontend: services.some((s) => s.spec['componentType'] === 'frontend') ? undefined : literal(false),
    spec: Object.keys(fields).length === 0 ? undefined : literal(fields),
  };
}

/** Plans a graph with the given forms, and the patches that it then needs. */
function attempt(
  doc: JsonObject,
  services: readonly ServiceReading[],
  { cacheId, forms, routed }: Attempt,
  context: ImportContext,
): GraphPlan {
  const own = valueAt(doc, 'metadata', 'name');
  const id = typeof own === 'string' ? own : '';
  const shared = shareEngines(services, forms, context.platform);
  const router = routed ? routerOf(services).router : undefined;
  const read = readCache(valueAt(doc, 'spec', 'pvcs'), services);
  const chart = scratchChart(context);
  const cache = read === undefined ? undefined : cacheCode(read, chart, cacheId);
  const props = graphProps(doc, shared, router, cache, services, context);
  const value = propsCode(props).value as DynamoGraphProps;
  const bare = new DynamoGraph(chart, 'bare', { ...value, name: id });
  const planned = services.map((service, index) => {
    const form = forms[index] ?? 'manifest';
    const { method, props: own } = definingProps(service, form, shared, routed, services, context.platform);
    return {
      name: service.name,
      form,
      method,
      manifest: service.spec,
      props: { ...own, ...cacheProps(service, form, read, cache) },
    };
  });
  const derived = planned.map((plan) => addPlanned(bare, plan, propsCode(plan.props)));
  const full = new DynamoGraph(chart, 'full', { ...value, name: id });
  const components = planned.map((plan, index): ComponentPlan => {
    const base = withoutNulls(derived[index]?.render() ?? {});
    const merged =
      plan.method === 'addManifest'
        ? {}
        : { ...plan.props, ...definedOnly(overrides(base, plan.manifest, !derivingForms.includes(plan.form))) };
    const component = addPlanned(full, plan, propsCode(merged));
    return { ...plan, props: merged, patches: diff(withoutNulls(component.render()), plan.manifest) };
  });
  const rendered = full.toJson();
  const withServices = {
    ...rendered,
    spec: { ...objectAt(rendered as JsonObject, 'spec'), services: valueAt(doc, 'spec', 'services') },
  };
  const expected =
    isObject(doc['spec']) && doc['spec']['services'] === undefined ? { ...withServices, spec: rendered['spec'] } : withServices;
  return { id, props, components, cache, engine: shared.engine, patches: diff(expected, doc) };
}

function bigIntegers(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value === 'bigint') return [path];
  if (Array.isArray(value)) return value.some((item) => bigIntegers(item).length > 0) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => bigIntegers(member, [...path, key]));
}

function definedOnly(props: Props): Props {
  return Object.fromEntries(Object.entries(props).filter(([, code]) => code !== undefined));
}

const patchLimit = 2;
/** Forms that derive the command of a component. */
const derivingForms: readonly ComponentForm[] = ['engine', 'bare-engine', 'planner'];

/** Plans a graph: tries the forms of each component, the most specific first, until it needs few patches. */
export function planGraph(object: JsonObject, context: ImportContext, cacheId: string, invalid: readonly Path[] = []): GraphPlan {
  const whole = withoutNulls(object);
  const unknown = normalizeResource(whole).warnings.filter((w) => w.code === 'unknown_field');
  // Patches set what the types do not accept: unknown fields, invalid values, integers above `Number.MAX_SAFE_INTEGER`.
  const untyped = [...unknown.map((w) => w.path), ...invalid, ...bigIntegers(whole)];
  const doc = withoutPaths(whole, untyped);
  const services = Object.entries(objectAt(doc, 'spec', 'services')).map(([key, spec]: [string, Json | undefined]) =>
    readService(key, spec),
  );
  const plans = (routerOf(services).router === undefined ? [false] : [true, false]).map((routed) => {
    let forms: readonly ComponentForm[] = services.map((s) => s.forms[0] ?? 'manifest');
    for (;;) {
      const plan = attempt(doc, services, { cacheId, forms, routed }, context);
      const next = forms.map((form, index) => {
        const patches = plan.components[index]?.patches ?? [];
        const known = services[index]?.forms ?? [];
        // Patched arguments would contradict the engine's options.
        const contradicts = derivingForms.includes(form) && patches.some((p) => /mainContainer(\/(args|command))?$/.test(p.path));
        return contradicts || patches.length > patchLimit ? (known[known.indexOf(form) + 1] ?? 'manifest') : form;
      });
      if (next.every((form, index) => form === forms[index])) return plan;
      forms = next;
    }
  });
  const cost = (plan: GraphPlan): number =>
    plan.components.reduce(
      (sum, c) => sum + c.patches.length + (c.form === 'engine' || c.form === 'frontend' ? 0 : c.form === 'manifest' ? 4 : 2),
      plan.patches.length,
    );
  return withUntyped(
    plans.reduce((best, plan) => (cost(plan) < cost(best) ? plan : best)),
    doc,
    whole,
  );
}

/** Adds patches for fields that the types do not accept. */
function withUntyped(plan: GraphPlan, doc: JsonObject, whole: JsonObject): GraphPlan {
  const services = ['spec', 'services'];
  const components = plan.components.map((c) => ({
    ...c,
    patches: [...c.patches, ...diff(valueAt(doc, ...services, c.name), valueAt(whole, ...services, c.name))],
  }));
  return {
    ...plan,
    components,
    patches: [...plan.patches, ...diff(withoutPaths(doc, [services]), withoutPaths(whole, [services]))],
  };
}
