import { type FiredQuirk, quirks } from '../render/index.ts';
import type { Finding } from './finding.ts';
import type { RuleDescription } from './rule.ts';

/** What the registry says of a quirk of the renderer: its number never changes, its name is the renderer's. */
interface QuirkEntry {
  readonly number: number;
  readonly title: string;
  readonly allowed: string;
  /** Entries that tell the same fact about the same place. */
  readonly covers?: readonly string[];
}

/** The quirks that lint tells; DYN-ROUTE-004 and DYN-ROLE-003 tell the volumes of a picker and a missing type. */
const entries: Readonly<Record<string, QuirkEntry>> = {
  'service-labels-dropped': {
    number: 1,
    title: 'labels of a service that are dropped',
    allowed: 'Labels for pods in extraPodMetadata.labels.',
  },
  'gpu-request-ignored': { number: 2, title: 'GPU request that is not rendered', allowed: 'resources.limits.gpu.' },
  'cache-root-unset': {
    number: 3,
    title: 'compilation cache at a default path',
    allowed: 'An explicit mountPoint for the compilation cache.',
  },
  'probe-port-ignored': {
    number: 4,
    title: 'port of a probe that is ignored',
    allowed: 'A port by name below mainContainer, or the whole probe on the component.',
  },
  'probe-handlers-united': {
    number: 5,
    title: 'probe with two handlers after the merge',
    allowed: 'The whole probe on the component.',
    covers: ['DYN-API-004'],
  },
  'grace-zero-ignored': { number: 6, title: 'grace period of 0 that is ignored', allowed: 'A grace period of 1 or more.' },
  'ray-command-unquoted': {
    number: 8,
    title: 'Ray command that loses its quotes',
    allowed: 'python3 -m dynamo.vllm as command, flags in args.',
  },
  'leader-address-unexpanded': {
    number: 9,
    title: 'leader address that is not expanded',
    allowed: 'SGLang under LWS by a shell command.',
  },
  'mpi-command-unescaped': {
    number: 10,
    title: 'quote that breaks the mpirun line',
    allowed: 'No single quote in the command of a TRT-LLM worker that spans nodes.',
  },
  'selector-shared': {
    number: 12,
    title: 'components that share their endpoints',
    allowed: 'One frontend and one endpoint picker in a graph.',
  },
  'picker-without-service': {
    number: 14,
    title: 'endpoint picker without a Service',
    allowed: 'Kubernetes discovery for graphs with an endpoint picker.',
  },
  'ingress-metadata-ignored': {
    number: 15,
    title: 'ingress labels and annotations that are ignored',
    allowed: 'None of them in the graph.',
  },
  'component-not-selected': {
    number: 17,
    title: 'component whose Services select nothing',
    allowed: 'The label nvidia.com/dynamo-namespace on the component.',
  },
  'graph-envs-win': {
    number: 18,
    title: 'variable of the container that the graph overrides',
    allowed: 'The variable at one level.',
  },
  'metrics-annotation-ignored': {
    number: 19,
    title: 'metrics annotation that is ignored',
    allowed: 'The annotation on the graph.',
  },
  'discovery-backend-unknown': { number: 20, title: 'unknown discovery backend', allowed: 'kubernetes or etcd.' },
  'replicas-required': { number: 21, title: 'service without replicas under Grove', allowed: 'replicas on every service.' },
  'scheduler-replaced': { number: 23, title: 'scheduler that is replaced', allowed: 'No schedulerName, or volcano.' },
  'parallel-flags-unseen': {
    number: 24,
    title: 'parallelism flags that the operator does not see',
    allowed: 'Long flags and their values as two words in args.',
  },
  'planner-account-forced': {
    number: 25,
    title: 'service account of a planner that is replaced',
    allowed: 'planner-serviceaccount, or Grove.',
  },
  'multinode-without-orchestrator': {
    number: 26,
    title: 'component that spans nodes without an orchestrator',
    allowed: 'LeaderWorkerSet with Volcano, or Grove.',
  },
};

function idOf({ number }: QuirkEntry): string {
  return `DYN-QUIRK-${String(number).padStart(3, '0')}`;
}

/** What the renderer's quirks say in the registry. */
export const quirkRules: readonly RuleDescription[] = quirks.flatMap(({ id, message }) => {
  const entry = entries[id];
  if (entry === undefined) return [];
  const { title, allowed, covers } = entry;
  return [
    {
      id: idOf(entry),
      severity: 'warning' as const,
      title,
      why: `The operator works so, and its rendering is kept the same: ${message}.`,
      allowed,
      fix: 'Write the manifest as the message says.',
      ...(covers === undefined ? {} : { covers }),
    },
  ];
});

/** Fired quirks as findings. */
export function quirkFindings(fired: readonly FiredQuirk[]): readonly Finding[] {
  return fired.flatMap(({ id, path, message }) => {
    const entry = entries[id];
    return entry === undefined ? [] : [{ id: idOf(entry), severity: 'warning' as const, path, message }];
  });
}
