import { isList, isObject, stringAt, type Json } from '../json/index.ts';

/** Lists whose order matters although the spec hash sorts them: init containers run in order, and variables may refer to earlier ones. */
const ordered = new Set(['initContainers', 'env', 'envs']);

/** Whether a list whose order matters has the same named items in another order. */
export function isReordered(desired: Json | undefined, live: Json | undefined): boolean {
  if (isList(desired)) return isList(live) && desired.some((item, index) => isReordered(item, counterpart(item, live, index)));
  if (!isObject(desired) || !isObject(live)) return false;
  for (const key of Object.keys(desired)) {
    const wanted = desired[key];
    if (typeof wanted !== 'object' || wanted === null) continue;
    const present = live[key];
    if (ordered.has(key) && isList(wanted) && isList(present) && differInOrder(wanted, present)) return true;
    if (isReordered(wanted, present)) return true;
  }
  return false;
}

/** The live item that corresponds to a desired one: the item of the same name, otherwise the one at the same index. */
function counterpart(item: Json, live: readonly Json[], index: number): Json | undefined {
  const name = stringAt(item, 'name');
  return name === '' || stringAt(live[index], 'name') === name
    ? live[index]
    : live.find((other) => stringAt(other, 'name') === name);
}

function differInOrder(desired: readonly Json[], live: readonly Json[]): boolean {
  if (desired.length < 2) return false;
  const names = desired.map((item) => stringAt(item, 'name'));
  const wanted = new Set(names);
  const present = live.map((item) => stringAt(item, 'name')).filter((name) => wanted.has(name));
  return present.length === names.length && present.some((name, index) => name !== names[index]);
}
