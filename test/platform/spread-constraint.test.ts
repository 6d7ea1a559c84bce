import { expect, test } from 'vitest';
import { objectAt, objectsAt, stringMapAt } from '../../lib/json/index.ts';
import { renderPlatform } from '../../lib/platform/index.ts';

const values = {
  'dynamo-operator': { controllerManager: { replicas: 2 } },
  nats: { config: { cluster: { enabled: true, replicas: 3 } } },
  etcd: { enabled: true, replicaCount: 3 },
  grove: { enabled: true, replicaCount: 2 },
  'kai-scheduler': { enabled: true, operator: { replicaCount: 2 } },
};
const spread = renderPlatform(values).objects.flatMap((object) => {
  const template = objectAt(object, 'spec', 'template');
  const constraints = objectsAt(template, 'spec', 'topologySpreadConstraints');
  return constraints.map((constraint) => ({ name: `${object.kind} ${object.metadata.name}`, template, constraint }));
});

test('pods of every server are spread over nodes', () => {
  const names = spread.filter(({ constraint }) => constraint['topologyKey'] === 'kubernetes.io/hostname').map(({ name }) => name);
  expect(new Set(names)).toEqual(
    new Set([
      'Deployment dynamo-platform-dynamo-operator-controller-manager',
      'Deployment grove-operator',
      'Deployment kai-operator',
      'StatefulSet dynamo-platform-etcd',
      'StatefulSet dynamo-platform-nats',
    ]),
  );
});

test('a cluster with fewer nodes than pods runs them all', () => {
  for (const { name, constraint } of spread)
    expect({ name, when: constraint['whenUnsatisfiable'], skew: constraint['maxSkew'] }).toEqual({
      name,
      when: 'ScheduleAnyway',
      skew: 1,
    });
});

test('each constraint counts the pods that have it', () => {
  for (const { name, template, constraint } of spread) {
    const selected = stringMapAt(constraint, 'labelSelector', 'matchLabels');
    expect({ name, labels: stringMapAt(template, 'metadata', 'labels') }).toMatchObject({ name, labels: selected });
    expect(Object.keys(selected).length).toBeGreaterThan(0);
  }
});
