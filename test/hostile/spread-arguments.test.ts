import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Functions that take any number of arguments, so that somebody may spread a list as long as the input into a call. */
const variadic = new Set(['push', 'unshift', 'splice', 'concat', 'max', 'min', 'fromCharCode', 'fromCodePoint', 'of']);

/** Calls that spread a list with a bound, by file and function, each with the bound. */
const bounded: Readonly<Record<string, string>> = {
  'lib/cli/lint.ts max': 'our own rules',
  'lib/graph/component.ts push': 'what a program passes as arguments',
  'lib/reconcile/component/leader-worker-set-readiness.ts max': 'managed fields of one object',
  'lib/render/restart-tokens.ts max': 'services of a graph, 25',
  'lib/runtime/queue/queue.ts max': 'workers of the queue',
  'lib/status/live-graph-view.ts max': 'services of a graph, 25',
};

type AstNode = Readonly<Record<string, unknown>>;

function isNode(value: unknown): value is AstNode {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** The variadic functions that a TypeScript file calls with a list spread into the arguments. */
function spreadCalls(source: string): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value)) return;
    const { type, callee, arguments: given } = value;
    const name = isNode(callee) && isNode(callee['property']) ? String(callee['property']['name']) : '';
    const spreads = Array.isArray(given) && given.some((argument) => isNode(argument) && argument['type'] === 'SpreadElement');
    if (type === 'CallExpression' && spreads && variadic.has(name)) found.push(name);
    for (const member of Object.values(value)) if (typeof member === 'object') visit(member);
  };
  visit(parseAst(source, { lang: 'ts' }));
  return found;
}

// About 120,000 arguments overflow the stack: `push(...documents)` failed for 200,000 documents of a few bytes each.
test('no call in lib spreads a list without a bound into its arguments', () => {
  const calls = readdirSync(join(root, 'lib'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((file) => spreadCalls(readFileSync(file, 'utf8')).map((name) => `${relative(root, file)} ${name}`));
  expect(calls.toSorted()).toEqual(Object.keys(bounded).toSorted());
});

test('finds spread lists, and nothing else', () => {
  expect(spreadCalls('a.push(...b); a.push(b, ...c); Math.max(0, ...d.map((x) => x.y))')).toEqual(['push', 'push', 'max']);
  expect(spreadCalls('a.push(b); valueAt(a, ...path); const x = [...a]; const y = { ...b };')).toEqual([]);
});
