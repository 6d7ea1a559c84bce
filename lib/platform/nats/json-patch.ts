import type { Issue } from '../../api/index.ts';
import { isObject, parsePointer, type Json, type JsonObject, listAt, type Path } from '../../json/index.ts';
import { stringifyJson } from '../../manifest/index.ts';
import { templateString, type Value } from '../go-values.ts';

/** The document after an operation, or why the operation failed. */
type Outcome = { readonly document: Json } | { readonly problem: string };

const failed = (problem: string): Outcome => ({ problem });

function child(value: Json, step: string): Json | undefined {
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(step) ? value[Number(step)] : undefined;
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

function read(document: Json, path: readonly string[]): Json | undefined {
  let value: Json | undefined = document;
  for (const step of path) {
    if (value === undefined) return undefined;
    value = child(value, step);
  }
  return value;
}

/** Rewrites the container of the last step with `change`; copies only the values on the path. */
function rewrite(
  value: Json,
  path: readonly string[],
  change: (container: Json, key: string) => Json | undefined,
): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return undefined;
  if (rest.length === 0) return change(value, step);
  const inner = child(value, step);
  const changed = inner === undefined ? undefined : rewrite(inner, rest, change);
  if (changed === undefined) return undefined;
  if (Array.isArray(value)) return value.with(Number(step), changed);
  return isObject(value) ? { ...value, [step]: changed } : undefined;
}

function inserted(container: Json, key: string, value: Json): Json | undefined {
  if (!Array.isArray(container)) return isObject(container) ? { ...container, [key]: value } : undefined;
  const index = key === '-' ? container.length : /^(0|[1-9]\d*)$/.test(key) ? Number(key) : -1;
  return index >= 0 && index <= container.length ? container.toSpliced(index, 0, value) : undefined;
}

function without(container: Json, key: string): Json | undefined {
  if (child(container, key) === undefined) return undefined;
  if (Array.isArray(container)) return container.toSpliced(Number(key), 1);
  return Object.fromEntries(Object.entries(container as JsonObject).filter(([k]) => k !== key));
}

function add(document: Json, path: readonly string[], value: Json): Json | undefined {
  return path.length === 0 ? value : rewrite(document, path, (container, key) => inserted(container, key, value));
}

function replace(document: Json, path: readonly string[], value: Json): Json | undefined {
  if (path.length === 0) return value;
  return rewrite(document, path, (container, key) => {
    if (child(container, key) === undefined) return undefined;
    return Array.isArray(container) ? container.with(Number(key), value) : { ...(container as JsonObject), [key]: value };
  });
}

function equal(a: Json, b: Json): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => equal(item, b[i] ?? null));
  if (isObject(a) && isObject(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key] ?? null, b[key] ?? null))
    );
  }
  return a === b || (typeof a === 'bigint' && a === BigInt(Number.isInteger(b) ? Number(b) : -1));
}

interface Operation {
  readonly document: Json;
  readonly path: readonly string[];
  readonly from: readonly string[];
  readonly value: Json;
}

/** The six operations of RFC 6902; undefined if the path does not exist. */
const operations: Readonly<Record<string, (operation: Operation) => Json | undefined>> = {
  add: ({ document, path, value }) => add(document, path, value),
  remove: ({ document, path }) => rewrite(document, path, without),
  replace: ({ document, path, value }) => replace(document, path, value),
  copy: ({ document, path, from }) => {
    const value = read(document, from);
    return value === undefined ? undefined : add(document, path, value);
  },
  move: ({ document, path, from }) => {
    const value = read(document, from);
    const rest = value === undefined ? undefined : rewrite(document, from, without);
    return value === undefined || rest === undefined ? undefined : add(rest, path, value);
  },
  test: ({ document, path, value }) => {
    const found = read(document, path);
    return found !== undefined && equal(found, value) ? document : undefined;
  },
};

const needsValue = new Set(['add', 'replace', 'test']);
const needsFrom = new Set(['copy', 'move']);

function applyOne(document: Json, operation: Json): Outcome {
  if (!isObject(operation)) return failed('must be a map with op and path');
  const op = operation['op'];
  const run = typeof op === 'string' && Object.hasOwn(operations, op) ? operations[op] : undefined;
  if (typeof op !== 'string' || run === undefined) {
    return failed(
      `op must be one of ${Object.keys(operations).join(', ')}, got ${op === undefined ? 'nothing' : stringifyJson(op)}`,
    );
  }
  const pointers: Record<string, readonly string[]> = { from: [] };
  for (const key of needsFrom.has(op) ? ['path', 'from'] : ['path']) {
    const pointer = operation[key];
    const parsed = typeof pointer === 'string' ? parsePointer(pointer) : undefined;
    if (parsed === undefined)
      return failed(`${key} must be "" or start with /, got ${pointer === undefined ? 'nothing' : stringifyJson(pointer)}`);
    pointers[key] = parsed;
  }
  const value = operation['value'];
  if (needsValue.has(op) && value === undefined) return failed(`an operation ${op} needs a value`);
  const changed = run({ document, path: pointers['path'] ?? [], from: pointers['from'] ?? [], value: value ?? null });
  if (changed !== undefined) return { document: changed };
  const where = needsFrom.has(op)
    ? `${templateString(operation['from'])} or ${templateString(operation['path'])}`
    : templateString(operation['path']);
  return failed(op === 'test' ? `the test at ${where} does not hold` : `nothing is at ${where} to ${op}`);
}

/** Applies a JSON patch (RFC 6902) to a document; stops at the first operation that fails and reports it. */
export function applyPatch(
  document: JsonObject,
  patch: Value,
  path: Path,
): { readonly document: JsonObject; readonly issues: readonly Issue[] } {
  let current: Json = document;
  for (const [index, operation] of listAt(patch).entries()) {
    const outcome = applyOne(current, operation);
    if ('problem' in outcome) {
      return { document, issues: [{ path: [...path, 'patch', index], code: 'bad_patch', message: outcome.problem }] };
    }
    current = outcome.document;
  }
  if (isObject(current)) return { document: current, issues: [] };
  return { document, issues: [{ path: [...path, 'patch'], code: 'bad_patch', message: 'the patched document must be a map' }] };
}
