import { readManifests } from '../manifest/index.ts';
import { findString, isObject, type JsonObject, listAt, valueAt } from '../json/index.ts';
import { flagWord, type ComponentView, type Mount } from './component-view.ts';
import type { GraphView } from './graph-view.ts';
import type { LintIndex } from './lint-index.ts';

/** Where a worker's engine file comes from, as far as the manifests tell. */
type EngineConfig =
  | { readonly state: 'absent' }
  /** In the image, in a claim, or in a ConfigMap that is not among the documents. */
  | { readonly state: 'elsewhere'; readonly file?: string }
  /** Below a ConfigMap's mount, but the ConfigMap has no such key. */
  | { readonly state: 'missing'; readonly file: string; readonly mount: Mount; readonly keys: readonly string[] }
  | {
      readonly state: 'read';
      readonly file: string;
      readonly configMap: string;
      readonly key: string;
      readonly config: JsonObject;
    };

/** Makes a path absolute and takes `.` and `..` out. */
export function resolvePath(base: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${base}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** Whether a file lies in a folder or is it. */
export function isBelow(file: string, folder: string): boolean {
  const root = resolvePath('/', folder);
  return root === '/' || file === root || file.startsWith(`${root}/`);
}

/** The mount a file of the container comes from: the deepest that holds it. */
export function mountOf(component: ComponentView, file: string): Mount | undefined {
  const holding = component.mounts.filter((m) => m.mountPath !== '' && isBelow(file, m.mountPath));
  return holding.sort((a, b) => b.mountPath.length - a.mountPath.length)[0];
}

function keyFor(mount: Mount, file: string): string {
  const inside = file.slice(resolvePath('/', mount.mountPath).length).replace(/^\//, '');
  const below = mount.subPath === undefined ? inside : inside === '' ? mount.subPath : `${mount.subPath}/${inside}`;
  const item = listAt(mount.source.volume, 'configMap', 'items').find((i) => findString(i, 'path') === below);
  return findString(item, 'key') ?? below;
}

/** Engine files already read, by the data of their ConfigMap, which is never changed. */
const parsed = new WeakMap<JsonObject, Map<string, JsonObject | undefined>>();

function configOf(data: JsonObject, key: string, text: string): JsonObject | undefined {
  const known = parsed.get(data) ?? new Map<string, JsonObject | undefined>();
  parsed.set(data, known);
  if (!known.has(key)) known.set(key, parseConfig(text));
  return known.get(key);
}

function parseConfig(text: string): JsonObject | undefined {
  const { documents, issues } = readManifests(text, '');
  const value = issues.length === 0 && documents.length === 1 ? documents[0]?.value : undefined;
  return isObject(value) ? value : undefined;
}

/** Follows `--extra-engine-args` through mount and volume to the text in a ConfigMap. */
export function engineConfig(component: ComponentView, graph: GraphView, around: LintIndex): EngineConfig {
  const word = flagWord(component, '--extra-engine-args');
  if (word === undefined) return { state: 'absent' };
  if (word.unresolved) return { state: 'elsewhere' };
  const file = resolvePath(findString(component.container, 'workingDir') ?? '/workspace', word.text);
  const mount = mountOf(component, file);
  if (mount?.source.configMap === undefined) return { state: 'elsewhere', file };
  const configMap = around.find('ConfigMap', graph.namespace, mount.source.configMap);
  if (configMap === undefined) return { state: 'elsewhere', file };
  const data = valueAt(configMap, 'data');
  const keys = isObject(data) ? Object.keys(data) : [];
  const key = keyFor(mount, file);
  const text = findString(data, key);
  if (text === undefined) return { state: 'missing', file, mount, keys };
  const config = isObject(data) ? configOf(data, key, text) : undefined;
  return config === undefined
    ? { state: 'elsewhere', file }
    : { state: 'read', file, configMap: mount.source.configMap, key, config };
}
