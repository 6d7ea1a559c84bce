import { expect, test } from 'vitest';
import { kinds, type Schema } from '../../../lib/api/index.ts';
import { componentSpec } from '../../../lib/render/wire/component-shapes.ts';
import type { Field, Shape } from '../../../lib/render/wire/field.ts';

// The schema says which fields a pod has and what they default to; a shape adds in which order the original writes them and which it
// leaves out when they are empty, which no schema can say. Both describe the same fields.

const schemaOf = (kind: string): Schema => kinds.find((each) => each.kind === kind)?.spec ?? {};

/** The schema of the objects a field holds: of itself, of the items of a list. */
function objects(schema: Schema): Schema | undefined {
  if (schema.items !== undefined) return objects(schema.items);
  return schema.properties === undefined ? undefined : schema;
}

function* differences(schema: Schema, { fields }: Shape, path: string): Iterable<string> {
  const known = schema.properties ?? {};
  const written = new Map<string, Field>(fields);
  for (const key of Object.keys(known)) if (!written.has(key)) yield `${path}.${key} is in the schema only`;
  for (const [key, field] of fields) {
    const inner = known[key];
    if (inner === undefined) {
      yield `${path}.${key} is in the shape only`;
      continue;
    }
    if (field.schemaDefault !== undefined && field.schemaDefault !== inner.default)
      yield `${path}.${key} defaults to ${String(inner.default)}`;
    const nested = objects(inner);
    if (nested !== undefined && field.struct !== undefined) yield* differences(nested, field.struct, `${path}.${key}`);
    else if (nested !== undefined && inner.preserveUnknown !== true) yield `${path}.${key} has fields in the schema only`;
  }
}

test('schema and rendering describe the same fields of a component and its pod, with the same defaults', () => {
  expect([...differences(schemaOf('DynamoComponentDeployment'), componentSpec as Shape, 'spec')]).toEqual([]);
});
