import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/json/index.ts';
import { kai, queues } from '../../../lib/platform/kai/index.ts';
import { platformSettings } from '../../../lib/platform/settings.ts';
import { contextOf } from '../recorded.ts';
import { dig, inventory, objectOf, podOf, renderPart } from '../render-part.ts';

const workloads = ['kai-operator', 'binder', 'scheduler'];
const secure = (block: JsonObject = {}) => renderPart(kai, block, { profile: 'secure' });

test('placement and pull secrets reach every pod', () => {
  const global = {
    tolerations: [{ key: 'a', operator: 'Exists' }],
    affinity: { nodeAffinity: { x: 1 } },
    nodeSelector: { pool: 'infra' },
    imagePullSecrets: ['regcred'],
    registry: 'mirror.example.com/kai',
  };
  const rendered = renderPart(kai, { global });
  const pods = [...workloads.map((name) => objectOf(rendered, 'Deployment', name)), objectOf(rendered, 'Job')].map(podOf);
  for (const pod of pods) {
    const { tolerations, affinity, nodeSelector } = global;
    expect(pod).toMatchObject({ tolerations, affinity, nodeSelector, imagePullSecrets: [{ name: 'regcred' }] });
    expect(dig(pod, 'containers', 0, 'image')).toMatch(/^mirror\.example\.com\/kai\/[a-z-]+:v0\.9\.4$/);
  }
  const config = dig(objectOf(rendered, 'Config'), 'spec', 'global');
  expect(config).toMatchObject({ tolerations: global.tolerations, affinity: global.affinity });
  expect(config).not.toHaveProperty('nodeSelector');
  expect(dig(podOf(objectOf(rendered, 'Deployment', 'kai-operator')), 'containers', 0, 'env', 'MS_REPOSITORY')).toMatchObject({
    value: 'mirror.example.com/kai',
  });
});

test('pull secrets given as maps are printed as Go prints them, and repaired in the secure profile', () => {
  const global = { imagePullSecrets: [{ name: 'regcred' }] };
  const secrets = (profile: 'parity' | 'secure') =>
    podOf(objectOf(renderPart(kai, { global }, { profile }), 'Deployment', 'binder'))['imagePullSecrets'];
  expect(secrets('parity')).toEqual([{ name: 'map[name:regcred]' }]);
  expect(secrets('secure')).toEqual([{ name: 'regcred' }]);
});

test('settings reach the components', () => {
  const rendered = renderPart(kai, {
    global: {
      leaderElection: true,
      gpuSharing: true,
      clusterAutoscaling: true,
      namespaceLabelSelector: { a: 'b' },
      resourceReservation: { namespace: 'hold', serviceAccount: 'holder', appLabel: 'held' },
    },
    operator: { replicaCount: 2, probeBindAddress: ':9001', resources: { limits: { cpu: 1 } } },
    binder: { cdi: true, ports: { metricsPort: 9100 }, additionalArgs: ['--x'], resourceReservationImage: { name: 'rr' } },
    scheduler: { placementStrategy: 'spread', ports: { metricsPort: 9200 }, additionalArgs: ['--y'] },
    admission: { ports: { webhookPort: 1 }, resources: { limits: { cpu: 2 } } },
    nodescaleadjuster: { scalingPodNamespace: 'scale' },
  });
  const args = (name: string) => dig(podOf(objectOf(rendered, 'Deployment', name)), 'containers', 0, 'args') as readonly string[];
  for (const name of workloads) expect(args(name)).toContain('--leader-elect=true');
  expect(args('binder').slice(2)).toEqual([
    '--resource-reservation-pod-image=ghcr.io/nvidia/kai-scheduler/rr:v0.9.4',
    '--metrics-bind-address=:9100',
    '--cdi-enabled=true',
    '--resource-reservation-namespace=hold',
    '--resource-reservation-service-account=holder',
    '--resource-reservation-app-label=held',
    '--x',
  ]);
  expect(args('scheduler').slice(-2)).toEqual(['--resource-reservation-app-label=held', '--y']);
  expect(dig(objectOf(rendered, 'ConfigMap'), 'data', 'config.yaml')).toContain('cpu: spread\n          gpu: spread');
  expect(dig(objectOf(rendered, 'Config'), 'spec')).toMatchObject({
    global: { replicaCount: 2, namespaceLabelSelector: { a: 'b' } },
    admission: { gpuSharing: true, webhook: { targetPort: 1 }, service: { resources: { limits: { cpu: 2 } } } },
    nodeScaleAdjuster: { service: { enabled: true }, args: { nodeScaleNamespace: 'scale' } },
  });
  expect(inventory(rendered)).toEqual(expect.arrayContaining(['Namespace hold', 'Namespace scale', 'ServiceAccount holder']));
  expect(podOf(objectOf(rendered, 'Deployment', 'kai-operator'))).toMatchObject({
    containers: [{ resources: { limits: { cpu: 1 } }, livenessProbe: { httpGet: { port: 9001 } } }],
  });
});

test.each<[JsonObject, string]>([
  [{ podgroupcontroller: { resources: { limits: { cpu: 1 } } } }, 'podgroupcontroller.resources'],
  [{ binder: null }, 'binder'],
  [{ global: { resourceReservation: null } }, 'global.resourceReservation'],
])('rejects %j, as Helm does', (block, path) => {
  const { issues, objects } = renderPart(kai, block);
  expect(issues.map((issue) => issue.path.join('.'))).toEqual([`kai-scheduler.${path}`]);
  expect(objects).toEqual([]);
});

test('the secure profile has no hooks and repairs the faults of this version', () => {
  const rendered = secure();
  expect(inventory(rendered).filter((name) => /^Job|crd-manager/.test(name))).toEqual([]);
  expect(dig(objectOf(rendered, 'Service', 'binder'), 'spec', 'ports')).toMatchObject([{ name: 'http-metrics' }]);
  expect(dig(podOf(objectOf(rendered, 'Deployment', 'binder')), 'containers', 0, 'args')).toContain(
    '--health-probe-bind-address=:8081',
  );
  expect(JSON.stringify(objectOf(rendered, 'ClusterRole', 'kai-podgrouper'))).toContain('"podcliquesets"');
  expect(inventory(secure({ operator: { replicaCount: 2 } }))).toContain('PodDisruptionBudget kai-operator');
});

describe('queues', () => {
  const known = new Set(['scheduling.run.ai/v2']);
  const names = (profile: 'parity' | 'secure', enabled: boolean, changes: Parameters<typeof contextOf>[3] = {}) =>
    queues(contextOf('r', 'ns', profile, changes), enabled).map((queue) => queue.metadata.name);

  test('are rendered where their API is known, whether KAI is on or not', () => {
    expect(names('parity', true)).toEqual([]);
    expect(names('parity', false, { apiVersions: known })).toEqual(['dynamo-default', 'dynamo']);
  });

  test('come with KAI in the secure profile, as ordinary objects, parent first', () => {
    expect(names('secure', true)).toEqual(['dynamo-default', 'dynamo']);
    expect(names('secure', false)).toEqual([]);
    const [parent] = queues(contextOf('r', 'ns', 'secure'), true);
    expect(parent?.metadata).toEqual({ name: 'dynamo-default' });
  });

  test('can be turned on and off by our own settings', () => {
    const settings = (enabled: boolean) => platformSettings({ platform: { queues: { enabled } } });
    expect(names('parity', false, { settings: settings(true) })).toHaveLength(2);
    expect(names('secure', true, { settings: settings(false), apiVersions: known })).toEqual([]);
  });
});

test('the scheduler restarts when its configuration changes, which the original leaves to chance', () => {
  const sum = (rendered: ReturnType<typeof secure>) =>
    dig(
      objectOf(rendered, 'Deployment', 'scheduler'),
      'spec',
      'template',
      'metadata',
      'annotations',
      'checksum/scheduler-config',
    );
  expect(sum(secure())).toMatch(/^[0-9a-f]{64}$/);
  expect(sum(secure({ scheduler: { placementStrategy: 'spread' } }))).not.toBe(sum(secure()));
  expect(sum(renderPart(kai, {}))).toBeUndefined();
});
