import { findCount, findString, isObject, type Json, type JsonObject, listAt, objectAt, type Path } from '../json/index.ts';
import { isGpuResource } from '../fit/index.ts';
import { readCommandLine, type CommandLine, type Flag, type Argument } from './command-line.ts';

/** An engine: one of the three backends, or the mocker. */
type Engine = 'vllm' | 'sglang' | 'trtllm' | 'mocker';

/** The role of a worker in a disaggregated graph. */
export type WorkerRole = 'prefill' | 'decode';

/** The level that sets an environment variable, in ascending precedence. */
type EnvLevel = 'container' | 'graph' | 'service';

/** An environment variable set at one level (graph, service or container). */
export interface EnvEntry {
  readonly name: string;
  /** Undefined for a variable with `valueFrom`. */
  readonly value?: string;
  readonly level: EnvLevel;
  readonly path: Path;
}

/** A volume mount of a component's container, from `volumeMounts` of the component or of `extraPodSpec.mainContainer`. */
export interface Mount {
  readonly volume: string;
  readonly mountPath: string;
  readonly subPath?: string;
  readonly path: Path;
  /** The volume in `extraPodSpec.volumes` and its claim or ConfigMap, or the claim that `volumeMounts` of the component names. */
  readonly source: { readonly claim?: string; readonly configMap?: string; readonly volume?: JsonObject };
  /** Whether the mount is in `extraPodSpec.mainContainer`. */
  readonly inPodSpec: boolean;
  readonly compilationCache: boolean;
}

/** One component of a graph, parsed once for all rules. */
export interface ComponentView {
  readonly key: string;
  readonly path: Path;
  readonly spec: JsonObject;
  readonly container: JsonObject;
  readonly containerPath: Path;
  readonly type: string;
  readonly subType: string;
  readonly replicas: number;
  readonly nodes: number;
  /** GPUs of one pod; undefined when the limit is not a whole number. */
  readonly gpus: number | undefined;
  readonly command: CommandLine;
  readonly engine?: Engine;
  /** The role by componentType or subComponentType. */
  readonly declaredRole?: WorkerRole;
  /** The role by the flags of the engine. */
  readonly flagRole?: WorkerRole;
  /** The variables of all levels, in ascending precedence. */
  readonly env: readonly EnvEntry[];
  readonly mounts: readonly Mount[];
}

/** The default command and args of a component type; the args also apply to a container that sets only its command. */
const defaultCommands = new Map<string, { readonly command: readonly string[]; readonly args: readonly string[] }>([
  ['frontend', { command: ['python3'], args: ['-m', 'dynamo.frontend'] }],
  ['epp', { command: [], args: [] }],
]);
const shellCommand = { command: ['/bin/sh', '-c'], args: [] };
const engines: readonly (readonly [RegExp, Engine])[] = [
  [/^dynamo\.vllm(?:\.(?:main|unified_main|omni))?$/, 'vllm'],
  [/^dynamo\.sglang(?:\.(?:main|unified_main|worker|decode_worker))?$/, 'sglang'],
  [/^dynamo\.trtllm(?:\.(?:main|unified_main))?$/, 'trtllm'],
  [/^dynamo\.mocker(?:\.main)?$/, 'mocker'],
];

function readEnv(list: readonly Json[], level: EnvLevel, path: Path): readonly EnvEntry[] {
  return list.flatMap((item, index) => {
    const name = findString(item, 'name');
    if (name === undefined) return [];
    const value = isObject(item) && isObject(item['valueFrom']) ? undefined : (findString(item, 'value') ?? '');
    return [{ name, level, path: [...path, index], ...(value === undefined ? {} : { value }) }];
  });
}

function readMounts(spec: JsonObject, path: Path): readonly Mount[] {
  const volumes = new Map(
    listAt(spec, 'extraPodSpec', 'volumes').map((v) => [findString(v, 'name') ?? '', isObject(v) ? v : {}]),
  );
  const ofComponent = listAt(spec, 'volumeMounts').map((m, index) => {
    const name = findString(m, 'name') ?? '';
    return {
      volume: name,
      mountPath: findString(m, 'mountPoint') ?? '',
      path: [...path, 'volumeMounts', index],
      source: { claim: name },
      inPodSpec: false,
      compilationCache: isObject(m) && m['useAsCompilationCache'] === true,
    };
  });
  const ofPodSpec = listAt(spec, 'extraPodSpec', 'mainContainer', 'volumeMounts').map((m, index) => {
    const name = findString(m, 'name') ?? '';
    const volume = volumes.get(name);
    const claim = findString(volume, 'persistentVolumeClaim', 'claimName');
    const configMap = findString(volume, 'configMap', 'name');
    const subPath = findString(m, 'subPath');
    return {
      volume: name,
      mountPath: findString(m, 'mountPath') ?? '',
      path: [...path, 'extraPodSpec', 'mainContainer', 'volumeMounts', index],
      source: {
        ...(volume === undefined ? {} : { volume }),
        ...(claim === undefined ? {} : { claim }),
        ...(configMap === undefined ? {} : { configMap }),
      },
      inPodSpec: true,
      compilationCache: false,
      ...(subPath === undefined ? {} : { subPath }),
    };
  });
  return [...ofComponent, ...ofPodSpec];
}

const roles = new Map<string, WorkerRole>([
  ['prefill', 'prefill'],
  ['decode', 'decode'],
]);

function flagRole(engine: Engine | undefined, command: CommandLine): WorkerRole | undefined {
  const has = (name: string): boolean => command.flags.some((f) => f.name === name);
  if (has('--is-prefill-worker')) return 'prefill';
  if (has('--is-decode-worker')) return 'decode';
  const mode =
    engine === undefined ? undefined : command.flags.findLast((f) => f.name === '--disaggregation-mode')?.values[0]?.value;
  return mode === undefined ? undefined : roles.get(mode);
}

/** GPUs of the rendered container. The limits of the component override those of the container. */
function gpusOfComponent(spec: JsonObject): number | undefined {
  const limits = objectAt(spec, 'resources', 'limits');
  const own = objectAt(spec, 'extraPodSpec', 'mainContainer', 'resources', 'limits');
  const type = findString(limits, 'gpuType') || 'nvidia.com/gpu';
  const given = limits['gpu'] ?? '';
  const merged: JsonObject = { ...own, ...(given === '' ? {} : { [type]: given }), ...objectAt(limits, 'custom') };
  const names = Object.keys(merged).filter((name) => isGpuResource(name) || (name === type && given !== ''));
  let gpus = 0;
  for (const name of names) {
    const count = findCount(merged, name);
    if (count === undefined) return undefined;
    gpus += count;
  }
  return gpus;
}

/** Parses one component at a path of its resource. `graphEnv` is `spec.envs` of the graph. */
export function viewComponent(key: string, spec: JsonObject, path: Path, graphEnv: readonly Json[]): ComponentView {
  const containerPath = [...path, 'extraPodSpec', 'mainContainer'];
  const container = objectAt(spec, 'extraPodSpec', 'mainContainer');
  const env = [
    ...readEnv(listAt(container, 'env'), 'container', [...containerPath, 'env']),
    ...readEnv(graphEnv, 'graph', ['spec', 'envs']),
    ...readEnv(listAt(spec, 'envs'), 'service', [...path, 'envs']),
  ];
  const merged = new Map(env.map((e) => [e.name, e.value]));
  const type = findString(spec, 'componentType') ?? '';
  const subType = findString(spec, 'subComponentType') ?? '';
  const command = readCommandLine(container, containerPath, defaultCommands.get(type) ?? shellCommand, (name) =>
    merged.get(name),
  );
  const engine = engines.find(([pattern]) => pattern.test(command.module ?? ''))?.[1];
  const declared = roles.get(subType) ?? roles.get(type);
  const flagged = flagRole(engine, command);
  return {
    key,
    path,
    spec,
    container,
    containerPath,
    type,
    subType,
    replicas: findCount(spec, 'replicas') ?? 1,
    nodes: isObject(spec['multinode']) ? (findCount(spec, 'multinode', 'nodeCount') ?? 2) : 1,
    gpus: gpusOfComponent(spec),
    command,
    env,
    mounts: readMounts(spec, path),
    ...(engine === undefined ? {} : { engine }),
    ...(declared === undefined ? {} : { declaredRole: declared }),
    ...(flagged === undefined ? {} : { flagRole: flagged }),
  };
}

/** The last flag with any of these names. */
export function findFlag(component: ComponentView, ...names: readonly string[]): Flag | undefined {
  return component.command.flags.findLast((f) => names.includes(f.name));
}

/** The first value of the last flag with any of these names. */
export function flagArgument(component: ComponentView, ...names: readonly string[]): Argument | undefined {
  return findFlag(component, ...names)?.values[0];
}

/** The value of a flag as a string; undefined when it refers to an unknown variable. */
export function flagValue(component: ComponentView, ...names: readonly string[]): string | undefined {
  const argument = flagArgument(component, ...names);
  return argument === undefined || argument.unresolved ? undefined : argument.value;
}

/** The value of a flag as a whole number: the fallback when the flag is absent, undefined when the value is unknown or not a whole number. */
export function flagCount(component: ComponentView, fallback: number, ...names: readonly string[]): number | undefined {
  const flag = findFlag(component, ...names);
  if (flag === undefined) return fallback;
  const value = flag.values[0]?.unresolved === true ? undefined : flag.values[0]?.value;
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

/** The entry of an environment variable that takes effect: the last one. */
export function findEnv(component: ComponentView, name: string): EnvEntry | undefined {
  return component.env.findLast((e) => e.name === name);
}

/** The model that a worker loads: the value of its model flag. */
export function modelArgument(component: ComponentView): Argument | undefined {
  return flagArgument(component, '--model', '--model-path');
}

/** The name under which a worker serves its model. */
export function servedModel(component: ComponentView): string | undefined {
  return flagValue(component, '--served-model-name', '--model-name') ?? flagValue(component, '--model', '--model-path');
}

/** Whether a model is a Hugging Face id such as `Qwen/Qwen3-0.6B`, as opposed to a folder. */
export function isHubModel(model: string): boolean {
  return /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/.test(model);
}

/** The role of a worker: by its flags, else by its type. */
export function roleOf(component: ComponentView): WorkerRole | undefined {
  return component.flagRole ?? component.declaredRole;
}
