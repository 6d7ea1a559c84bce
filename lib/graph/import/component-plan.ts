import { valueAt, listAt } from '../../json/index.ts';
import { Size } from 'cdk8s';
import { isObject, type Json, type JsonObject } from '../../api/index.ts';
import { Engine } from '../engine/engine.ts';
import type { Role } from '../engine/base.ts';
import { KvConnector } from '../kv-connector.ts';
import { call, literal, object, type Code } from './code.ts';
import { modules, readEngineArgs, type EngineArgs, type ImportedBackend } from './engine-args.ts';

/** How a component may be written, the most telling way first. */
export type Way = 'engine' | 'bare-engine' | 'frontend' | 'planner' | 'custom' | 'manifest';

/** An engine worker as read from a manifest. */
export interface WorkerReading extends EngineArgs {
  readonly backend: ImportedBackend;
  readonly image: string | undefined;
  readonly workingDir: string | undefined;
  /** Host memory of KVBM, as the environment says. */
  readonly kvbmGib: number | undefined;
}

/** A component of a manifest. */
export interface ServiceReading {
  readonly name: string;
  readonly spec: JsonObject;
  readonly ways: readonly Way[];
}

const strings = (list: readonly Json[]): readonly string[] => list.filter((i) => typeof i === 'string');

/** The words a component runs, when no shell is between. */
export function words(spec: JsonObject): readonly string[] {
  const container = valueAt(spec, 'extraPodSpec', 'mainContainer');
  return [...strings(listAt(container, 'command')), ...strings(listAt(container, 'args'))];
}

/** Whether a program is one that runs modules, by a name that the `python` property can give. */
export function isPython(program: string): boolean {
  return /^(?:\/[\w./-]*\/)?python3?(?:\.\d{1,2})?$/.test(program);
}

/** Whether the module begins the arguments instead of ending the command. */
export function moduleInArgs(spec: JsonObject): boolean {
  const container = valueAt(spec, 'extraPodSpec', 'mainContainer');
  return listAt(container, 'command').length === 1 && listAt(container, 'args')[0] === '-m';
}

/** Reads a worker's engine; undefined for anything else. */
export function readWorker(spec: JsonObject, way: Way): WorkerReading | undefined {
  const [python = '', dash, module = '', ...args] = words(spec);
  const backend =
    isPython(python) && dash === '-m' && Object.hasOwn(modules, module) ? modules[module as keyof typeof modules] : undefined;
  if (backend === undefined) return undefined;
  const read = readEngineArgs(backend, args, way === 'bare-engine');
  if (read === undefined) return undefined;
  const image = valueAt(spec, 'extraPodSpec', 'mainContainer', 'image');
  const workingDir = valueAt(spec, 'extraPodSpec', 'mainContainer', 'workingDir');
  const reading: WorkerReading = {
    ...read,
    backend,
    image: typeof image === 'string' ? image : undefined,
    workingDir: typeof workingDir === 'string' ? workingDir : undefined,
    kvbmGib: kvbmGib(spec),
  };
  // Only vLLM's workers have a property for compiled kernels.
  const kernels = backend !== 'vllm' && listAt(spec, 'volumeMounts').length > 1;
  return kernels || (read.connector !== undefined && connectorCode(reading) === undefined) ? undefined : reading;
}

/** Reads a component: which ways of writing it are worth a try. */
export function readService(name: string, spec: Json | undefined): ServiceReading {
  if (!isObject(spec)) return { name, spec: {}, ways: ['manifest'] };
  const type = spec['componentType'];
  const module = words(spec)[2];
  const ways: Way[] = [];
  if (readWorker(spec, 'engine') !== undefined) ways.push('engine');
  if (readWorker(spec, 'bare-engine') !== undefined) ways.push('bare-engine');
  if (type === 'frontend') ways.push('frontend');
  if (type === 'planner' && module === 'planner_sla') ways.push('planner');
  return { name, spec, ways: [...ways, 'custom', 'manifest'] };
}

type Stackable = ReturnType<typeof KvConnector.nixl>;

function stackable(name: string, kvbmGib: number | undefined): Code<Stackable> | undefined {
  if (name === 'nixl') return call('KvConnector.nixl', () => KvConnector.nixl());
  if (name === 'lmcache') return call('KvConnector.lmcache', () => KvConnector.lmcache());
  if (name !== 'kvbm' || kvbmGib === undefined) return undefined;
  const cpu = call('Size.gibibytes', (n: number) => Size.gibibytes(n), literal(kvbmGib));
  return call(
    'KvConnector.kvbm',
    (options: { readonly cpu: Size }) => KvConnector.kvbm(options),
    object<{ readonly cpu: Size }>({ cpu }),
  );
}

/** A connector as code; undefined where it cannot be written. */
function connectorCode(reading: WorkerReading): Code<KvConnector> | undefined {
  const names = reading.connector ?? [];
  if (names.length === 1 && names[0] === 'none') return call('KvConnector.none', () => KvConnector.none());
  const codes = names.map((n) => stackable(n, reading.kvbmGib)).filter((c) => c !== undefined);
  const [first, second] = codes;
  if (codes.length !== names.length || first === undefined || codes.length > 2) return undefined;
  return second === undefined
    ? first
    : call('KvConnector.multi', (a: Stackable, b: Stackable) => KvConnector.multi(a, b), first, second);
}

function kvbmGib(spec: JsonObject): number | undefined {
  const item = listAt(spec, 'envs').find((e) => isObject(e) && e['name'] === 'DYN_KVBM_CPU_CACHE_GB');
  const text = valueAt(item, 'value');
  return typeof text === 'string' && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined;
}

/** The options of a reading as code by name, images and folders that are not the defaults among them. */
export function engineOptions(reading: WorkerReading, image: string, workingDir: string): Readonly<Record<string, Code>> {
  const connector = connectorCode(reading);
  return {
    ...Object.fromEntries(Object.entries(reading.options).map(([k, v]) => [k, literal(v)])),
    ...(connector === undefined ? {} : { connector }),
    ...(reading.image === undefined || reading.image === image ? {} : { image: literal(reading.image) }),
    ...(reading.workingDir === undefined || reading.workingDir === workingDir ? {} : { workingDir: literal(reading.workingDir) }),
  };
}

/** An engine with options as code. */
export function engineCode(backend: ImportedBackend, options: Readonly<Record<string, Code>>): Code<Engine> {
  const make = Engine[backend] as (options: object) => Engine;
  return call(`Engine.${backend}`, make, object<object>(options as Record<string, never>));
}

/** The method that adds a worker of a role. */
export const addMethods = { aggregated: 'addWorker', prefill: 'addPrefill', decode: 'addDecode' } as const satisfies Record<
  Role,
  string
>;
