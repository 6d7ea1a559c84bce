import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../lib/json/index.ts';
import { etcd } from '../../lib/platform/etcd/index.ts';
import { grove } from '../../lib/platform/grove/index.ts';
import { kai } from '../../lib/platform/kai/index.ts';
import { nats } from '../../lib/platform/nats/index.ts';
import type { ValuesSchema } from '../../lib/platform/part.ts';
import { renderPart } from './render-part.ts';

const odd = fc.constantFrom<Json>(null, 0, -1, 1e12, 12345678901234567890n, '', '-', '{{ x }}', [], [null], {}, { a: null });

/** Values that mostly fit a schema: few keys, now and then something odd. */
function fitting(schema: ValuesSchema): fc.Arbitrary<Json> {
  const shapes: Readonly<Record<string, () => fc.Arbitrary<Json>>> = {
    boolean: () => fc.boolean(),
    integer: () => fc.constantFrom(0, 1, 3, 8080),
    number: () => fc.constantFrom(1.5, 2),
    string: () => fc.constantFrom('x', '', '3', 'soft', 'simple', 'nano', 'LoadBalancer'),
    null: () => fc.constant(null),
    array: () => fc.array(schema.items === undefined ? odd : fitting(schema.items), { maxLength: 2 }),
    object: () => {
      if (schema.properties !== undefined) {
        const members = Object.entries(schema.properties).map(([key, inner]) => [key, fitting(inner)] as const);
        return fc.record(Object.fromEntries(members), { requiredKeys: [] });
      }
      const { additionalProperties: open } = schema;
      return fc.dictionary(fc.constantFrom('a', 'b.c', 'spec', 'metadata'), typeof open === 'object' ? fitting(open) : odd, {
        maxKeys: 2,
      });
    },
  };
  const types = (typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['object'])).filter((type) => type !== 'null');
  const kinds = types.map((type) => (schema.enum === undefined ? (shapes[type]?.() ?? odd) : fc.constantFrom(...schema.enum)));
  return fc.oneof({ weight: 8, arbitrary: fc.oneof(...kinds) }, { weight: 1, arbitrary: odd });
}

function nullAt(value: unknown, path: string): string | undefined {
  if (value === null || value === undefined) return path;
  if (typeof value !== 'object') return undefined;
  return Object.entries(value)
    .map(([key, inner]) => nullAt(inner, `${path}.${key}`))
    .find((found) => found !== undefined);
}

test.each([nats, etcd, grove, kai])('$key renders any values to objects or issues, never to an exception or a null', (part) => {
  fc.assert(
    fc.property(fitting(part.schema), fc.constantFrom('parity' as const, 'secure' as const), (values, profile) => {
      const block = typeof values === 'object' && values !== null && !Array.isArray(values) ? (values as JsonObject) : {};
      const { objects, issues, drafts = [] } = renderPart(part, block, { profile });
      for (const object of [...objects, ...drafts]) expect(nullAt(object, object.kind)).toBeUndefined();
      expect(objects.length + issues.length).toBeGreaterThan(0);
    }),
    { numRuns: 60 },
  );
});
