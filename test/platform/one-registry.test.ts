import { expect, test } from 'vitest';
import { atPath, templateString } from '../../lib/platform/go-values.ts';
import { listAt } from '../../lib/json/index.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';

const everything = {
  grove: { enabled: true },
  'kai-scheduler': { enabled: true },
  nats: { natsBox: { enabled: true }, promExporter: { enabled: true } },
  etcd: { defrag: { enabled: true } },
};

const published = /"(?:[^"]*=)?(?:nvcr\.io|ghcr\.io|gcr\.io|quay\.io|docker\.io)\//;

test('one registry takes the place of every other, also of what operators pull later', () => {
  const { objects } = renderPlatform({ ...everything, global: { imageRegistry: 'mirror.example/all' } });
  expect(JSON.stringify(objects)).not.toMatch(published);
  const text = JSON.stringify(objects);
  for (const name of ['nvidia/grove/grove-initc', 'nvidia/kai-scheduler', 'nvidia/kai-scheduler/resourcereservation:v0.9.4'])
    expect(text).toContain(`mirror.example/all/${name}"`);
});

test('every pod names the pull secrets that all share, each once, after its own', () => {
  const { objects } = renderPlatform({
    ...everything,
    global: { imagePullSecrets: ['all', { name: 'more' }] },
    'dynamo-operator': { imagePullSecrets: [{ name: 'own' }, { name: 'all' }] },
  });
  const pods = objects.flatMap((object) => {
    const pod = atPath(object, 'spec.template.spec') ?? atPath(object, 'spec.jobTemplate.spec.template.spec');
    return pod === undefined
      ? []
      : [listAt(atPath(pod, 'imagePullSecrets')).map((secret) => templateString(atPath(secret, 'name')))];
  });
  expect(pods.length).toBeGreaterThan(7);
  for (const names of pods) expect(['all,more', 'own,all,more']).toContain(names.join());
  expect(pods).toContainEqual(['own', 'all', 'more']);
});

test('parity reads both as the original does', () => {
  const { objects } = renderPlatform({ grove: { enabled: true }, global: { imagePullSecrets: ['all'] } }, { profile: 'parity' });
  const named = objects.filter((object) => atPath(object, 'spec.template.spec.imagePullSecrets') !== undefined);
  expect(named.map(({ metadata }) => metadata.name)).toEqual(['dynamo-platform-etcd']);
});
