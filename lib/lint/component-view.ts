import { findCount, findString, isObject, type Json, type JsonObject, listAt, objectAt, type Path } from '../json/index.ts';
import { isGpuResource } from '../fit/index.ts';
import { readCommandLine, type CommandLine, type Flag, type Word } from './command-line.ts';

/** An engine Dynamo starts: the three backends and the mocker. */
type Engine = 'vllm' | 'sglang' | 'trtllm' | 'mocker';

/** Which half of a disaggregated graph a worker is. */
export type Role = 'prefill' | 'decode';

/** Where an environment variable was written, weakest first: the container, the graph, the service. */
type EnvLevel = 'container' | 'graph' | 'service';

/** One environment variable as written at one level. */
export interface EnvEntry {
  readonly name: string;
  /** Undefined when it comes from a secret, a config map or a field. */
  readonly value?: string;
  readonly level: EnvLevel;
  readonly path: Path;
}

/** One mount of a component's container: by the component's own `volumeMounts` or by hand in the pod. */
export interface Mount {
  readonly volume: string;
  readonly mountPath: string;
  readonly subPath?: string;
  readonly path: Path;
  /** The volume's source when it is a hand-written volume of the pod, or a claim named by the component. */
  readonly source: { readonly claim?: string; readonly configMap?: string; readonly volume?: JsonObject };
  readonly byHand: boolean;
  readonly compilationCache: boolean;
}

/** One component of a graph, read once for all rules. */
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
  /** GPUs of one pod; undefined when the text is not a whole number. */
  readonly gpus: number | undefined;
  readonly command: CommandLine;
  readonly engine?: Engine;
  /** The role its type or sub-type says. */
  readonly declaredRole?: Role;
  /** The role its flags say. */
  readonly flagRole?: Role;
  /** Every variable as written, weakest level first. */
  readonly env: readonly EnvEntry[];
  readonly mounts: readonly Mount[];
}

/** What the operator runs for a type, and what it passes where a container has a command and no args. */
const bases: Readonly<Record<string, { readonly command: readonly string[]; readonly args: readonly string[] }>> = {
  frontend: { command: ['python3'], args: ['-m', 'dynamo.frontend'] },
  epp: { command: [], args: [] },
};
const shellBase = { command: ['/bin/sh', '-c'], args: [] };
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
  const own = listAt(spec, 'volumeMounts').map((m, index) => {
    const name = findString(m, 'name') ?? '';
    return {
      volume: name,
      mountPath: findString(m, 'mountPoint') ?? '',
      path: [...path, 'volumeMounts', index],
      source: { claim: name },
      byHand: false,
      compilationCache: isObject(m) && m['useAsCompilationCache'] === true,
    };
  });
  const byHand = listAt(spec, 'extraPodSpec', 'mainContainer', 'volumeMounts').map((m, index) => {
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
      byHand: true,
      compilationCache: false,
      ...(subPath === undefined ? {} : { subPath }),
    };
  });
  return [...own, ...byHand];
}

const roles: Readonly<Record<string, Role>> = { prefill: 'prefill', decode: 'decode' };

function flagRole(engine: Engine | undefined, command: CommandLine): Role | undefined {
  const has = (name: string): boolean => command.flags.some((f) => f.name === name);
  if (has('--is-prefill-worker')) return 'prefill';
  if (has('--is-decode-worker')) return 'decode';
  const mode =
    engine === undefined ? undefined : command.flags.findLast((f) => f.name === '--disaggregation-mode')?.values[0]?.text;
  return mode === undefined ? undefined : roles[mode];
}

/** GPUs of the container as rendered: its own limits with those of the component over them. */
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

/** Reads one component at a path of its resource; `graphEnv` are the variables the graph gives to all. */
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
  const command = readCommandLine(container, containerPath, bases[type] ?? shellBase, (name) => merged.get(name));
  const engine = engines.find(([pattern]) => pattern.test(command.module ?? ''))?.[1];
  const declared = roles[subType] ?? roles[type];
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

/** The last flag of any of these names. */
export function findFlag(component: ComponentView, ...names: readonly string[]): Flag | undefined {
  return component.command.flags.findLast((f) => names.includes(f.name));
}

/** The value of the last flag of any of these names. */
export function flagWord(component: ComponentView, ...names: readonly string[]): Word | undefined {
  return findFlag(component, ...names)?.values[0];
}

/** The value of a flag as text, undefined when it holds a variable without a known value. */
export function flagText(component: ComponentView, ...names: readonly string[]): string | undefined {
  const word = flagWord(component, ...names);
  return word === undefined || word.unresolved ? undefined : word.text;
}

/** The whole number after a flag: the default when the flag is absent, undefined when it cannot be read. */
export function flagCount(component: ComponentView, fallback: number, ...names: readonly string[]): number | undefined {
  const flag = findFlag(component, ...names);
  if (flag === undefined) return fallback;
  const text = flag.values[0]?.unresolved === true ? undefined : flag.values[0]?.text;
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** The strongest entry of a variable. */
export function findEnv(component: ComponentView, name: string): EnvEntry | undefined {
  return component.env.findLast((e) => e.name === name);
}

/** The model a worker loads: the text after its model flag. */
export function modelWord(component: ComponentView): Word | undefined {
  return flagWord(component, '--model', '--model-path');
}

/** The name a worker serves its model under. */
export function servedModel(component: ComponentView): string | undefined {
  return flagText(component, '--served-model-name', '--model-name') ?? flagText(component, '--model', '--model-path');
}

/** Whether a model is a Hugging Face id such as `Qwen/Qwen3-0.6B`, not a folder. */
export function isHubModel(model: string): boolean {
  return /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/.test(model);
}

/** The role of a worker: what its flags say, or else its type. */
export function roleOf(component: ComponentView): Role | undefined {
  return component.flagRole ?? component.declaredRole;
}
