import { isObject, type JsonObject, objectAt, stringAt } from '../../json/index.ts';
import { annotationsOf } from '../metadata.ts';
import type { Adapter } from './lora-call.ts';

/** Annotation of a model: the adapter that its workers were last asked to load. */
export const appliedAdapterKey = 'nvidia.com/dynamo-applied-lora';

/** The adapter that workers were last asked to load. After a change of name or source it is the one to unload. */
export interface AppliedAdapter extends Adapter {
  /** Workers that may still have an earlier adapter: its name by the worker's address. */
  readonly outdated: Readonly<Record<string, string>>;
}

/** The parsed annotation; undefined where it is absent or malformed. */
export function appliedAdapterOf(model: JsonObject): AppliedAdapter | undefined {
  let noted: unknown;
  try {
    noted = JSON.parse(stringAt(annotationsOf(model), appliedAdapterKey));
  } catch {
    return undefined;
  }
  if (!isObject(noted)) return undefined;
  const name = stringAt(noted, 'name');
  const entries = Object.entries(objectAt(noted, 'outdated')).flatMap(([address, old]) =>
    typeof old === 'string' ? [[address, old] as const] : [],
  );
  return name === '' ? undefined : { name, uri: stringAt(noted, 'uri'), outdated: Object.fromEntries(entries) };
}

/** The annotation's text. */
export function appliedAdapterText({ name, uri, outdated }: AppliedAdapter): string {
  return JSON.stringify({ name, uri, ...(Object.keys(outdated).length > 0 && { outdated }) });
}

/** The name of an earlier adapter that a worker may still have loaded; undefined where there is none. */
export function outdatedName(applied: AppliedAdapter | undefined, wanted: Adapter, address: string): string | undefined {
  if (applied === undefined) return undefined;
  const isCurrent = applied.name === wanted.name && applied.uri === wanted.uri;
  return applied.outdated[address] ?? (isCurrent ? undefined : applied.name);
}
