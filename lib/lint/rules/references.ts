import { isMisspelling, nameOf } from '../../api/index.ts';
import { findString, isList, isObject, type Json, type Path } from '../../json/index.ts';
import { quote, type Draft } from '../finding.ts';
import type { GraphView } from '../graph-view.ts';
import type { LintIndex } from '../lint-index.ts';
import type { Rule } from '../rule.ts';
import { frontend, graph, object, vllmModel, worker } from '../sample.ts';

/** A field that names another object of the namespace. */
interface Reference {
  readonly kind: string;
  readonly name: string;
  readonly path: Path;
}

/** Fields whose value is the name of an object, and its kind. */
const nameFields: Readonly<Record<string, string>> = {
  envFromSecret: 'Secret',
  secretName: 'Secret',
  claimName: 'PersistentVolumeClaim',
};

/** Fields that reference an object, or a list of objects, by `name`, and its kind. */
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

/** The Secret that the documentation, the examples and the profiling Jobs of Dynamo use. */
const conventionalNames: Readonly<Record<string, readonly string[]>> = { Secret: ['hf-token-secret'] };

/** How often the graphs of a namespace use the names of each kind. */
type Uses = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The uses in all namespaces, computed once for the graphs of a run. */
const usesByNamespace = new WeakMap<readonly GraphView[], ReadonlyMap<string, Uses>>();

function countUses(graphs: readonly GraphView[]): ReadonlyMap<string, Uses> {
  const counts = new Map<string, Map<string, Map<string, number>>>();
  for (const { namespace, resource } of graphs)
    for (const { kind, name } of references(resource['spec'], ['spec'])) {
      const kinds = counts.get(namespace) ?? new Map<string, Map<string, number>>();
      const names = kinds.get(kind) ?? new Map<string, number>();
      counts.set(namespace, kinds.set(kind, names.set(name, (names.get(name) ?? 0) + 1)));
    }
  return counts;
}

function usesIn(namespace: string, { graphs }: LintIndex): Uses {
  const uses = usesByNamespace.get(graphs) ?? countUses(graphs);
  usesByNamespace.set(graphs, uses);
  return uses.get(namespace) ?? new Map();
}

/** The likely name behind a misspelling: of an object applied with the graph, the conventional name, or a name that is used more often. */
function correctName({ kind, name }: Reference, uses: Uses, objects: readonly string[]): string | undefined {
  if (objects.includes(name)) return undefined;
  const isMeant = (other: string): boolean => isMisspelling(name, other);
  const listed = objects.find(isMeant) ?? conventionalNames[kind]?.find(isMeant);
  if (listed !== undefined) return listed;
  const own = uses.get(kind)?.get(name) ?? 0;
  for (const [other, count] of uses.get(kind) ?? []) if (count > own && isMeant(other)) return other;
  return undefined;
}

function* misspelt(g: GraphView, lintIndex: LintIndex): Iterable<Draft> {
  const uses = usesIn(g.namespace, lintIndex);
  for (const reference of references(g.resource['spec'], ['spec'])) {
    const name = correctName(reference, uses, lintIndex.ofKind(reference.kind, g.namespace).map(nameOf));
    if (name !== undefined)
      yield {
        path: reference.path,
        problem: `the name of the ${reference.kind} looks like a misspelling of ${quote(name)}`,
        found: quote(reference.name),
        change: `use ${quote(name)}, or suppress the rule if both exist`,
      };
  }
}

/** Rules about references to other objects. */
export const referenceRules: readonly Rule[] = [
  {
    id: 'DYN-REF-010',
    severity: 'warning',
    on: 'graph',
    check: misspelt,
    contextual: true,
    title: 'name of a Secret, ConfigMap or claim that looks misspelt',
    why: 'Pods wait forever for a Secret, ConfigMap or claim that does not exist, and the status of the graph does not say so.',
    allowed:
      'Names that differ in more than one letter from the name of an object applied with the graph, from a name that is used more often, and from hf-token-secret.',
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
