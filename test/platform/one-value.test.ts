import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import { mergeLayers } from '../../lib/platform/merge.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';

const everything: JsonObject = {
  grove: { enabled: true },
  'kai-scheduler': { enabled: true },
  nats: { promExporter: { enabled: true, podMonitor: { enabled: true } } },
  platform: { monitoring: { enabled: true } },
};

function byName(values: JsonObject, profile: 'secure' | 'parity'): ReadonlyMap<string, string> {
  const { objects, issues } = renderPlatform(values, {
    profile,
    apiVersions: ['monitoring.coreos.com/v1', 'scheduling.run.ai/v2'],
  });
  expect(issues).toEqual([]);
  return new Map(
    objects.map((o) => [
      `${o.kind}/${o.metadata.name}`
        .replace(/-cm-[0-9a-f]{8}$/, '-cm')
        .replaceAll('dynamo-platform-dynamo-operator', 'OP')
        .replaceAll('dynamo-platform', 'R'),
      JSON.stringify(o),
    ]),
  );
}

/** Names of the objects that differ between two sets, with a sign where one set lacks it. */
function changed(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((name) => {
    if (!after.has(name)) return [`- ${name}`];
    if (!before.has(name)) return [`+ ${name}`];
    return before.get(name) === after.get(name) ? [] : [name];
  });
}

interface Change {
  readonly what: string;
  readonly values: JsonObject;
  readonly secure: readonly string[];
  /** Only where it differs from `secure`. */
  readonly parity?: readonly string[];
}

const manager = 'Deployment/OP-controller-manager';
const certificateJobs = ['Job/OP-webhook-ca-inject-1', 'Job/OP-webhook-cert-gen-1'];
const op = (values: JsonObject): JsonObject => ({ 'dynamo-operator': values });

const changes: readonly Change[] = [
  {
    what: 'replicas of the operator',
    values: op({ controllerManager: { replicas: 2 } }),
    secure: [manager, '+ PodDisruptionBudget/OP-controller-manager'],
    parity: [manager],
  },
  {
    what: 'resources of the manager',
    values: op({ controllerManager: { manager: { resources: { limits: { cpu: '2' } } } } }),
    secure: [manager],
  },
  {
    what: 'tolerations',
    values: op({ controllerManager: { tolerations: [{ operator: 'Exists' }] } }),
    secure: [manager],
    parity: [manager, ...certificateJobs, 'Job/OP-ssh-keygen'].sort(),
  },
  {
    what: 'an image tag',
    values: op({ controllerManager: { manager: { image: { tag: '9.9' } } } }),
    secure: [],
    parity: [manager],
  },
  { what: 'a flag of the manager', values: op({ dynamo: { ingressHostSuffix: 'example.com' } }), secure: [manager] },
  {
    what: 'annotations of the operator account',
    values: op({ controllerManager: { serviceAccount: { annotations: { a: 'b' } } } }),
    secure: ['ServiceAccount/OP-controller-manager'],
  },
  {
    what: 'annotations of the graph account',
    values: op({ dynamo: { components: { serviceAccount: { annotations: { a: 'b' } } } } }),
    secure: ['ServiceAccount/OP-component'],
  },
  {
    what: 'the debug image',
    values: op({ dynamo: { internalImages: { debugger: 'busybox:1' } } }),
    secure: [manager, 'Secret/dynamo-deployment-env'],
    parity: ['Secret/dynamo-deployment-env'],
  },
  {
    what: 'the timeout of webhooks',
    values: op({ webhook: { timeoutSeconds: 5 } }),
    secure: ['ValidatingWebhookConfiguration/OP-validating'],
  },
  {
    what: 'the life of certificates',
    values: op({ webhook: { certManager: { certificate: { duration: '1000h' } } } }),
    secure: ['Certificate/OP-serving-cert'],
    parity: [],
  },
  {
    what: 'the metrics Service',
    values: op({ metricsService: { enabled: false } }),
    secure: ['- Service/OP', '- ServiceMonitor/OP-operator'],
  },
  {
    what: 'the MPI Secret',
    values: op({ dynamo: { mpiRun: { secretName: 'keys' } } }),
    secure: ['ClusterRole/OP-manager-role', manager],
    parity: [manager, 'Job/OP-ssh-keygen'],
  },
  {
    what: 'a registry Secret',
    values: op({ dynamo: { dockerRegistry: { useKubernetesSecret: true, server: 's', username: 'u', password: 'p' } } }),
    secure: [],
    parity: ['+ Secret/OP-regcred', 'ServiceAccount/OP-component'],
  },
  {
    what: 'the volume of NATS',
    values: { nats: { config: { jetstream: { fileStore: { pvc: { size: '20Gi' } } } } } },
    secure: ['ConfigMap/R-nats-config', 'StatefulSet/R-nats'],
  },
  { what: 'the volume of etcd', values: { etcd: { persistence: { size: '2Gi' } } }, secure: ['StatefulSet/R-etcd'] },
  {
    what: 'the log level of Grove',
    values: { grove: { config: { logLevel: 'debug' } } },
    secure: ['ConfigMap/grove-operator-cm', 'Deployment/grove-operator'],
  },
  {
    what: 'a feature of KAI',
    values: { 'kai-scheduler': { global: { gpuSharing: true } } },
    secure: ['Config/kai-config'],
    parity: ['Config/kai-config'],
  },
  {
    what: 'no queues',
    values: { platform: { queues: { enabled: false } } },
    secure: ['- Queue/dynamo', '- Queue/dynamo-default'],
  },
];

describe('a change of one value changes only the objects it should', () => {
  const before = { secure: byName(everything, 'secure'), parity: byName(everything, 'parity') };

  test.each(changes.filter((c) => c.secure.length > 0))('secure: $what', ({ values, secure }) => {
    expect(changed(before.secure, byName(mergeLayers([everything, values]), 'secure'))).toEqual(secure);
  });

  test.each(changes.filter((c) => (c.parity ?? c.secure).length > 0))('parity: $what', ({ values, secure, parity }) => {
    expect(changed(before.parity, byName(mergeLayers([everything, values]), 'parity'))).toEqual(parity ?? secure);
  });

  test('secure: an image tag changes the pod, and the version label of every operator object', () => {
    const after = byName(mergeLayers([everything, op({ controllerManager: { manager: { image: { tag: '9.9' } } } })]), 'secure');
    for (const name of changed(before.secure, after)) {
      expect(after.get(name)).toContain('"app.kubernetes.io/version":"9.9"');
      if (name !== manager) expect(after.get(name)?.replaceAll('"9.9"', '"0.9.1"')).toBe(before.secure.get(name));
    }
  });
});
