import { App, ApiObject } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { DynamoChart, DynamoGraph, Engine, Model } from '../../lib/graph/index.ts';
import { lintGraph } from '../../lib/lint/index.ts';
import { podSecurityViolations } from '../../lib/lint/pod-security.ts';
import { run } from '../cli/run.ts';
import { pods } from '../pod-security-pods.ts';

/** What each pod breaks under each level; test/cluster/pod-security.test.ts holds that a real API server says the same. */
const broken: Readonly<Record<string, readonly [baseline: readonly string[], restricted: readonly string[]]>> = {
  bare: [[], ['allowPrivilegeEscalation != false', 'unrestricted capabilities', 'runAsNonRoot != true', 'seccompProfile']],
  'host network': [['host namespaces'], []],
  'host pid': [['host namespaces'], []],
  'host ipc': [['host namespaces'], []],
  privileged: [
    ['privileged'],
    ['allowPrivilegeEscalation != false', 'unrestricted capabilities', 'runAsNonRoot != true', 'seccompProfile'],
  ],
  'adds SYS_PTRACE': [['non-default capabilities'], ['unrestricted capabilities']],
  'adds IPC_LOCK': [['non-default capabilities'], ['unrestricted capabilities']],
  'adds CHOWN': [[], ['unrestricted capabilities']],
  'adds all that baseline allows': [[], ['unrestricted capabilities']],
  'drops one capability': [[], ['unrestricted capabilities']],
  'drops nothing': [[], ['unrestricted capabilities']],
  'host path': [['hostPath volumes'], ['restricted volume types']],
  'volume of NFS': [[], ['restricted volume types']],
  'host port': [['hostPort'], []],
  'probe of another host': [['host probes'], []],
  'tcp probe of another host': [['host probes'], []],
  'hook to another host': [['host probes'], []],
  'unconfined AppArmor': [['appArmorProfile'], []],
  'unconfined AppArmor of the pod': [['appArmorProfile'], []],
  'SELinux type': [['seLinuxOptions'], []],
  'SELinux user': [['seLinuxOptions'], []],
  'SELinux role': [['seLinuxOptions'], []],
  'unmasked proc': [['procMount'], []],
  'unsafe sysctl': [['forbidden sysctls'], []],
  'unconfined seccomp': [['seccompProfile'], ['seccompProfile']],
  'unconfined seccomp of the pod': [['seccompProfile'], []],
  'no seccomp': [[], ['seccompProfile']],
  'may escalate': [[], ['allowPrivilegeEscalation != false']],
  'does not say whether it may escalate': [[], ['allowPrivilegeEscalation != false']],
  'may be root': [[], ['runAsNonRoot != true']],
  'may be root, though the pod may not': [[], ['runAsNonRoot != true']],
  'does not say whether it may be root': [[], ['runAsNonRoot != true']],
  'user 0': [[], ['runAsUser=0']],
  'user 0 of the pod': [[], ['runAsUser=0']],
  'a bare init container': [
    [],
    ['allowPrivilegeEscalation != false', 'unrestricted capabilities', 'runAsNonRoot != true', 'seccompProfile'],
  ],
  'a second bare container': [
    [],
    ['allowPrivilegeEscalation != false', 'unrestricted capabilities', 'runAsNonRoot != true', 'seccompProfile'],
  ],
  'host process': [['hostProcess', 'host namespaces'], []],
};

test.each(Object.entries(pods))('controls that a pod breaks: %s', (title, pod) => {
  const [baseline, restricted] = broken[title] ?? [[], []];
  const controls = (level: 'baseline' | 'restricted'): readonly string[] =>
    podSecurityViolations(pod, level).map((v) => v.control);
  expect(controls('baseline')).toEqual(baseline);
  expect(controls('restricted')).toEqual([...baseline, ...restricted]);
});

test.each([
  ['host port', ['containers', 0, 'ports', 0, 'hostPort']],
  ['host path', ['volumes', 0, 'hostPath']],
  ['a second bare container', ['containers', 1, 'securityContext', 'allowPrivilegeEscalation']],
  ['a bare init container', ['initContainers', 0, 'securityContext', 'allowPrivilegeEscalation']],
  ['hook to another host', ['containers', 0, 'lifecycle', 'preStop', 'httpGet', 'host']],
  ['unsafe sysctl', ['securityContext', 'sysctls', 0]],
  ['user 0 of the pod', ['securityContext', 'runAsUser']],
  ['adds IPC_LOCK', ['containers', 0, 'securityContext', 'capabilities', 'add', 0]],
])('a violation has its place: %s', (title, path) => {
  expect(podSecurityViolations(pods[title] ?? {}, 'restricted')[0]?.path).toEqual(path);
});

describe('in a namespace that enforces a level', () => {
  const namespace = (level?: string) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'team', ...(level === undefined ? {} : { labels: { 'pod-security.kubernetes.io/enforce': level } }) },
  });
  const graph = (extraPodSpec: object = {}, name = 'team') => ({
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeployment',
    metadata: { name: 'g', namespace: name },
    spec: {
      services: { Frontend: { componentType: 'frontend', extraPodSpec: { mainContainer: { image: 'a:1' }, ...extraPodSpec } } },
    },
  });
  const found = (resource: ReturnType<typeof graph>, level?: string) =>
    lintGraph(resource, { resources: [namespace(level), resource] }).filter((f) => f.id === 'DYN-SEC-001');

  test('a graph is refused at the field that breaks it', () => {
    expect(found(graph(), 'restricted')).toEqual([
      {
        id: 'DYN-SEC-001',
        severity: 'error',
        path: ['spec', 'services', 'Frontend', 'extraPodSpec', 'mainContainer', 'securityContext', 'allowPrivilegeEscalation'],
        message: expect.stringMatching(
          /^namespace team enforces Pod Security restricted, which refuses these pods.*allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile/,
        ),
      },
    ]);
    expect(found(graph({ hostNetwork: true }), 'baseline')[0]?.path).toEqual([
      'spec',
      'services',
      'Frontend',
      'extraPodSpec',
      'hostNetwork',
    ]);
    expect(found(graph({ containers: [{ name: 's', securityContext: { privileged: true } }] }), 'baseline')[0]?.path).toEqual([
      'spec',
      'services',
      'Frontend',
      'extraPodSpec',
      'containers',
      0,
      'securityContext',
      'privileged',
    ]);
  });

  test('nothing is said of other levels, namespaces and pods', () => {
    expect(found(graph(), 'baseline')).toEqual([]);
    expect(found(graph(), 'privileged')).toEqual([]);
    expect(found(graph())).toEqual([]);
    expect(found(graph({}, 'other'), 'restricted')).toEqual([]);
  });

  test('a Job beside the graph is refused too', () => {
    const job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'j', namespace: 'team' },
      spec: { template: { spec: { hostIPC: true, containers: [{ name: 'x', image: 'a:1' }] } } },
    };
    expect(lintGraph(job, { resources: [namespace('baseline'), job] })).toMatchObject([
      { id: 'DYN-SEC-001', path: ['spec', 'template', 'spec', 'hostIPC'] },
    ]);
  });

  test('lint says it', async () => {
    const files = { 'n.yaml': JSON.stringify(namespace('restricted')), 'g.yaml': JSON.stringify(graph()) };
    const { code, out } = await run(['lint', '-f', 'n.yaml', '-f', 'g.yaml'], { files });
    expect(code).toBe(1);
    expect(out).toContain('DYN-SEC-001');
  });

  test('synth fails with it', () => {
    const app = new App();
    const chart = new DynamoChart(app, 'graphs', { namespace: 'team', warnings: 'ignore' });
    new ApiObject(chart, 'namespace', namespace('restricted'));
    DynamoGraph.aggregated(chart, 'g', { model: Model.huggingFace('Qwen/Qwen3-0.6B'), engine: Engine.vllm() });
    expect(() => app.synthYaml()).toThrow('DYN-SEC-001');
  });
});
