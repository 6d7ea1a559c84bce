import type { KubernetesObject } from '../../lib/api/index.ts';
import { describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../lib/json/index.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';
import { comparableSet, recordings, type RecordedObject, type Recording } from './recorded.ts';

function containers(job: JsonObject): readonly JsonObject[] {
  const pod = ((job['spec'] as JsonObject)['template'] as JsonObject)['spec'] as JsonObject;
  return [pod['containers'], pod['initContainers']].flatMap((list) => (list ?? []) as readonly JsonObject[]);
}

/** Scripts need to do the same, not to read the same; verbs have no order; credentials are compared decoded. */
function levelled(object: KubernetesObject | RecordedObject): RecordedObject {
  const copy = structuredClone(object) as Record<string, Json>;
  if (object.kind === 'Job')
    for (const container of containers(copy) as readonly Record<string, Json>[])
      for (const key of ['command', 'args']) if (container[key] !== undefined) container[key] = ['(script)'];
  for (const rule of (copy['rules'] ?? []) as readonly Record<string, string[]>[]) rule['verbs']?.sort();
  const data = copy['data'];
  const docker = isObject(data) ? data['.dockerconfigjson'] : undefined;
  if (typeof docker === 'string')
    copy['data'] = { '.dockerconfigjson': JSON.parse(Buffer.from(docker, 'base64').toString()) as Json };
  return copy as unknown as RecordedObject;
}

function render(recording: Recording) {
  const { release, namespace, apiVersions, kubeVersion } = recording;
  return renderPlatform(recording.values, { release, namespace, apiVersions, kubeVersion, profile: 'parity' });
}

const all = recordings();

describe('the profile parity renders what helm template printed', () => {
  test.each(all.filter((r) => r.ok).map((r) => [r.id, r] as const))('%s', (_id, recording) => {
    const rendered = render(recording);
    expect(rendered.issues).toEqual([]);
    const { namespace } = recording;
    expect(comparableSet(rendered.objects.map(levelled), namespace)).toEqual(
      comparableSet((recording.objects ?? []).map(levelled), namespace),
    );
  });
});

describe('the profile parity refuses what helm template refused', () => {
  test.each(all.filter((r) => !r.ok).map((r) => [r.id, r] as const))('%s', (_id, recording) => {
    const rendered = render(recording);
    expect(rendered.issues).not.toEqual([]);
    expect(rendered.objects).toEqual([]);
  });
});

test('recorded cases render twice to the same bytes in both profiles', () => {
  for (const { values, release, namespace, apiVersions } of all.filter((_, index) => index % 3 === 0))
    for (const profile of ['parity', 'secure'] as const) {
      const options = { release, namespace, apiVersions, profile };
      expect(JSON.stringify(renderPlatform(values, options).objects)).toBe(
        JSON.stringify(renderPlatform(structuredClone(values), options).objects),
      );
    }
});

test('rendering never changes the values it is given', () => {
  const freeze = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  };
  for (const { values, release, namespace } of all) {
    freeze(values);
    expect(() => renderPlatform(values, { release, namespace })).not.toThrow();
  }
});
