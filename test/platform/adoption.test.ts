import { expect, test } from 'vitest';
import { isObject, type Json } from '../../lib/json/index.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';
import { keyOf, recordings, type RecordedObject } from './recorded.ts';

/** Checksums of what Helm makes up or prints with comments; docs/operations/migration.md carries them over. */
const carriedOver = new Set(['checksum/token-secret', 'checksum/configuration']);

/** What the API server keeps of a field: nulls and empty lists say nothing, an empty map is stored as such. */
function stored(value: Json): Json {
  if (Array.isArray(value)) return value.map(stored);
  if (!isObject(value)) return value;
  const says = ([key, field]: [string, Json | undefined]): boolean =>
    field !== null && field !== undefined && !(Array.isArray(field) && field.length === 0) && !carriedOver.has(key);
  return Object.fromEntries(
    Object.entries(value)
      .filter(says)
      .map(([key, field]) => [key, stored(field ?? null)]),
  );
}

function workloads(objects: readonly RecordedObject[]): Readonly<Record<string, Json>> {
  const found = objects.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
  return Object.fromEntries(found.map((object) => [`${object.kind} ${object.metadata.name}`, stored(object['spec'] ?? null)]));
}

const cases = recordings().filter(({ ok }) => ok);

test.each(cases.map((recording) => [recording.id, recording] as const))(
  'adopting the release restarts nothing, since the API server would store the same workloads: %s',
  (_id, { values, release, namespace, apiVersions, kubeVersion, objects = [] }) => {
    const rendered = renderPlatform(values, { release, namespace, apiVersions, kubeVersion, profile: 'parity' });
    expect(workloads(rendered.objects as readonly RecordedObject[])).toEqual(workloads(objects));
  },
);

test('the recorded workloads have what this is about: checksums, empty maps, names made of content', () => {
  const text = JSON.stringify(cases.map(({ objects = [] }) => workloads(objects)));
  for (const part of ['"checksum/config":"', '"affinity":{}', '"seLinuxOptions":{}', '"name":"grove-operator-cm-'])
    expect(text).toContain(part);
  expect(cases.flatMap(({ objects = [] }) => objects.map(keyOf)).length).toBeGreaterThan(1000);
});
