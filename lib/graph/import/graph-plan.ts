import { valueAt, listAt, objectAt, type Path } from '../../json/index.ts';
import { App } from 'cdk8s';
import { isObject, normalizeResource, type ComponentSpec, type Json, type JsonObject } from '../../api/index.ts';
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
  isPython,
  readService,
  moduleInArgs,
  readWorker,
  words,
  type ServiceReading,
  type Way,
  type WorkerReading,
} from './component-plan.ts';
import { cacheCode, modelCode, readCache, readRouter, splitOptions, type CacheReading } from './graph-reading.ts';
import { diff, without, withoutNulls, type Operation } from './json-diff.ts';
import { envCode, overrides, propsCode, type Props } from './overrides.ts';
import { plannerProps } from './planner-plan.ts';

/** What all graphs of an import share. */
export interface ImportContext {
  readonly platform: Platform;
  /** Namespace of the chart, when all objects share one. */
  readonly namespace: string | undefined;
  /** How code is printed. */
  readonly print: PrintOptions;
  /** Everything that is imported together. */
  readonly around: LintIndex;
}

/** A component as it will be added: the method, its properties, and what only patches can say. */
export interface ComponentPlan {
  readonly name: string;
  readonly way: Way;
  readonly method: 'addFrontend' | 'addWorker' | 'addPrefill' | 'addDecode' | 'addPlanner' | 'addComponent' | 'addManifest';
  readonly props: Props;
  readonly manifest: JsonObject;
  readonly patches: readonly Operation[];
}

/** A graph as it will be written. */
export interface GraphPlan {
  readonly id: string;
  readonly props: Props;
  readonly components: readonly ComponentPlan[];
  readonly cache: Code | undefined;
  readonly engine: Code | undefined;
  readonly patches: readonly Operation[];
}

interface Try {
  /** Id of the cache's construct, should there be one. */
  readonly cacheId: string;
  readonly ways: readonly Way[];
  readonly routed: boolean;
}

/** An empty chart like the one the written code will make. */
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

/** What the workers of a graph run and serve, as said once for all of them where they agree. */
interface Shared {
  readonly readings: ReadonlyMap<ServiceReading, WorkerReading>;
  readonly model: Code<Model> | undefined;
  readonly engine: Code<Engine> | undefined;
  readonly engines: ReadonlyMap<ServiceReading, Code<Engine> | undefined>;
  readonly models: ReadonlyMap<ServiceReading, Code<Model> | undefined>;
}

function shareEngines(services: readonly ServiceReading[], ways: readonly Way[], platform: Platform): Shared {
  const readings = new Map<ServiceReading, WorkerReading>();
  services.forEach((s, index) => {
    const way = ways[index];
    const read = way === 'engine' || way === 'bare-engine' ? readWorker(s.spec, way) : undefined;
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

/** The properties that make a component what it is, before anything is overridden. */
function essentials(
  service: ServiceReading,
  way: Way,
  shared: Shared,
  routed: boolean,
  services: readonly ServiceReading[],
  platform: Platform,
): Pick<ComponentPlan, 'method' | 'props'> {
  const { spec } = service;
  const subType = spec['subComponentType'];
  const moduleIn = moduleInArgs(spec) ? literal('args') : undefined;
  const [program] = words(spec);
  const python = program !== undefined && program !== 'python3' && isPython(program) ? literal(program) : undefined;
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
  if (way === 'frontend') {
    const { router, rest } = routerOf(services);
    const [, dash, module, ...all] = words(spec);
    const direct = dash === '-m' && module === 'dynamo.frontend' && isPython(program ?? '');
    const args = routed && router !== undefined ? rest : all;
    // Without arguments the operator starts the frontend by itself.
    if (!direct || (all.length === 0 && args.length === 0)) return { method: 'addFrontend', props: {} };
    return { method: 'addFrontend', props: { python, moduleIn, extraArgs: args.length > 0 ? literal(args) : undefined } };
  }
  if (way === 'planner') return { method: 'addPlanner', props: { python, moduleIn, ...plannerProps(words(spec)) } };
  if (way === 'custom') {
    const nodes = valueAt(spec, 'multinode', 'nodeCount');
    const gpus = valueAt(spec, 'resources', 'limits', 'gpu');
    const [, dash, module, ...args] = words(spec);
    const runs = isPython(program ?? '') && dash === '-m' && module !== undefined;
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

function cacheProps(service: ServiceReading, way: Way, cache: CacheReading | undefined, code: Code | undefined): Props {
  if (cache === undefined || way === 'manifest') return {};
  const mounts = listAt(service.spec, 'volumeMounts');
  const byDefault = way === 'engine' || way === 'bare-engine' || way === 'frontend';
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

/** Plans a graph one way, and sees what is left to patch. */
function attempt(
  doc: JsonObject,
  services: readonly ServiceReading[],
  { cacheId, ways, routed }: Try,
  context: ImportContext,
): GraphPlan {
  const own = valueAt(doc, 'metadata', 'name');
  const id = typeof own === 'string' ? own : '';
  const shared = shareEngines(services, ways, context.platform);
  const router = routed ? routerOf(services).router : undefined;
  const read = readCache(valueAt(doc, 'spec', 'pvcs'), services);
  const chart = scratchChart(context);
  const cache = read === undefined ? undefined : cacheCode(read, chart, cacheId);
  const props = graphProps(doc, shared, router, cache, services, context);
  const value = propsCode(props).value as DynamoGraphProps;
  const bare = new DynamoGraph(chart, 'bare', { ...value, name: id });
  const planned = services.map((service, index) => {
    const way = ways[index] ?? 'manifest';
    const { method, props: own } = essentials(service, way, shared, routed, services, context.platform);
    return {
      name: service.name,
      way,
      method,
      manifest: service.spec,
      props: { ...own, ...cacheProps(service, way, read, cache) },
    };
  });
  const derived = planned.map((plan) => addPlanned(bare, plan, propsCode(plan.props)));
  const full = new DynamoGraph(chart, 'full', { ...value, name: id });
  const components = planned.map((plan, index): ComponentPlan => {
    const base = withoutNulls(derived[index]?.render() ?? {}) as ComponentSpec;
    const merged =
      plan.method === 'addManifest'
        ? {}
        : { ...plan.props, ...definedOnly(overrides(base, plan.manifest, !derives.includes(plan.way))) };
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
const derives: readonly Way[] = ['engine', 'bare-engine', 'planner'];

/** Tries the ways to write a graph, from the shortest, and takes the first that needs few patches. */
export function planGraph(object: JsonObject, context: ImportContext, cacheId: string, odd: readonly Path[] = []): GraphPlan {
  const whole = withoutNulls(object) as JsonObject;
  const unknown = normalizeResource(whole).warnings.filter((w) => w.code === 'unknown_field');
  // What no type takes is left to patches: unknown fields, wrong values, integers beyond those of JavaScript.
  const untyped = [...unknown.map((w) => w.path), ...odd, ...bigIntegers(whole)];
  const doc = without(whole, untyped) as JsonObject;
  const services = Object.entries(objectAt(doc, 'spec', 'services')).map(([key, spec]: [string, Json | undefined]) =>
    readService(key, spec),
  );
  const plans = (routerOf(services).router === undefined ? [false] : [true, false]).map((routed) => {
    let ways: readonly Way[] = services.map((s) => s.ways[0] ?? 'manifest');
    for (;;) {
      const plan = attempt(doc, services, { cacheId, ways, routed }, context);
      const next = ways.map((way, index) => {
        const patches = plan.components[index]?.patches ?? [];
        const known = services[index]?.ways ?? [];
        // Arguments patched over an engine's own would contradict its options.
        const lies = derives.includes(way) && patches.some((p) => /mainContainer(\/(args|command))?$/.test(p.path));
        return lies || patches.length > patchLimit ? (known[known.indexOf(way) + 1] ?? 'manifest') : way;
      });
      if (next.every((way, index) => way === ways[index])) return plan;
      ways = next;
    }
  });
  const weigh = (plan: GraphPlan): number =>
    plan.components.reduce(
      (sum, c) => sum + c.patches.length + (c.way === 'engine' || c.way === 'frontend' ? 0 : c.way === 'manifest' ? 4 : 2),
      plan.patches.length,
    );
  return withUnknown(
    plans.reduce((best, plan) => (weigh(plan) < weigh(best) ? plan : best)),
    doc,
    whole,
  );
}

/** Adds fields that no type knows as patches. */
function withUnknown(plan: GraphPlan, doc: JsonObject, whole: JsonObject): GraphPlan {
  const services = ['spec', 'services'];
  const components = plan.components.map((c) => ({
    ...c,
    patches: [...c.patches, ...diff(valueAt(doc, ...services, c.name), valueAt(whole, ...services, c.name))],
  }));
  return { ...plan, components, patches: [...plan.patches, ...diff(without(doc, [services]), without(whole, [services]))] };
}
