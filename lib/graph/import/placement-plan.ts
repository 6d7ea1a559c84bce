import { isDeepStrictEqual } from 'node:util';
import { append, isObject, listAt, objectAt, type Json, type JsonObject } from '../../json/index.ts';
import { Placement } from '../placement.ts';
import { literal, type Code } from './code.ts';

type Found = readonly [callee: string, make: () => Placement, args: readonly string[]];

function nodeRequirement(expression: Json): Found | undefined {
  if (!isObject(expression)) return undefined;
  const { key, operator, values } = expression;
  if (typeof key !== 'string' || operator !== 'In' || !Array.isArray(values) || Object.keys(expression).length !== 3)
    return undefined;
  const strings = values.filter((v) => typeof v === 'string');
  if (strings.length !== values.length || strings.length === 0) return undefined;
  if (key === 'nvidia.com/gpu.present' && isDeepStrictEqual(strings, ['true']))
    return ['gpuNodes', () => Placement.gpuNodes(), []];
  if (key === 'nvidia.com/gpu.product') return ['gpuProducts', () => Placement.gpuProducts(...strings), strings];
  return ['nodesWith', () => Placement.nodesWith(key, ...strings), [key, ...strings]];
}

const required = 'requiredDuringSchedulingIgnoredDuringExecution';

/** Code for the placement of a pod and the pod fields that it covers; undefined if no placement can express them. */
export function placementCode(
  pod: JsonObject,
): { readonly code: Code<Placement>; readonly covers: readonly string[] } | undefined {
  const found: Found[] = [];
  const terms = listAt(pod, 'affinity', 'nodeAffinity', required, 'nodeSelectorTerms');
  if (terms.length === 1) {
    const requirements = listAt(terms[0], 'matchExpressions').map(nodeRequirement);
    if (requirements.some((r) => r === undefined)) return undefined;
    append(
      found,
      requirements.filter((r) => r !== undefined),
    );
  }
  if (isObject(objectAt(pod, 'affinity')['podAffinity'])) found.push(['besideWorkers', () => Placement.besideWorkers(), []]);
  const taint = Placement.tolerateGpuTaint();
  const tolerant = isDeepStrictEqual(pod['tolerations'], taint.render().tolerations);
  if (tolerant) found.push(['tolerateGpuTaint', () => taint, []]);
  const [first, ...others] = found.map(([callee, make, args]) => ({
    value: make(),
    source: { kind: 'call', callee: `Placement.${callee}`, args: args.map((a) => literal(a).source) } as const,
  }));
  if (first === undefined) return undefined;
  const value = first.value.and(...others.map((o) => o.value));
  const covers = ['affinity', ...(tolerant ? ['tolerations'] : [])].filter((key) => pod[key] !== undefined);
  const rendered = value.render();
  if (!covers.every((key) => isDeepStrictEqual(rendered[key as keyof typeof rendered], pod[key]))) return undefined;
  const and = { kind: 'call', callee: `${printCallee(first.source)}.and`, args: others.map((o) => o.source) } as const;
  return { code: { value, source: others.length === 0 ? first.source : and }, covers };
}

function printCallee(source: Code['source']): string {
  if (source.kind !== 'call') return '';
  const args = source.args.map((arg) => (arg.kind === 'text' ? arg.text : '')).join(', ');
  return `${source.callee}(${args})`;
}
