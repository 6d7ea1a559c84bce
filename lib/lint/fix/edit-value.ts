import { isObject, type Json, type Path } from '../../json/index.ts';
import type { Edit } from '../finding.ts';

/** Applies an edit to plain data. Returns a new value and leaves the input unchanged. */
export function editValue(value: Json | undefined, edit: Edit, at: Path = edit.path): Json | undefined {
  const [key, ...rest] = at;
  if (key === undefined) return edit.op === 'set' ? edit.value : undefined;
  if (typeof key === 'number') {
    const list: (Json | undefined)[] = Array.isArray(value) ? [...(value as readonly Json[])] : [];
    const next = editValue(list[key], edit, rest);
    if (rest.length === 0 && edit.op === 'remove') list.splice(key, 1);
    else list[key] = next;
    return list.filter((item): item is Json => item !== undefined);
  }
  const object = isObject(value) ? value : {};
  if (rest.length > 0 || edit.op === 'set') return { ...object, [key]: editValue(object[key], edit, rest) };
  const entries = Object.entries(object).flatMap(([k, v]) =>
    k !== key ? [[k, v] as const] : edit.op === 'rename' ? [[edit.to, v] as const] : [],
  );
  return Object.fromEntries(entries);
}
