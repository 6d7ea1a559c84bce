import { kindOf, namespaceOf } from '../../api/index.ts';
import { isObject, listAt, objectAt, type JsonObject, type Path } from '../../json/index.ts';
import type { ComponentView } from '../component-view.ts';
import type { Draft } from '../finding.ts';
import type { GraphView } from '../graph-view.ts';
import { enforcedLevel, podSecurityViolations } from '../pod-security.ts';
import type { Rule } from '../rule.ts';
import { frontend, graph, object } from '../sample.ts';
import type { LintIndex } from '../lint-index.ts';

/** Reports all violated controls of a pod in one finding, at the path of the first. */
function* checkPod(pod: JsonObject, namespace: string, lintIndex: LintIndex, locate: (path: Path) => Path): Iterable<Draft> {
  // A Namespace has no namespace, but cdk8s writes the namespace of the chart into its metadata.
  const found = lintIndex.find('Namespace', lintIndex.namespace, namespace) ?? lintIndex.find('Namespace', namespace, namespace);
  const level = enforcedLevel(found);
  const violations = level === undefined ? [] : podSecurityViolations(pod, level);
  const [first] = violations;
  if (first === undefined || level === undefined) return;
  const names = [...new Set(violations.map((v) => v.control))].join(', ');
  const changes = [...new Set(violations.map((v) => v.change))].join('; ');
  yield {
    path: locate(first.path),
    problem: `namespace ${namespace} enforces Pod Security ${level}, which refuses these pods`,
    found: names,
    change: `move the pods to a namespace that allows them, or ${changes}`,
  };
}

/** The fields of a component's pod that Pod Security checks: extraPodSpec with the operator's default securityContext. */
function podOf({ spec }: ComponentView): JsonObject {
  const { mainContainer, ...pod } = objectAt(spec, 'extraPodSpec');
  const main = isObject(mainContainer) ? mainContainer : {};
  return {
    ...pod,
    securityContext: pod['securityContext'] ?? { fsGroup: 1000 },
    containers: [{ name: 'main', ...main }, ...listAt(spec, 'extraPodSpec', 'containers')],
  };
}

/** The path in the graph of a field of the pod. */
function graphPath(c: ComponentView, [list, index, ...rest]: Path): Path {
  const pod = [...c.path, 'extraPodSpec'];
  if (list !== 'containers') return [...pod, ...[list, index].flatMap((step) => (step === undefined ? [] : [step])), ...rest];
  return index === 0 ? [...pod, 'mainContainer', ...rest] : [...pod, 'containers', Number(index) - 1, ...rest];
}

/** The path of the pod spec, by kind. */
const podSpecPaths: Readonly<Record<string, readonly string[]>> = {
  Pod: ['spec'],
  Deployment: ['spec', 'template', 'spec'],
  StatefulSet: ['spec', 'template', 'spec'],
  DaemonSet: ['spec', 'template', 'spec'],
  Job: ['spec', 'template', 'spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};

const namespaceObject = object('v1', 'Namespace', 'team', {});

/** Rules about Pod Security admission. */
export const podSecurityRules: readonly Rule[] = [
  {
    id: 'DYN-SEC-001',
    severity: 'error',
    title: 'pods that the Pod Security level of their namespace refuses',
    why: 'Pod Security admission refuses every pod of the component. The Deployment is created but never has a pod, and the graph stays pending. Only the events of the ReplicaSet state the reason.',
    allowed:
      'baseline: no host namespaces, host paths, host ports, privileged containers or additional capabilities. restricted: in addition a seccomp profile, runAsNonRoot true, allowPrivilegeEscalation false and all capabilities dropped. See https://kubernetes.io/docs/concepts/security/pod-security-standards/.',
    fix: 'Move the graph to a namespace without the label pod-security.kubernetes.io/enforce, or set the securityContext of the pod and its containers.',
    on: 'component',
    check: (c: ComponentView, { namespace }: GraphView, lintIndex) =>
      checkPod(podOf(c), namespace, lintIndex, (path) => graphPath(c, path)),
    also: {
      kinds: Object.keys(podSpecPaths),
      check: (resource, lintIndex) => {
        const at = podSpecPaths[kindOf(resource)] ?? [];
        return checkPod(objectAt(resource, ...at), namespaceOf(resource, lintIndex.namespace), lintIndex, (path) => [
          ...at,
          ...path,
        ]);
      },
    },
    example: () => ({
      bad: [
        { ...namespaceObject, metadata: { name: 'team', labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } },
        graph({ Frontend: frontend() }, {}, { namespace: 'team' }),
      ],
      good: [
        { ...namespaceObject, metadata: { name: 'team', labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } } },
        graph({ Frontend: frontend() }, {}, { namespace: 'team' }),
      ],
    }),
  },
];
