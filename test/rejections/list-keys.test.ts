// CRDs of Grove and LeaderWorkerSet reject list items with the same key, which the API server accepts in a Deployment or reports otherwise.
import { expect, test } from 'vitest';
import { formatPath, type JsonObject } from '../../lib/json/index.ts';
import { checkObject } from '../../lib/rejections/index.ts';

const main = (container: JsonObject): JsonObject => ({ containers: [{ name: 'main', image: 'i', ...container }] });

function duplicates(pod: JsonObject): readonly string[] {
  const metadata = { name: 'a' };
  const set = { cliques: [{ name: 'w', spec: { podSpec: pod } }] };
  const inGrove = checkObject({ apiVersion: 'grove.io/v1alpha1', kind: 'PodCliqueSet', metadata, spec: { template: set } });
  const inGroup = checkObject({
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    metadata,
    spec: { leaderWorkerTemplate: { workerTemplate: { spec: pod } } },
  });
  const below = (errors: typeof inGrove, start: string): readonly string[] =>
    errors.flatMap(({ field, message }) =>
      message.startsWith('Duplicate value') && formatPath(field).startsWith(start)
        ? [`${formatPath(field).slice(start.length)}: ${message}`]
        : [],
    );
  const found = below(inGrove, 'spec.template.cliques[0].spec.podSpec.');
  expect(below(inGroup, 'spec.leaderWorkerTemplate.workerTemplate.spec.')).toEqual(found);
  return found;
}

test.each<[string, JsonObject, string]>([
  [
    'ports, whose protocol defaults to TCP',
    main({ ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'TCP' }] }),
    'containers[0].ports[1]',
  ],
  ['variables', main({ env: [{ name: 'A' }, { name: 'A', value: '1' }] }), 'containers[0].env[1]'],
  [
    'mounts',
    main({
      volumeMounts: [
        { name: 'a', mountPath: '/x' },
        { name: 'b', mountPath: '/x' },
      ],
    }),
    'containers[0].volumeMounts[1]',
  ],
  ['claims', main({ resources: { claims: [{ name: 'g' }, { name: 'g' }] } }), 'containers[0].resources.claims[1]'],
  ['volumes', { ...main({}), volumes: [{ name: 'v' }, { name: 'v' }] }, 'volumes[1]'],
])('rejects two %s with the same key', (_, pod, field) => {
  expect(duplicates(pod)).toEqual([expect.stringMatching(new RegExp(`^${field.replaceAll(/[[\]]/g, '\\$&')}: Duplicate value`))]);
});

test('ports of different protocols are different', () => {
  expect(duplicates(main({ ports: [{ containerPort: 53 }, { containerPort: 53, protocol: 'UDP' }] }))).toEqual([]);
});
