import type { KubernetesObject } from '../../lib/api/index.ts';
import { describe, expect, test } from 'vitest';
import { type JsonObject, objectsAt, stringAt } from '../../lib/json/index.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';
import { mergeLayers } from '../../lib/platform/merge.ts';
import { versionLabel } from '../../lib/platform/version-label.ts';

const everything = {
  nats: {
    natsBox: { enabled: true },
    podDisruptionBudget: { enabled: true },
    config: { cluster: { enabled: true, replicas: 3 } },
  },
  etcd: { enabled: true, defrag: { enabled: true } },
};

const label = 'app.kubernetes.io/version';

/** Version labels of the objects and pods of a component, each once. */
function versions(
  component: string,
  values: JsonObject = {},
  options: Parameters<typeof renderPlatform>[1] = {},
): readonly string[] {
  const { objects, issues } = renderPlatform(mergeLayers([everything, values]), options);
  expect(issues).toEqual([]);
  const found = objects
    .filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/name'] === component.split('-', 1)[0])
    .filter(({ metadata }) => (metadata.labels?.['app.kubernetes.io/component'] === 'nats-box') === (component === 'nats-box'))
    .flatMap((object) => [object.metadata.labels?.[label] ?? 'none', ...podVersions(object)]);
  return [...new Set(found)];
}

function podVersions(object: KubernetesObject): readonly string[] {
  const version = stringAt(object, 'spec', 'template', 'metadata', 'labels', label);
  return version === '' ? [] : [version];
}

describe('version labels of NATS and etcd', () => {
  test.each([
    ['nats', 'StatefulSet', 'dynamo-platform-nats'],
    ['nats-box', 'Deployment', 'dynamo-platform-nats-box'],
    ['etcd', 'StatefulSet', 'dynamo-platform-etcd'],
  ])('%s: name the version that runs', (component, kind, name) => {
    const { objects } = renderPlatform(everything);
    const workload = objects.find((o) => o.kind === kind && o.metadata.name === name);
    const [container] = objectsAt(workload, 'spec', 'template', 'spec', 'containers');
    const tag = stringAt(container, 'image').split(':').at(-1);
    expect(versions(component)).toEqual([tag]);
  });

  test('follow the image of the values', () => {
    expect(versions('nats', { nats: { container: { image: { tag: '2.12.0' } } } })).toEqual(['2.12.0']);
    expect(versions('nats', { nats: { container: { image: { fullImageName: 'r.io:5000/nats:2.9_x' } } } })).toEqual(['2.9_x']);
    expect(versions('nats-box', { nats: { natsBox: { container: { image: { tag: '0.18.0' } } } } })).toEqual(['0.18.0']);
    expect(versions('etcd', { etcd: { image: { tag: '3.6.0-' } } })).toEqual(['3.6.0']);
    const digest = `sha256:${'a'.repeat(64)}`;
    expect(versions('etcd', { etcd: { image: { digest } } })).toEqual(['unknown']);
    expect(
      versions('etcd', { platform: { imageDigests: { 'docker.io/bitnamilegacy/etcd:3.5.18-debian-12-r5': digest } } }),
    ).toEqual(['3.5.18-debian-12-r5']);
  });

  test('name the version of the sub chart in the profile parity, whatever runs', () => {
    const values = { nats: { container: { image: { tag: '2.12.0' } } }, etcd: { image: { tag: '3.6.0' } } };
    expect(versions('nats', values, { profile: 'parity' })).toEqual(['2.11.1']);
    expect(versions('nats-box', values, { profile: 'parity' })).toEqual(['2.11.1']);
    expect(versions('etcd', values, { profile: 'parity' })).toEqual(['3.6.4']);
  });

  test('are in no selector and in no claim, which cannot change', () => {
    const workloads = renderPlatform(everything).objects.filter((o) => ['StatefulSet', 'Deployment'].includes(o.kind));
    expect(workloads.length).toBeGreaterThan(3);
    for (const object of workloads) {
      expect(JSON.stringify(object['spec'] && { ...(object['spec'] as JsonObject), template: undefined })).not.toContain(label);
    }
  });
});

test.each([
  ['2.10.21-alpine', '2.10.21-alpine'],
  ['_x.Y-', 'x.Y'],
  ['sha256:abc', 'sha256-abc'],
  [`${'a'.repeat(62)}.b`, 'a'.repeat(62)],
  ['...', ''],
  ['', ''],
])('the version %j is labelled %j', (version, label) => {
  expect(versionLabel(version)).toBe(label);
});
