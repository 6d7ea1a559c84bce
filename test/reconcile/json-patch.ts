import { isObject, type Json } from '../../lib/json/index.ts';
import type { PatchOperation } from '../../lib/reconcile/index.ts';

/** A `test` operation that does not hold. */
export class PatchTestFailed extends Error {}

/** Applies a JSON Patch (RFC 6902) as far as decisions use it: test, add, replace, remove. */
export function applyPatch(document: Json, operations: readonly PatchOperation[]): Json {
  const result: Json = structuredClone(document);
  for (const operation of operations) applyOne(result, operation);
  return result;
}

function applyOne(document: Json, operation: PatchOperation): void {
  const tokens = operation.path
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = tokens.at(-1) ?? '';
  const parent = tokens.slice(0, -1).reduce<Json>((value, token) => memberOf(value, token), document);
  if (operation.op === 'test') {
    if (JSON.stringify(memberOf(parent, last)) !== JSON.stringify(operation.value))
      throw new PatchTestFailed(`testing value ${operation.path} failed`);
  } else if (Array.isArray(parent)) {
    const index = last === '-' ? parent.length : Number(last);
    if (operation.op === 'remove') parent.splice(index, 1);
    else parent.splice(index, operation.op === 'replace' ? 1 : 0, structuredClone(operation.value));
  } else if (isObject(parent)) {
    if (operation.op !== 'add' && parent[last] === undefined) throw new Error(`${operation.path} is missing`);
    const target = parent as Record<string, Json>;
    if (operation.op === 'remove') delete target[last];
    else target[last] = structuredClone(operation.value);
  } else throw new Error(`${operation.path} has no parent`);
}

function memberOf(value: Json, token: string): Json {
  const member = Array.isArray(value) ? value[Number(token)] : isObject(value) ? value[token] : undefined;
  return member ?? null;
}
