import type { KubernetesObject } from '../../api/index.ts';
import { isObject, type Json, type JsonObject } from '../../json/index.ts';
import {
  effectiveBlock,
  isClusterScoped,
  mergeLayers,
  platformContext,
  type ContextOptions,
  type Part,
  type PlatformContext,
} from '../../platform/index.ts';
import { caseSpace, Conditions, type CaseSpace } from './conditions.ts';
import type { DecidingValue } from './deciding-values.ts';
import { effectiveValue } from './effective-value.ts';
import { fold, joinEqual, mergeOrder, type Variant } from './fold-variants.ts';
import { nest, valueExpression, type OpenValue } from './open-values.ts';
import type { Placeholders } from './placeholders.ts';
import { joinPullSecrets, pullSecretPlaceholder } from './pull-secrets.ts';
import { TemplateWriter } from './template-writer.ts';

/** Parts whose names the chart computes from the release name and an override. */
const namedParts = ['dynamo-operator', 'nats', 'etcd'];

/**
 * Generates templates from renderers: renders the objects once for every combination of the deciding values, with placeholders for the open values,
 * and writes what all combinations share once and the rest inside `if`.
 */
export class TemplateGenerator {
  readonly #placeholders: Placeholders;
  readonly #values: JsonObject;
  readonly #options: ContextOptions;

  constructor(values: JsonObject, options: ContextOptions, open: readonly OpenValue[], placeholders: Placeholders) {
    this.#placeholders = placeholders;
    const release = placeholders.string('.Release.Name');
    const namespace = placeholders.string('.Release.Namespace');
    const names = namedParts.map((key) =>
      nest(`${key}.fullnameOverride`, placeholders.string(`include "dynamo.${key}.fullname" .`)),
    );
    this.#options = { ...options, release, namespace };
    const gates = open.flatMap((v) => (v.gate === undefined ? [] : [nest(v.gate, true)]));
    this.#values = mergeLayers([
      values,
      ...names,
      ...gates,
      ...open.map((v) => nest(v.path, this.#open(v, values))),
      nest('global.imagePullSecrets', pullSecretPlaceholder(placeholders)),
    ]);
  }

  /** The templates of one part: its objects for every combination of the decisions. */
  templates(part: Part, decisions: readonly DecidingValue[]): string {
    const space = caseSpace(decisions.map((d) => ({ name: d.path, tests: d.options.map((o) => o.test) })));
    const rendered = space.choices.map((choice) => this.#render(part, decisions, choice));
    const writer = new TemplateWriter(new Conditions(space), this.#placeholders);
    return documents(rendered, space)
      .map((variants) => variants.map((v) => ({ ...v, value: joinPullSecrets(v.value, this.#placeholders) })))
      .map((variants) => writer.document({ when: variants.reduce((all, v) => all | v.cases, 0n), node: fold(variants) }))
      .join('');
  }

  /** Templates of objects that do not depend on deciding values; those in the namespace `home` move to the release namespace. */
  fixed(objects: readonly KubernetesObject[], home: string): string {
    const writer = new TemplateWriter(new Conditions(caseSpace([])), this.#placeholders);
    const namespace = this.#placeholders.string('.Release.Namespace');
    return objects
      .map((o) => (o.metadata.namespace === home ? { ...o, metadata: { ...o.metadata, namespace } } : o))
      .map((value) => writer.document({ when: 1n, node: { kind: 'literal', value } }))
      .join('');
  }

  #open(value: OpenValue, values: JsonObject): Json {
    const expression = value.expression ?? valueExpression(value.path);
    if (value.type === 'string') {
      const set = typeof value.optional === 'string' ? value.optional : expression;
      const guard = value.gate === undefined ? set : `and ${valueExpression(value.gate)} ${set}`;
      return this.#placeholders.string(expression, value.optional ? guard : undefined);
    }
    if (value.type !== 'map') return this.#placeholders[value.type](expression);
    // values.yaml contains the platform's default, so its keys must not be rendered into the template too
    const before = effectiveValue(value.path, values);
    const removed = isObject(before) ? Object.fromEntries(Object.keys(before).map((key) => [key, null])) : {};
    return { ...removed, ...this.#placeholders.map(expression) };
  }

  #render(part: Part, decisions: readonly DecidingValue[], choice: readonly number[]): ReadonlyMap<string, Json> {
    const chosen = decisions.map((d, i): JsonObject => d.options[choice[i] ?? 0]?.values ?? {});
    const on = { [part.key]: { enabled: true } };
    // the chart tests around the templates of a part whether it is enabled; the decisions enable and disable other parts
    const seen = mergeLayers([this.#values, on, ...chosen]);
    const values = mergeLayers([seen, on]);
    const context = this.#context(seen);
    const { objects, issues } = part.render(effectiveBlock(part, values).values, context);
    const [issue] = issues;
    if (objects.length === 0 && issue !== undefined)
      throw new Error(`${part.key} cannot be rendered with placeholders: ${issue.path.join('.')}: ${issue.message}`);
    return new Map(
      objects
        .map((object) => withNamespace(object, context))
        .map((object) => [
          `${object.apiVersion} ${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name}`,
          object,
        ]),
    );
  }

  /** The context of renderers; images, checksums and ports depend on values, so they are template expressions. */
  #context(values: JsonObject): PlatformContext {
    const placeholders = this.#placeholders;
    const group = (term: string): string => (term.startsWith('"') ? term : `(${term})`);
    const expression = (content: string): string => group(placeholders.expression(content));
    const known = platformContext(values, this.#options);
    return {
      ...known,
      values,
      trusted: true,
      image: (reference) => placeholders.string(`include "dynamo.image" (list $ ${expression(reference)})`),
      secretData: (content) => ({
        data: Object.fromEntries(
          Object.entries(content).map(([key, value]) => [key, placeholders.string(`${expression(value)} | b64enc`)]),
        ),
      }),
      tagOf: (reference) =>
        placeholders.hasNone(reference)
          ? known.tagOf(reference)
          : placeholders.string(`include "dynamo.tag" ${expression(reference)}`),
      checksum: (content, length) =>
        placeholders.string(`${expression(content)} | sha256sum${length === undefined ? '' : ` | trunc ${length}`}`),
      portOf: (address, fallback) => {
        // an address that ends in a literal already contains its port
        if (typeof placeholders.pieces(address).at(-1) === 'string') return known.portOf(address, fallback);
        return placeholders.number(`include "dynamo.port" (list ${expression(address)} ${fallback})`);
      },
    };
  }
}

function withNamespace(object: KubernetesObject, context: PlatformContext): KubernetesObject {
  if (object.metadata.namespace !== undefined || isClusterScoped(object.apiVersion, object.kind)) return object;
  const { name, ...rest } = object.metadata;
  return { ...object, metadata: { name, namespace: context.namespace, ...rest } };
}

/** The variants of each object, in one order that all cases agree with. */
function documents(rendered: readonly ReadonlyMap<string, Json>[], space: CaseSpace): readonly (readonly Variant[])[] {
  const lists = [...new Map(rendered.map((r) => [JSON.stringify([...r.keys()]), [...r.keys()]])).values()];
  const keys = mergeOrder(lists) ?? [...new Set(lists.flat())];
  return keys.map((key) =>
    joinEqual(
      space.choices.flatMap((_, i) => {
        const object = rendered[i]?.get(key);
        return object === undefined ? [] : [{ cases: 1n << BigInt(i), value: object }];
      }),
    ),
  );
}
