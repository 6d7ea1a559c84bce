import { describe, expect, test } from 'vitest';
import { type Json, type JsonObject, listAt } from '../../../lib/json/index.ts';
import { atPath } from '../../../lib/platform/go-values.ts';
import { mergeLayers } from '../../../lib/platform/merge.ts';
import { valuesWithoutEffect } from '../../../lib/platform/no-effect.ts';
import { renderPlatform } from '../../../lib/platform/platform.ts';

const workloads = {
  operator: ['Deployment', 'dynamo-platform-dynamo-operator-controller-manager', 'manager'],
  nats: ['StatefulSet', 'dynamo-platform-nats', 'nats'],
  etcd: ['StatefulSet', 'dynamo-platform-etcd', 'etcd'],
} as const;
type Part = keyof typeof workloads;

function workload(part: Part, values: JsonObject): { readonly spec: Json | undefined; readonly container: Json | undefined } {
  const [kind, name, containerName] = workloads[part];
  const all = mergeLayers([{ etcd: { enabled: true } }, values]);
  const { objects, issues } = renderPlatform(all);
  expect(issues).toEqual([]);
  expect(valuesWithoutEffect(all)).toEqual([]);
  const object = objects.find((o) => o.kind === kind && o.metadata.name === name);
  const containers = listAt(atPath(object, 'spec.template.spec.containers'));
  return { spec: atPath(object, 'spec'), container: containers.find((c) => atPath(c, 'name') === containerName) };
}

/** Where the values of each part say the same. */
const settings: Readonly<
  Record<
    Part,
    {
      readonly probe: (name: string, times: JsonObject) => JsonObject;
      readonly strategy: (value: JsonObject) => JsonObject;
      readonly strategyField: string;
      readonly priority: (name: string) => JsonObject;
      readonly probes: readonly string[];
    }
  >
> = {
  operator: {
    probe: (name, times) => ({ platform: { operator: { [name]: times } } }),
    strategy: (strategy) => ({ platform: { operator: { strategy } } }),
    strategyField: 'strategy',
    priority: (priorityClassName) => ({ platform: { operator: { priorityClassName } } }),
    probes: ['livenessProbe', 'readinessProbe'],
  },
  nats: {
    probe: (name, times) => ({ nats: { container: { merge: { [name]: times } } } }),
    strategy: (updateStrategy) => ({ nats: { statefulSet: { merge: { spec: { updateStrategy } } } } }),
    strategyField: 'updateStrategy',
    priority: (priorityClassName) => ({ nats: { podTemplate: { merge: { spec: { priorityClassName } } } } }),
    probes: ['startupProbe', 'livenessProbe', 'readinessProbe'],
  },
  etcd: {
    probe: (name, times) => ({ etcd: { [name]: times } }),
    strategy: (updateStrategy) => ({ etcd: { updateStrategy } }),
    strategyField: 'updateStrategy',
    priority: (priorityClassName) => ({ etcd: { priorityClassName } }),
    probes: ['startupProbe', 'livenessProbe', 'readinessProbe'],
  },
};

describe.each(Object.keys(settings) as readonly Part[])('the values of %s set', (part) => {
  const { probe, strategy, strategyField, priority, probes } = settings[part];

  test.each(probes)('the times of its %s, and keep what they do not name', (name) => {
    const times = { initialDelaySeconds: 91, periodSeconds: 92, timeoutSeconds: 93, failureThreshold: 94 };
    expect(atPath(workload(part, probe(name, times)).container, name)).toMatchObject(times);
    const before = atPath(workload(part, {}).container, name) as JsonObject;
    const { initialDelaySeconds: _, ...rest } = before;
    expect(atPath(workload(part, probe(name, { initialDelaySeconds: 91 })).container, name)).toEqual({
      ...rest,
      initialDelaySeconds: 91,
    });
  });

  test('how its pods are replaced', () => {
    const given = part === 'operator' ? { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2 } } : { type: 'OnDelete' };
    expect(atPath(workload(part, strategy(given)).spec, strategyField)).toEqual(given);
  });

  test('its priority class', () => {
    expect(atPath(workload(part, priority('high')).spec, 'template.spec.priorityClassName')).toBe('high');
    expect(JSON.stringify(workload(part, {}).spec)).not.toContain('priorityClassName');
  });
});

test.each<[string, JsonObject]>([
  ['a strategy', { platform: { operator: { strategy: { type: 'Rolling' } } } }],
  ['times of a probe', { platform: { operator: { livenessProbe: { successThreshold: 2 } } } }],
  ['a priority class', { platform: { operator: { priorityClassName: 'Very High' } } }],
  ['seconds', { platform: { operator: { readinessProbe: { periodSeconds: 0 } } } }],
])('rejects %s that the API server would', (_what, values) => {
  const { issues } = renderPlatform(values);
  expect(issues).toHaveLength(1);
  expect(issues[0]?.path.slice(0, 2)).toEqual(['platform', 'operator']);
});
