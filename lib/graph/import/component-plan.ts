import { valueAt, listAt } from '../../json/index.ts';
import { Size } from 'cdk8s';
import { isObject, type Json, type JsonObject } from '../../api/index.ts';
import { Engine } from '../engine/engine.ts';
import type { Role } from '../engine/base.ts';
import { KvConnector } from '../kv-connector.ts';
import { call, literal, object, type Code } from './code.ts';
import { modules, readEngineArgs, type EngineArgs, type ImportedBackend } from './engine-args.ts';

/** Forms in which a component can be written, the most specific first. */
export type ComponentForm = 'engine' | 'bare-engine' | 'frontend' | 'planner' | 'custom' | 'manifest';

/** An engine worker as read from a manifest. */
export interface WorkerReading extends EngineArgs {
  readonly backend: ImportedBackend;
  readonly image: string | undefined;
  readonly workingDir: string | undefined;
  /** Host memory of KVBM in GiB, from the environment variables. */
  readonly kvbmGib: number | undefined;
}

/** A component of a manifest. */
export interface ServiceReading {
  readonly name: string;
  readonly spec: JsonObject;
  readonly forms: readonly ComponentForm[];
}

const strings = (list: readonly Json[]): readonly string[] => list.filter((i) => typeof i === 'string');

/** Command and arguments of the main container. */
export function commandLine(spec: JsonObject): readonly string[] {
  const container = valueAt(spec, 'extraPodSpec', 'mainContainer');
  return [...strings(listAt(container, 'command')), ...strings(listAt(container, 'args'))];
}

/** Whether a program is `python3`, another version of it, or an absolute path to one: what the property `python` of a component takes. */
export function isPythonPath(program: string): boolean {
  return /^(?:\/[\w./-]*\/)?python3?(?:\.\d{1,2})?$/.test(program);
}

/** Whether `-m MODULE` is at the start of the arguments instead of at the end of the command. */
export function moduleInArgs(spec: JsonObject): boolean {
  const container = valueAt(spec, 'extraPodSpec', 'mainContainer');
  return listAt(container, 'command').length === 1 && listAt(container, 'args')[0] === '-m';
}

/** Reads a worker's engine; undefined for anything else. */
export function readWorker(spec: JsonObject, form: ComponentForm): WorkerReading | undefined {
  const [python = '', dash, module = '', ...args] = commandLine(spec);
  const backend =
    isPythonPath(python) && dash === '-m' && Object.hasOwn(modules, module) ? modules[module as keyof typeof modules] : undefined;
  if (backend === undefined) return undefined;
  const read = readEngineArgs(backend, args, form === 'bare-engine');
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
  // Only vLLM workers have the property `compilationCache`.
  const kernels = backend !== 'vllm' && listAt(spec, 'volumeMounts').length > 1;
  return kernels || (read.connector !== undefined && connectorCode(reading) === undefined) ? undefined : reading;
}

/** Reads a component and the forms to try for it. */
export function readService(name: string, spec: Json | undefined): ServiceReading {
  if (!isObject(spec)) return { name, spec: {}, forms: ['manifest'] };
  const type = spec['componentType'];
  const module = commandLine(spec)[2];
  const forms: ComponentForm[] = [];
  if (readWorker(spec, 'engine') !== undefined) forms.push('engine');
  if (readWorker(spec, 'bare-engine') !== undefined) forms.push('bare-engine');
  if (type === 'frontend') forms.push('frontend');
  if (type === 'planner' && module === 'planner_sla') forms.push('planner');
  return { name, spec, forms: [...forms, 'custom', 'manifest'] };
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

/** Code for a connector; undefined if it cannot be expressed. */
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
  const gib = valueAt(item, 'value');
  return typeof gib === 'string' && /^[1-9]\d{0,6}$/.test(gib) ? Number(gib) : undefined;
}

/** Code for the options of an engine by name, including an image and a working directory that are not the defaults. */
export function engineOptions(reading: WorkerReading, image: string, workingDir: string): Readonly<Record<string, Code>> {
  const connector = connectorCode(reading);
  return {
    ...Object.fromEntries(Object.entries(reading.options).map(([k, v]) => [k, literal(v)])),
    ...(connector === undefined ? {} : { connector }),
    ...(reading.image === undefined || reading.image === image ? {} : { image: literal(reading.image) }),
    ...(reading.workingDir === undefined || reading.workingDir === workingDir ? {} : { workingDir: literal(reading.workingDir) }),
  };
}

/** Code for an engine with options. */
export function engineCode(backend: ImportedBackend, options: Readonly<Record<string, Code>>): Code<Engine> {
  const make = Engine[backend] as (options: object) => Engine;
  return call(`Engine.${backend}`, make, object<object>(options as Record<string, never>));
}

/** The method that adds a worker of a role. */
export const addMethods = { aggregated: 'addWorker', prefill: 'addPrefill', decode: 'addDecode' } as const satisfies Record<
  Role,
  string
>;
