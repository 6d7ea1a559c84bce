import { readManifests } from '../manifest/index.ts';
import { findString, isObject, type JsonObject, listAt, valueAt } from '../json/index.ts';
import { flagArgument, type ComponentView, type Mount } from './component-view.ts';
import type { GraphView } from './graph-view.ts';
import type { LintIndex } from './lint-index.ts';

/** The engine configuration file of a worker, and whether the manifests contain it. */
type EngineConfig =
  | { readonly state: 'absent' }
  /** In the image, in a claim, in a ConfigMap outside the manifests, or not a YAML object. */
  | { readonly state: 'elsewhere'; readonly file?: string }
  /** In the mount of a ConfigMap that has no such key. */
  | { readonly state: 'missing'; readonly file: string; readonly mount: Mount; readonly keys: readonly string[] }
  | {
      readonly state: 'read';
      readonly file: string;
      readonly configMap: string;
      readonly key: string;
      readonly config: JsonObject;
    };

/** Makes a path absolute and resolves `.` and `..` in it. */
export function resolvePath(base: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${base}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** Whether a file is in a folder, or is the folder itself. */
export function isBelow(file: string, folder: string): boolean {
  const root = resolvePath('/', folder);
  return root === '/' || file === root || file.startsWith(`${root}/`);
}

/** The mount that contains a file of the container: the one with the longest mount path. */
export function mountOf(component: ComponentView, file: string): Mount | undefined {
  const candidates = component.mounts.filter((m) => m.mountPath !== '' && isBelow(file, m.mountPath));
  return candidates.sort((a, b) => b.mountPath.length - a.mountPath.length)[0];
}

function keyFor(mount: Mount, file: string): string {
  const inside = file.slice(resolvePath('/', mount.mountPath).length).replace(/^\//, '');
  const below = mount.subPath === undefined ? inside : inside === '' ? mount.subPath : `${mount.subPath}/${inside}`;
  const item = listAt(mount.source.volume, 'configMap', 'items').find((i) => findString(i, 'path') === below);
  return findString(item, 'key') ?? below;
}

/** Parsed engine files by the data of their ConfigMap. Lint never mutates resources, so entries stay valid. */
const parsed = new WeakMap<JsonObject, Map<string, JsonObject | undefined>>();

function configOf(data: JsonObject, key: string, yaml: string): JsonObject | undefined {
  const known = parsed.get(data) ?? new Map<string, JsonObject | undefined>();
  parsed.set(data, known);
  if (!known.has(key)) known.set(key, parseConfig(yaml));
  return known.get(key);
}

function parseConfig(yaml: string): JsonObject | undefined {
  const { documents, issues } = readManifests(yaml, '');
  const value = issues.length === 0 && documents.length === 1 ? documents[0]?.value : undefined;
  return isObject(value) ? value : undefined;
}

/** Resolves `--extra-engine-args` through mount and volume to a file in a ConfigMap, and parses it. */
export function engineConfig(component: ComponentView, graph: GraphView, lintIndex: LintIndex): EngineConfig {
  const argument = flagArgument(component, '--extra-engine-args');
  if (argument === undefined) return { state: 'absent' };
  if (argument.unresolved) return { state: 'elsewhere' };
  const file = resolvePath(findString(component.container, 'workingDir') ?? '/workspace', argument.value);
  const mount = mountOf(component, file);
  if (mount?.source.configMap === undefined) return { state: 'elsewhere', file };
  const configMap = lintIndex.find('ConfigMap', graph.namespace, mount.source.configMap);
  if (configMap === undefined) return { state: 'elsewhere', file };
  const data = valueAt(configMap, 'data');
  const keys = isObject(data) ? Object.keys(data) : [];
  const key = keyFor(mount, file);
  const yaml = findString(data, key);
  if (yaml === undefined) return { state: 'missing', file, mount, keys };
  const config = isObject(data) ? configOf(data, key, yaml) : undefined;
  return config === undefined
    ? { state: 'elsewhere', file }
    : { state: 'read', file, configMap: mount.source.configMap, key, config };
}
