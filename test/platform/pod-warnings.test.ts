import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';

const warned = (values: JsonObject, profile: 'secure' | 'parity' = 'secure') =>
  renderPlatform(values, { profile })
    .warnings.filter(({ code }) => code === 'pod_security' || code === 'floating_image')
    .map(({ message }) => message);

describe('pods that the values take out of Pod Security restricted are told', () => {
  test.each<[string, JsonObject, string]>([
    [
      'root in an init container',
      { etcd: { volumePermissions: { enabled: true } } },
      'volume-permissions may gain privileges, may run as root',
    ],
    ['no security context', { etcd: { containerSecurityContext: { enabled: false } } }, 'container etcd may gain privileges'],
    [
      'a privileged container',
      { nats: { container: { merge: { securityContext: { privileged: true } } } } },
      'container nats is privileged',
    ],
    ['a port of the node', { nats: { container: { ports: { nats: { hostPort: 4222 } } } } }, 'takes a port of its node'],
    [
      'a network of the node',
      { nats: { podTemplate: { merge: { spec: { hostNetwork: true } } } } },
      'shares a namespace of its node',
    ],
    ['a path of the node', { etcd: { extraVolumes: [{ name: 'x', hostPath: { path: '/' } }] } }, 'mounts a path of its node'],
    [
      'a capability',
      {
        'dynamo-operator': {
          controllerManager: { manager: { containerSecurityContext: { capabilities: { add: ['SYS_PTRACE'] } } } },
        },
      },
      'container manager keeps capabilities',
    ],
    [
      'a sidecar',
      { etcd: { sidecars: [{ name: 'side', image: 'a:1' }] } },
      'container side may gain privileges, keeps capabilities',
    ],
  ])('%s', (_name, values, says) => {
    expect(warned(values).join('\n')).toContain(says);
    expect(warned(values, 'parity')).toEqual([]);
  });

  test('and nothing is told of what the profile itself makes', () => {
    const all = { nats: { natsBox: { enabled: true }, promExporter: { enabled: true } }, etcd: { defrag: { enabled: true } } };
    expect(warned({ ...all, grove: { enabled: true }, 'kai-scheduler': { enabled: true } })).toEqual([]);
  });
});

test('an image that may change under its name is told', () => {
  expect(warned({ nats: { container: { image: { tag: 'latest' } } } }).join()).toContain('nats:latest should name a version');
  expect(warned({ etcd: { sidecars: [{ name: 'side', image: 'host:5000/a' }] } }).join()).toContain('host:5000/a should name');
  expect(warned({ nats: { container: { image: { digest: 'sha256:00' } } } })).toEqual([]);
});
