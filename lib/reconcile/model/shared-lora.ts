/** LoRA adapters named by several models: workers identify an adapter by name alone, so models with the same base model and adapter name share it. */
import { type JsonObject, stringAt } from '../../json/index.ts';
import { modelHash } from '../../render/index.ts';
import { isDeleting, keyOf, uidOf } from '../metadata.ts';
import { lookupKey, type Lookup, type Snapshot } from '../snapshot.ts';
import { appliedAdapterOf } from './applied-lora.ts';

/** The index of models by the adapters that they want or may have loaded. */
export const adapterIndex = 'adapter';

/** Whether a model is an adapter that workers load. */
export function isLora(model: JsonObject): boolean {
  return stringAt(model, 'spec', 'modelType').toLowerCase() === 'lora';
}

/** The values of `adapterIndex` for a model: the adapter it wants, and those it may have had loaded before. */
export function adaptersOf(model: JsonObject): readonly string[] {
  if (!isLora(model)) return [];
  const applied = appliedAdapterOf(model);
  const names = new Set([stringAt(model, 'spec', 'modelName'), applied?.name ?? '', ...Object.values(applied?.outdated ?? {})]);
  return [...names].filter((name) => name !== '').map((name) => indexValue(model, name));
}

/** The look-up for all models of this one's namespace and base that want or may have loaded an adapter, this one included. */
export function sharersOf(model: JsonObject, name: string): Lookup {
  const { apiVersion, kind, namespace } = keyOf(model);
  return { question: 'list', apiVersion, kind, namespace, select: { index: adapterIndex, value: indexValue(model, name) } };
}

/** The name of another model that wants an adapter of that name, from that source where one is given. */
export function otherUser(snapshot: Snapshot, name: string, uri?: string): string | undefined {
  const found = snapshot.lists[lookupKey(sharersOf(snapshot.resource, name))] ?? [];
  const other = found.find(
    (model) =>
      uidOf(model) !== uidOf(snapshot.resource) &&
      !isDeleting(model) &&
      stringAt(model, 'spec', 'modelName') === name &&
      (uri === undefined || stringAt(model, 'spec', 'source', 'uri') === uri),
  );
  return other && keyOf(other).name;
}

function indexValue(model: JsonObject, name: string): string {
  return `${modelHash(stringAt(model, 'spec', 'baseModelName'))}/${name}`;
}
