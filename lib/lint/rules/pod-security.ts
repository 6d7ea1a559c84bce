import { kindOf, namespaceOf } from '../../api/index.ts';
import { isObject, listAt, objectAt, type JsonObject, type Path } from '../../json/index.ts';
import type { ComponentView } from '../component-view.ts';
import type { Draft } from '../finding.ts';
import type { GraphView } from '../graph-view.ts';
import { enforcedLevel, podSecurityViolations } from '../pod-security.ts';
import type { Rule } from '../rule.ts';
import { frontend, graph, object } from '../sample.ts';
import type { LintIndex } from '../lint-index.ts';

/** What Pod Security says about pods of a namespace, as one finding: the place of the first control, and all of them by name. */
function* refused(pod: JsonObject, namespace: string, around: LintIndex, locate: (path: Path) => Path): Iterable<Draft> {
  // a Namespace has no namespace, but cdk8s gives it that of its chart
  const found = around.find('Namespace', around.namespace, namespace) ?? around.find('Namespace', namespace, namespace);
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
    change: `put the graph into a namespace that allows them, or ${changes}`,
  };
}

/** The pod of a component as far as Pod Security looks at it: what the user wrote, with the pod's defaults of the operator. */
function podOf({ spec }: ComponentView): JsonObject {
  const { mainContainer, ...pod } = objectAt(spec, 'extraPodSpec');
  const main = isObject(mainContainer) ? mainContainer : {};
  return {
    ...pod,
    securityContext: pod['securityContext'] ?? { fsGroup: 1000 },
    containers: [{ name: 'main', ...main }, ...listAt(spec, 'extraPodSpec', 'containers')],
  };
}

/** Where a field of the pod was written, or would be. */
function writtenAt(c: ComponentView, [list, index, ...rest]: Path): Path {
  const pod = [...c.path, 'extraPodSpec'];
  if (list !== 'containers') return [...pod, ...[list, index].flatMap((step) => (step === undefined ? [] : [step])), ...rest];
  return index === 0 ? [...pod, 'mainContainer', ...rest] : [...pod, 'containers', Number(index) - 1, ...rest];
}

/** Where the pod's spec is in objects that users apply beside graphs. */
const podSpecs: Readonly<Record<string, readonly string[]>> = {
  Pod: ['spec'],
  Deployment: ['spec', 'template', 'spec'],
  StatefulSet: ['spec', 'template', 'spec'],
  DaemonSet: ['spec', 'template', 'spec'],
  Job: ['spec', 'template', 'spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};

const restricted = object('v1', 'Namespace', 'team', {});

/** Whether the pods will be let in. */
export const podSecurityRules: readonly Rule[] = [
  {
    id: 'DYN-SEC-001',
    severity: 'error',
    title: 'pods that the Pod Security level of their namespace refuses',
    why: 'Admission refuses every pod of the component. Its Deployment exists and never has a pod, so that the graph stays pending; only the events of the ReplicaSet say why.',
    allowed:
      'Under baseline no host namespaces, host paths, host ports, privileged containers or added capabilities; under restricted also a seccomp profile, runAsNonRoot, allowPrivilegeEscalation false and all capabilities dropped.',
    fix: 'Move the graph to a namespace of its own without the label pod-security.kubernetes.io/enforce, or set the securityContext of pod and container.',
    on: 'component',
    check: (c: ComponentView, { namespace }: GraphView, around) =>
      refused(podOf(c), namespace, around, (path) => writtenAt(c, path)),
    also: {
      kinds: Object.keys(podSpecs),
      check: (resource, around) => {
        const at = podSpecs[kindOf(resource)] ?? [];
        return refused(objectAt(resource, ...at), namespaceOf(resource, around.namespace), around, (path) => [...at, ...path]);
      },
    },
    example: () => ({
      bad: [
        { ...restricted, metadata: { name: 'team', labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } },
        graph({ Frontend: frontend() }, {}, { namespace: 'team' }),
      ],
      good: [
        { ...restricted, metadata: { name: 'team', labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } } },
        graph({ Frontend: frontend() }, {}, { namespace: 'team' }),
      ],
    }),
  },
];
