/** Random resources of every kind, generated from the schemas: mostly valid, with the mistakes that people and programs make. */
import { gen, nat, noBias, type Arbitrary, type GeneratorValue } from 'fast-check';
import type { Json, JsonObject } from '../../lib/json/index.ts';
import type { Schema } from '../../lib/api/schema/dsl.ts';
import { apiVersion, kinds, type KindDefinition } from '../../lib/api/schema/kinds.ts';

const strangers: readonly Json[] = [
  null, true, false, 0, -1, 1, 2, 2.5, -0.5, 3.000000000001, -3.000000000001, 0.0000000001, 2_147_483_647, 2_147_483_648, -2_147_483_649,
  9_007_199_254_740_991, 9_007_199_254_740_993n, -9_007_199_254_740_993n, 9_223_372_036_854_775_807n, 9_223_372_036_854_775_808n,
  -9_223_372_036_854_775_809n, 1e16, 1e300, '', 'text', '5', '-1', 'true', 'null', '2Gi', 'é', '😀', [], [null], ['a'], [1, 1], {}, { a: null }, { a: 1 },
  [[]], [[{ a: 1 }]], [{}], [{ name: 'a' }, { name: 'a' }], [{ name: 'x' }, 'y'], { name: 'x' },
]; // prettier-ignore

const words: readonly string[] = [
  'a',
  'b',
  'main',
  'x-1',
  'text with spaces',
  '',
  '$(HOME)',
  'é😀',
  'TCP',
  '/data',
  'true',
  '8080',
  '\u0000',
  '\u2028',
];
const mapKeys: readonly string[] = [
  'a',
  'main',
  'Worker',
  'a.b',
  'x/y',
  'a~b',
  '',
  '0',
  '__proto__',
  'constructor',
  'toString',
  'b c',
  'é',
  '[x]',
];
const unknownKeys: readonly string[] = [
  'bogus',
  'Replicas',
  'replcas',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'x.y',
  '',
  'metadata',
  'apiVersion',
  '$ref',
];
const quantities: readonly Json[] = [
  '1', '500m', '2Gi', '.5', '1.', '+1', '-1', '1e3', '1E-3', '1e1.5', '1Ki', '1k', '1K', '0x10', '1 Gi', ' 1', '1_000', '1e', 'e3', '.', '', '12345678901234567890', '１',
  0, 5, -7, 1.5, 1_073_741_824, 9_007_199_254_740_993n, '1\n',
]; // prettier-ignore
const times: readonly Json[] = [
  '2026-01-31T12:00:00Z', '2026-01-31t12:00:00z', '2026-02-29T00:00:00Z', '2024-02-29T23:59:59+01:00', '1900-02-29T00:00:00Z', '2000-02-29T00:00:00Z',
  '2026-01-31 12:00:00Z', '2026-01-31T12:00:00', '2026-01-31T24:00:00Z', '2026-01-31T12:60:00Z', '2026-01-31T12:00:60Z', '2026-01-31T12:00:00.123Z',
  '2026-01-31T12:00:00,123Z', '2026-01-31T12:00:00x123Z', '2026-01-31T12:00:00Ztt', '2026-13-01T00:00:00Z', '2026-00-10T00:00:00Z', '2026-01-00T00:00:00Z',
  '0000-01-01T00:00:00Z', '12:00', '', 'never', [], ['x'], [{ a: 1 }],
]; // prettier-ignore
const base64s: readonly Json[] = [
  'e30=',
  'eyJhIjoxfQ==',
  'YWJj',
  'YQ==',
  'YQ',
  'YQ=',
  '====',
  '',
  'a-_=',
  'e30=\n',
  'e3 0=',
  [],
  ['x'],
  [{ a: 1 }],
];

/** Names of conditions and reasons, right and wrong. */
const tokens: readonly Json[] = [
  'Ready',
  'a.b/Ready',
  '',
  '-x',
  'a b',
  'R'.repeat(316),
  'R'.repeat(317),
  'R'.repeat(1025),
  'all_ready',
  'x:',
  'é',
];

/** Names of fields from the root of a schema; `*` stands for any item or key. */
type Route = readonly string[];

const routes = new Map<Schema, readonly Route[]>();

/** A route to every field of every type that a schema leads to, each type entered once. */
function routesOf(root: Schema): readonly Route[] {
  const known = routes.get(root);
  if (known !== undefined) return known;
  const found: Route[] = [];
  const entered = new Set<string>();
  const visit = (schema: Schema, route: Route): void => {
    const inner = schema.items ?? schema.additionalProperties;
    if (inner) visit(inner, [...route, '*']);
    if (schema.typeName !== undefined && entered.has(schema.typeName)) return;
    if (schema.typeName !== undefined) entered.add(schema.typeName);
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      found.push([...route, name]);
      visit(field, [...route, name]);
    }
  };
  visit(root, []);
  routes.set(root, found);
  return found;
}

class Builder {
  private readonly g: GeneratorValue;
  private readonly mistakes: number;

  constructor(g: GeneratorValue, mistakes: number) {
    this.g = g;
    this.mistakes = mistakes;
  }

  private pick<T>(values: readonly T[]): T {
    return pick(this.g, values);
  }

  private chance(of: number): boolean {
    return this.g(upTo, 9999) < of * 10_000;
  }

  /** A value for a schema; a route leads to a field that must be there, and is often wrong. */
  value(schema: Schema, depth: number, route?: Route): Json {
    if (this.chance(route?.length === 0 ? 0.3 : route === undefined ? this.mistakes : 0)) return this.pick(strangers);
    if (schema.intOrString)
      return schema.pattern === undefined ? this.pick<Json>([80, 'http', 0, -1, '', '80', 65_536]) : this.quantity();
    if (schema.enum)
      return this.chance(0.95)
        ? this.pick(schema.enum)
        : this.pick<Json>(['', 'Nonsense', (schema.enum[0] ?? '').toUpperCase(), 65]);
    if (schema.items) return this.list(schema, schema.items, depth, route);
    if (schema.type === 'object') return this.object(schema, depth, route);
    if (schema.format === 'date-time') return this.chance(0.5) ? '2026-01-31T12:00:00Z' : this.pick(times);
    if (schema.format === 'byte') return this.chance(0.5) ? 'e30=' : this.pick(base64s);
    if (schema.type === 'boolean') return this.chance(0.5);
    if (schema.type === 'integer') return this.integer(schema);
    if (schema.type === 'number') return this.pick<Json>([0.5, 1, 0, -1.25, 1e21, 1e-7, 123456789.125]);
    if (schema.pattern !== undefined || schema.maxLength !== undefined) return this.chance(0.8) ? 'Ready' : this.pick(tokens);
    return this.pick(words);
  }

  private quantity(): Json {
    return this.chance(0.7) ? this.pick<Json>(['1', '2Gi', '500m', 3]) : this.pick(quantities);
  }

  private integer(schema: Schema): Json {
    const least = schema.minimum ?? 0;
    return this.chance(0.8)
      ? this.pick([least, least + 1, 7])
      : this.pick<Json>([least - 1, -5, 0, 2_147_483_648, 9_007_199_254_740_993n]);
  }

  private list(schema: Schema, items: Schema, depth: number, route: Route = []): Json {
    if (schema.maxItems !== undefined && this.chance(0.02))
      return Array.from({ length: schema.maxItems + this.g(upTo, 1) }, () => ({ name: 'c' }));
    const length = route.length > 0 ? this.pick([1, 1, 2]) : this.pick([0, 1, 1, 1, 2, 2, 3]);
    const made = Array.from({ length }, (_, at) =>
      this.value(items, depth + 1, at === 0 && route.length > 0 ? route.slice(1) : undefined),
    );
    // Equal items, so that keys collide.
    return made.length > 0 && this.chance(0.1) ? [...made, this.pick(made)] : made;
  }

  private object(schema: Schema, depth: number, route: Route = []): Json {
    const entries: [string, Json][] = [];
    if (schema.additionalProperties) {
      const many = route.length === 0 && schema.maxProperties !== undefined && this.chance(0.02);
      const count = many
        ? (schema.maxProperties ?? 0) + this.g(upTo, 1)
        : this.pick(route.length > 0 ? [1, 1, 2] : [0, 1, 1, 1, 2, 3]);
      for (let i = 0; i < count; i++) {
        const rest = i === 0 && route.length > 0 ? route.slice(1) : undefined;
        entries.push([many ? `s${i}` : this.pick(mapKeys), many ? {} : this.value(schema.additionalProperties, depth + 1, rest)]);
      }
      return build(entries);
    }
    const fields = Object.entries(schema.properties ?? {});
    const wanted = Math.min(0.6, Math.max(1, 4 - depth / 3) / Math.max(1, fields.length));
    for (const [name, field] of fields) {
      const needed = schema.required?.includes(name) ?? false;
      const routed = route[0] === name;
      if (routed || this.chance(needed ? 0.98 : wanted))
        entries.push([name, this.value(field, depth + 1, routed ? route.slice(1) : undefined)]);
    }
    if (this.chance(this.mistakes)) entries.push([this.pick(unknownKeys), this.pick(strangers)]);
    if (this.chance(this.mistakes / 2) && fields.length > 0) {
      const [name] = this.pick(fields);
      entries.push([`${name.slice(0, 1)}${name.slice(2)}`, this.pick(strangers)]);
    }
    if (schema.preserveUnknown && this.chance(0.5)) entries.push([this.pick(mapKeys), this.pick(strangers)]);
    if (schema.embeddedResource && this.chance(0.9)) {
      entries.push(['apiVersion', this.chance(0.8) ? 'v1' : this.pick<Json>(['', 'a/b/c', 'a/b', 1, null])]);
      entries.push(['kind', this.chance(0.8) ? 'ConfigMap' : this.pick<Json>(['', '1a', 'a_b', 'x'.repeat(64), 1])]);
      if (this.chance(0.7)) entries.push(['metadata', this.metadata()]);
    }
    return build(entries);
  }

  metadata(): Json {
    const oddly = (usual: Json, odd: readonly Json[]): Json => (this.chance(0.97) ? usual : this.pick(odd));
    const entries: [string, Json][] = [
      ['name', oddly('sample', ['', 'Sample', 'a.b', 'a_b', '-a', 'a'.repeat(254), 'a'.repeat(253), 5, null, 'a/b', '..', 'é'])],
    ];
    const more: readonly (readonly [string, readonly Json[]])[] = [
      ['generateName', ['sample-', '-', 'A-', 'a--', 'a.-', '', 7, null]],
      ['labels', [{ a: 'b' }, { 'x.io/y': '' }, { '': 'a' }, { 'a b': 'c' }, { a: 'b c' }, { a: 'x'.repeat(64) }, { a: null }, { a: 1 }, {}, null, [], { 'A/b': 'c' }, { 'a/b/c': 'd' }, { '/a': 'b' }, { 'a/': 'b' }]],
      ['annotations', [{ a: 'b c\n' }, { 'X/y': '' }, { '': 'a' }, { a: null }, { a: true }, {}, null, { a: 'x'.repeat(262_144) }, { ['a'.repeat(64)]: '' }]],
      ['finalizers', [['nvidia.com/finalizer'], ['orphan', 'foregroundDeletion'], [''], ['a b'], [null], [1], {}, null, []]],
      ['ownerReferences', [[{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u' }], [{}], [{ apiVersion: 'v1', kind: 'Event', name: 'a', uid: 'u' }], [null], 'x', [{ apiVersion: 'v1', kind: 'A', name: 'a', uid: 'u', controller: true }, { apiVersion: 'v1', kind: 'B', name: 'b', uid: 'v', controller: true, blockOwnerDeletion: null }], [{ apiVersion: 'v1', kind: 'A', name: 'a', uid: 'u', bogus: 1 }], [{ apiVersion: 1 }], [{ apiVersion: 'a/b/c', kind: 'A', name: 'a', uid: 'u' }]]],
      ['creationTimestamp', [null, '2026-01-31T12:00:00Z', 'never', 5, '2026-02-30T12:00:00Z', '2026-01-31T12:00:00.5Z', '2026-01-31t12:00:00Z']],
      ['generation', [1, 0, -1, 'x', 1.5, null]],
      ['lables', [{ a: 'b' }]],
      ['deletionGracePeriodSeconds', [5, 'x', null]],
    ]; // prettier-ignore
    for (const [name, values] of more) if (this.chance(0.01)) entries.push([name, this.pick(values)]);
    if (this.chance(this.mistakes / 4)) return this.pick(strangers);
    return build(entries);
  }
}

/** A number from 0 to `max`, each as likely as the others. */
const upTo = (max: number): Arbitrary<number> => noBias(nat({ max }));

function pick<T>(g: GeneratorValue, values: readonly T[]): T {
  return values[g(upTo, values.length - 1)] as T;
}

function build(entries: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(entries);
}

function resource(g: GeneratorValue, definition: KindDefinition, withStatus: boolean): JsonObject {
  const builder = new Builder(g, pick(g, [0, 0.005, 0.02, 0.1]));
  const { spec, status } = definition;
  const root: [string, Json][] = [
    ['apiVersion', apiVersion],
    ['kind', definition.kind],
    ['metadata', builder.metadata()],
  ];
  const part = withStatus ? status : spec;
  const route = part === undefined || g(upTo, 1) === 0 ? undefined : pick(g, routesOf(part));
  if (withStatus && status) root.push(['status', builder.value(status, 1, route)]);
  if (!withStatus && g(upTo, 50) > 0) root.push(['spec', builder.value(spec, 1, route)]);
  if (g(upTo, 40) === 0) root.push(['extra', 1]);
  return build(root);
}

/** Resources to create. */
export const resources: Arbitrary<JsonObject> = gen().map((g) =>
  resource(g, pick<KindDefinition>(g, [...kinds, ...kinds.slice(0, 2)]), false),
);

/** Statuses of the kinds that have one, each in a resource without a spec. */
export const statuses: Arbitrary<JsonObject> = gen().map((g) =>
  resource(
    g,
    pick<KindDefinition>(
      g,
      kinds.filter((definition) => 'status' in definition),
    ),
    true,
  ),
);
