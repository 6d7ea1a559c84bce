import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { crds, type CustomResourceDefinition } from '../../lib/api/crds.ts';
import { isObject, type Json } from '../../lib/json/index.ts';
import type { Schema } from '../../lib/api/schema/dsl.ts';
import { kinds } from '../../lib/api/schema/kinds.ts';
import { toYaml } from '../../lib/manifest/index.ts';

const corpus = process.env['DYNAMO_CORPUS'];
const each = crds().map((crd) => [crd.spec.names.kind, crd] as const);

test.each(each)('the CRD of %s is as it was last reviewed', async (_kind, crd) => {
  await expect(toYaml(crd)).toMatchFileSnapshot(`../golden/crds/${crd.metadata.name}.yaml`);
});

test.each(each)('the CRD of %s is small enough for a client-side apply', (_kind, crd) => {
  expect(Buffer.byteLength(JSON.stringify(crd))).toBeLessThan(262_144);
});

/** Fields without a description, down to where Kubernetes' own types begin. */
function undescribed(schema: Schema, path: string): readonly string[] {
  const inner = [schema.items, schema.additionalProperties].flatMap((part) =>
    part === undefined ? [] : undescribed(part, path),
  );
  if (schema.kubernetes) return inner;
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const described = (field.description ?? field.doc ?? '') !== '';
    return [...(described ? [] : [`${path}.${name}`]), ...undescribed(field, `${path}.${name}`)];
  });
  return [...inner, ...fields];
}

test.each(kinds.map((definition) => [definition.kind, definition] as const))(
  'every Dynamo field of %s is described',
  (_kind, definition) => {
    const parts: Readonly<Record<string, Schema>> = {
      spec: definition.spec,
      ...('status' in definition ? { status: definition.status } : {}),
    };
    expect(Object.entries(parts).flatMap(([name, schema]) => undescribed(schema, name))).toEqual([]);
  },
);

/** What validates, prunes, defaults and prints; not what describes. Inside `properties` every key is a field's name. */
function structure(value: Json, isProperties = false): Json {
  if (Array.isArray(value)) return value.map((item) => structure(item));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, member]): (readonly [string, Json])[] => {
    if (member === undefined) return [];
    if (isProperties) return [[key, structure(member)]];
    if (key === 'description' || (key === 'required' && Array.isArray(member) && member.length === 0)) return [];
    if (key === 'required' && Array.isArray(member)) return [[key, member.map(String).sort()]];
    if (key === 'x-kubernetes-validations' && Array.isArray(member)) return [[key, member.length]];
    return [[key, structure(member, key === 'properties')]];
  });
  return Object.fromEntries(entries);
}

test.skipIf(corpus === undefined)('every CRD is the structure of the original, but for the column Message of a graph', () => {
  const originals = ['crds', 'crds-chart-only'].flatMap((folder) => {
    const path = join(corpus ?? '', 'upstream', folder);
    return readdirSync(path).map((file) => parse(readFileSync(join(path, file), 'utf8')) as CustomResourceDefinition);
  });
  const byName = (a: CustomResourceDefinition, b: CustomResourceDefinition): number =>
    a.metadata.name < b.metadata.name ? -1 : 1;
  const withoutStamp = ({ metadata: { name, annotations }, ...rest }: CustomResourceDefinition): Json => {
    const policy = annotations?.['helm.sh/resource-policy'];
    return structure({ ...rest, name, policy });
  };
  const withoutMessage = (crd: CustomResourceDefinition): CustomResourceDefinition => {
    const versions = crd.spec.versions.map((version) => ({
      ...version,
      additionalPrinterColumns: version.additionalPrinterColumns.filter(({ name }) => name !== 'Message'),
    }));
    return { ...crd, spec: { ...crd.spec, versions } };
  };
  expect(crds().map(withoutMessage).toSorted(byName).map(withoutStamp)).toEqual(originals.toSorted(byName).map(withoutStamp));
});

test('the rule on claims passes whatever does not create one, or says all it takes', () => {
  const [rule] = kinds[0].spec.properties?.['pvcs']?.items?.celRules ?? [];
  const complete = { name: 'c', create: true, size: '', storageClass: '', volumeAccessMode: '' };
  expect(rule?.holds({ name: 'c' })).toBe(true);
  expect(rule?.holds({ name: 'c', create: false })).toBe(true);
  expect(rule?.holds(complete)).toBe(true);
  for (const field of ['size', 'storageClass', 'volumeAccessMode'])
    expect(rule?.holds({ ...complete, [field]: undefined })).toBe(false);
});
