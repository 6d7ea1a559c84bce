import { isMisspelling, nameOf } from '../../api/index.ts';
import { findString, isList, isObject, type Json, type Path } from '../../json/index.ts';
import { quote, type Draft } from '../finding.ts';
import type { GraphView } from '../graph-view.ts';
import type { LintIndex } from '../lint-index.ts';
import type { Rule } from '../rule.ts';
import { frontend, graph, object, vllmModel, worker } from '../sample.ts';

/** A place that names another object of the namespace. */
interface Reference {
  readonly kind: string;
  readonly name: string;
  readonly path: Path;
}

/** Fields that hold the name of an object. */
const nameFields: Readonly<Record<string, string>> = {
  envFromSecret: 'Secret',
  secretName: 'Secret',
  claimName: 'PersistentVolumeClaim',
};

/** Fields that hold an object, or a list of objects, whose `name` is that of another object. */
const referenceFields: Readonly<Record<string, string>> = {
  secretRef: 'Secret',
  secretKeyRef: 'Secret',
  imagePullSecrets: 'Secret',
  configMapRef: 'ConfigMap',
  configMapKeyRef: 'ConfigMap',
  configMap: 'ConfigMap',
};

function* references(value: Json | undefined, path: Path): Iterable<Reference> {
  if (isList(value)) for (const [index, item] of value.entries()) yield* references(item, [...path, index]);
  if (!isObject(value)) return;
  for (const [key, member] of Object.entries(value)) {
    const here = [...path, key];
    if (Object.hasOwn(nameFields, key) && typeof member === 'string')
      yield { kind: nameFields[key] ?? '', name: member, path: here };
    else if (Object.hasOwn(referenceFields, key))
      for (const [item, at] of isList(member) ? member.map((m, i) => [m, [...here, i]] as const) : [[member, here] as const]) {
        const name = findString(item, 'name');
        if (name !== undefined) yield { kind: referenceFields[key] ?? '', name, path: [...at, 'name'] };
      }
    else yield* references(member, here);
  }
}

/** The Secret that the documentation, the examples and requests of Dynamo use. */
const usual: Readonly<Record<string, readonly string[]>> = { Secret: ['hf-token-secret'] };

/** The name that a misspelt one stands for: of an object applied together with it, the usual one, or one that is used more often. */
function meant(one: Reference, all: readonly Reference[], objects: readonly string[]): string | undefined {
  if (objects.includes(one.name)) return undefined;
  const uses = (name: string): number => all.filter((r) => r.kind === one.kind && r.name === name).length;
  const others = [...new Set(all.filter((r) => r.kind === one.kind).map(({ name }) => name))];
  const known = [...objects, ...(usual[one.kind] ?? []), ...others.filter((name) => uses(name) > uses(one.name))];
  return known.find((name) => isMisspelling(one.name, name));
}

function* misspelt(g: GraphView, around: LintIndex): Iterable<Draft> {
  const near = around.graphs.filter((other) => other.namespace === g.namespace);
  const all = near.flatMap(({ resource }) => [...references(resource['spec'], ['spec'])]);
  for (const one of references(g.resource['spec'], ['spec'])) {
    const name = meant(one, all, around.ofKind(one.kind, g.namespace).map(nameOf));
    if (name !== undefined)
      yield {
        path: one.path,
        problem: `${one.kind} differs in one letter from ${quote(name)}`,
        found: quote(one.name),
        change: `use ${quote(name)}, or suppress the rule when both exist`,
      };
  }
}

/** Rules about names of other objects. */
export const referenceRules: readonly Rule[] = [
  {
    id: 'DYN-REF-010',
    severity: 'warning',
    on: 'graph',
    check: misspelt,
    contextual: true,
    title: 'name of a Secret, ConfigMap or claim that looks misspelt',
    why: 'Pods wait for ever for a Secret, ConfigMap or claim that does not exist, and the status of the graph does not say so.',
    allowed:
      'Names that are no single letter away from one that is applied together with the graph, that is used more often, or that is the usual hf-token-secret.',
    fix: 'Correct the name.',
    example: () => ({
      bad: [
        object('v1', 'Secret', 'registry-login', { type: 'kubernetes.io/dockerconfigjson' }),
        graph({
          Frontend: frontend(),
          Worker: worker('vllm', vllmModel, { extraPodSpec: { imagePullSecrets: [{ name: 'registry-logn' }] } }),
        }),
      ],
      good: [
        object('v1', 'Secret', 'registry-login', { type: 'kubernetes.io/dockerconfigjson' }),
        graph({
          Frontend: frontend(),
          Worker: worker('vllm', vllmModel, { extraPodSpec: { imagePullSecrets: [{ name: 'registry-login' }] } }),
        }),
      ],
    }),
  },
];
