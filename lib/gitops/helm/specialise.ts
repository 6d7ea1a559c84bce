import {
  type ContextOptions,
  effectiveBlock,
  isClusterScoped,
  type KubernetesObject,
  mergeLayers,
  type Part,
  platformContext,
  type PlatformContext,
} from '../../platform/index.ts';
import { isObject, type Json, type JsonObject } from '../../json/index.ts';
import { caseSpace, Conditions, type CaseSpace } from './condition.ts';
import { nest, openValues, valueExpression, type DecidingValue, type OpenValue } from './chart-values.ts';
import { TemplateWriter } from './emit.ts';
import { effectiveValue } from './effective-value.ts';
import { Parameters, standIns, type ChartParameter } from './parameter.ts';
import { fold, joinEqual, mergeOrder, type Variant } from './variants.ts';

/**
 * Turns renderers into templates: objects are rendered once for every combination of the deciding values, with stand-ins for the values that are
 * passed through; what is the same in all combinations is written once, the rest inside `if`.
 */
export class Specialiser {
  readonly #parameters: ChartParameter[] = [];
  readonly #known = new Map<string, string>();
  readonly #ports = new Map<string, number>();
  readonly #values: JsonObject;
  readonly #options: ContextOptions;

  constructor(values: JsonObject, options: ContextOptions) {
    const release = this.text('.Release.Name');
    const namespace = this.text('.Release.Namespace');
    const names = ['dynamo-operator', 'nats', 'etcd'].map((key) =>
      nest(`${key}.fullnameOverride`, this.text(`include "dynamo.${key}.fullname" .`)),
    );
    this.#options = { ...options, release, namespace };
    const gates = openValues.flatMap((v) => (v.gate === undefined ? [] : [nest(v.gate, true)]));
    this.#values = mergeLayers([values, ...names, ...gates, ...openValues.map((v) => nest(v.path, this.#open(v, values)))]);
  }

  /** The stand-in of an expression that yields text. */
  text(expression: string): string {
    const known = this.#known.get(expression);
    if (known !== undefined) return known;
    const token = standIns.text(this.#add({ expression, type: 'text' }));
    this.#known.set(expression, token);
    return token;
  }

  /** The stand-in of a number. */
  number(expression: string): number {
    return standIns.number(this.#add({ expression, type: 'number' }));
  }

  /** The stand-in of a map. */
  map(expression: string): JsonObject {
    return standIns.map(this.#add({ expression, type: 'map' }));
  }

  /** The templates of one part: its objects for every combination of the decisions. */
  templates(part: Part, decisions: readonly DecidingValue[]): string {
    const space = caseSpace(decisions.map((d) => ({ name: d.path, tests: d.options.map((o) => o.test) })));
    const rendered = space.choices.map((choice) => this.#render(part, decisions, choice));
    const writer = new TemplateWriter(new Conditions(space), new Parameters(this.#parameters));
    return documents(rendered, space)
      .map((variants) => writer.document({ when: variants.reduce((all, v) => all | v.cases, 0n), node: fold(variants) }))
      .join('');
  }

  /** The stand-in of a port, the same one for every combination of the decisions. */
  #port(expression: string): number {
    const known = this.#ports.get(expression) ?? this.number(expression);
    this.#ports.set(expression, known);
    return known;
  }

  /** Templates of objects that no value decides about. */
  fixed(objects: readonly KubernetesObject[]): string {
    const writer = new TemplateWriter(new Conditions(caseSpace([])), new Parameters(this.#parameters));
    return objects.map((value) => writer.document({ when: 1n, node: { kind: 'literal', value } })).join('');
  }

  /** Number of a new parameter. */
  #add(parameter: ChartParameter): number {
    return this.#parameters.push(parameter) - 1;
  }

  #open(value: OpenValue, values: JsonObject): Json {
    const expression = value.expression ?? valueExpression(value.path);
    const guard = value.gate === undefined ? expression : `and ${valueExpression(value.gate)} ${expression}`;
    const token = standIns[value.type](this.#add({ expression, type: value.type, ...(value.optional ? { guard } : {}) }));
    if (!isObject(token)) return token;
    // helm has merged defaults and user's values already: what is there would be merged in once more
    const before = effectiveValue(value.path, values);
    return { ...(isObject(before) ? Object.fromEntries(Object.keys(before).map((key) => [key, null])) : {}), ...token };
  }

  #render(part: Part, decisions: readonly DecidingValue[], choice: readonly number[]): ReadonlyMap<string, KubernetesObject> {
    const chosen = decisions.map((d, i): JsonObject => d.options[choice[i] ?? 0]?.values ?? {});
    const values = mergeLayers([this.#values, ...chosen, { [part.key]: { enabled: true } }]);
    const context = this.#context(values, chosen);
    const { objects } = part.render(effectiveBlock(part, values).values, context);
    return new Map(
      objects
        .map((object) => withHome(object, context))
        .map((object) => [
          `${object.apiVersion} ${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name}`,
          object,
        ]),
    );
  }

  /** Images, checksums and ports depend on values, so the chart computes them. A part's own `enabled` is asked by the chart around its templates. */
  #context(values: JsonObject, chosen: readonly JsonObject[]): PlatformContext {
    const seen = mergeLayers([values, ...chosen]);
    const expression = (content: string): string => new Parameters(this.#parameters).expression(content);
    const group = (text: string): string => (text.startsWith('"') ? text : `(${text})`);
    const known = platformContext(seen, this.#options);
    return {
      ...known,
      values: seen,
      trusted: true,
      image: (reference) => this.text(`include "dynamo.image" (list $ ${group(expression(reference))})`),
      secretData: (content) => ({
        data: Object.fromEntries(
          Object.entries(content).map(([key, value]) => [key, this.text(`${group(expression(value))} | b64enc`)]),
        ),
      }),
      checksum: (content, length) =>
        this.text(`${group(expression(content))} | sha256sum${length === undefined ? '' : ` | trunc ${length}`}`),
      portOf: (address, fallback) => {
        const open = new Parameters(this.#parameters).pieces(address).at(-1);
        // what ends in text of its own says its port already
        if (typeof open !== 'object') return known.portOf(address, fallback);
        return this.#port(`include "dynamo.port" (list ${group(expression(address))} ${fallback})`);
      },
    };
  }
}

function withHome(object: KubernetesObject, context: PlatformContext): KubernetesObject {
  if (object.metadata.namespace !== undefined || isClusterScoped(object.apiVersion, object.kind)) return object;
  const { name, ...rest } = object.metadata;
  return { ...object, metadata: { name, namespace: context.namespace, ...rest } };
}

/** The variants of each object, in one order that fits all cases. */
function documents(
  rendered: readonly ReadonlyMap<string, KubernetesObject>[],
  space: CaseSpace,
): readonly (readonly Variant[])[] {
  const lists = [...new Set(rendered.map((r) => JSON.stringify([...r.keys()])))].map((text): readonly string[] =>
    JSON.parse(text),
  );
  const keys = mergeOrder(lists) ?? [...new Set(lists.flat())];
  return keys.map((key) =>
    joinEqual(
      space.choices.flatMap((_, i) => {
        const object = rendered[i]?.get(key);
        return object === undefined || !isObject(object) ? [] : [{ cases: 1n << BigInt(i), value: object }];
      }),
    ),
  );
}
