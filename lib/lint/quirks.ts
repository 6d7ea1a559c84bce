import { type FiredQuirk, quirks } from '../render/index.ts';
import type { Finding } from './finding.ts';
import type { RuleDescription } from './rule.ts';

/** The registry entry of a quirk. The number never changes. The key in `entries` is the id of the quirk in the renderer. */
interface QuirkEntry {
  readonly number: number;
  readonly title: string;
  readonly why: string;
  readonly allowed: string;
  readonly fix: string;
  /** Ids of entries that report the same problem at the same path. */
  readonly covers?: readonly string[];
}

/** The quirks that lint reports. DYN-ROUTE-004 covers the volumes of an endpoint picker, DYN-ROLE-003 a missing component type. */
const entries: Readonly<Record<string, QuirkEntry>> = {
  'service-labels-dropped': {
    number: 1,
    title: 'service labels that are not rendered',
    why: 'Without Grove, the operator does not copy the labels of a service to its objects.',
    allowed: 'Pod labels in extraPodMetadata.labels.',
    fix: 'Move the labels to extraPodMetadata.labels.',
  },
  'gpu-request-ignored': {
    number: 2,
    title: 'GPU request that is not rendered',
    why: 'The operator renders only the GPU limit. Kubernetes uses the limit of an extended resource as its request.',
    allowed: 'resources.limits.gpu; resources.requests.gpu only if it is equal.',
    fix: 'Set resources.limits.gpu and remove resources.requests.gpu.',
  },
  'cache-root-unset': {
    number: 3,
    title: 'compilation cache without a mountPoint',
    why: 'The operator sets VLLM_CACHE_ROOT only when the compilation cache has an explicit mountPoint. Without it, vLLM uses its own default path.',
    allowed: 'An explicit mountPoint for the compilation cache.',
    fix: 'Set mountPoint on the volume mount.',
  },
  'probe-port-ignored': {
    number: 4,
    title: 'probe port that is not rendered',
    why: 'The operator merges a mainContainer probe with its default probe and keeps the named port of the default. A numeric port is ignored.',
    allowed: 'A named port in a mainContainer probe, or the complete probe on the component.',
    fix: 'Set the complete livenessProbe or readinessProbe on the component, next to extraPodSpec.',
  },
  'probe-handlers-united': {
    number: 5,
    title: 'mainContainer probe that is merged into two handlers',
    why: 'The operator merges a mainContainer probe with its default probe. A different handler results in a probe with two handlers, which the API server refuses.',
    allowed: 'The complete probe on the component.',
    fix: 'Set the complete livenessProbe or readinessProbe on the component, next to extraPodSpec.',
    covers: ['DYN-API-004'],
  },
  'grace-zero-ignored': {
    number: 6,
    title: 'termination grace period of 0 that is ignored',
    why: 'The operator ignores a terminationGracePeriodSeconds of 0 and keeps the default.',
    allowed: 'A grace period of 1 or more.',
    fix: 'Set terminationGracePeriodSeconds to 1, the shortest period that is rendered.',
  },
  'ray-command-unquoted': {
    number: 8,
    title: 'shell command of a Ray leader that loses its quotes',
    why: 'The leader of a vLLM worker that spans nodes with Ray runs the command without its quotes. Only the first word of the script reaches the inner shell.',
    allowed: 'command python3 -m dynamo.vllm, and the flags in args.',
    fix: 'Set command to python3 -m dynamo.vllm and put the flags in args.',
  },
  'leader-address-unexpanded': {
    number: 9,
    title: 'leader address that is not expanded',
    why: 'On LeaderWorkerSet, the operator appends --dist-init-addr $LWS_LEADER_ADDRESS to the args of an SGLang leader. A python command runs without a shell, so the variable is not expanded.',
    allowed: 'A shell command for SGLang on LeaderWorkerSet.',
    fix: 'Run the command with sh -c.',
  },
  'mpi-command-unescaped': {
    number: 10,
    title: 'single quote that breaks the mpirun command',
    why: 'The operator puts the command of a TRT-LLM worker that spans nodes into single quotes on the mpirun line of the leader. It does not escape single quotes in the command.',
    allowed: 'A command and args without single quotes.',
    fix: 'Move the command into a script.',
  },
  'selector-shared': {
    number: 12,
    title: 'components that share their endpoints',
    why: 'Services select pods by component type only. Two frontends, or two endpoint pickers, of a graph are endpoints of both Services.',
    allowed: 'One frontend and one endpoint picker per graph.',
    fix: 'Use one component with more replicas, or move the other one to a graph of its own.',
  },
  'picker-without-service': {
    number: 14,
    title: 'endpoint picker without a Service',
    why: 'On Grove, the operator creates the Service of an endpoint picker only with Kubernetes discovery, but the InferencePool refers to it in any case.',
    allowed: 'Kubernetes discovery for graphs with an endpoint picker.',
    fix: 'Remove the annotation nvidia.com/dynamo-discovery-backend or set it to kubernetes.',
  },
  'ingress-metadata-ignored': {
    number: 15,
    title: 'ingress labels and annotations that are not rendered',
    why: 'The operator does not copy ingress.labels and ingress.annotations to the Ingress.',
    allowed: 'No ingress.labels and ingress.annotations in the graph.',
    fix: 'Remove them from the graph and patch the Ingress.',
  },
  'ingress-not-created': {
    number: 27,
    title: 'enabled ingress that creates nothing',
    why: 'The operator creates an Ingress only with ingressControllerClassName, and a VirtualService only with useVirtualService, virtualServiceGateway and an Istio gateway of its own. An ingress of the component replaces the default one of the operator, also its class.',
    allowed: 'ingressControllerClassName, or useVirtualService with virtualServiceGateway, in every enabled ingress.',
    fix: 'Set ingress.ingressControllerClassName to the class of the ingress controller.',
  },
  'component-not-selected': {
    number: 17,
    title: 'component whose Services select no pod',
    why: 'The Services of a DynamoComponentDeployment select pods by the label nvidia.com/dynamo-namespace. The operator does not set it on the pods of a component without a graph.',
    allowed: 'The label nvidia.com/dynamo-namespace on the component.',
    fix: 'Add the label nvidia.com/dynamo-namespace with the value of spec.dynamoNamespace.',
  },
  'graph-envs-win': {
    number: 18,
    title: 'container variable that the graph overrides',
    why: 'A variable in spec.envs of the graph overrides the same variable in mainContainer.env.',
    allowed: 'Each variable at one level.',
    fix: 'Set the variable in envs of the service, which overrides the graph.',
  },
  'metrics-annotation-ignored': {
    number: 19,
    title: 'metrics annotation that is ignored',
    why: 'On Grove, the operator reads the annotation nvidia.com/enable-metrics only from the graph.',
    allowed: 'The annotation on the graph.',
    fix: 'Move the annotation from the service to the graph.',
  },
  'discovery-backend-unknown': {
    number: 20,
    title: 'unknown discovery backend',
    why: 'With an unknown value, the pods use Kubernetes discovery, but the operator creates neither the RBAC objects nor the Services that it needs.',
    allowed: 'kubernetes or etcd.',
    fix: 'Set the annotation nvidia.com/dynamo-discovery-backend to kubernetes or etcd.',
  },
  'replicas-required': {
    number: 21,
    title: 'service without replicas on Grove',
    why: 'The original operator crashes on a service without replicas on Grove.',
    allowed: 'replicas on every service.',
    fix: 'Set replicas.',
  },
  'scheduler-replaced': {
    number: 23,
    title: 'schedulerName that is replaced',
    why: 'The operator sets schedulerName to volcano on all pods of a LeaderWorkerSet.',
    allowed: 'No schedulerName, or volcano.',
    fix: 'Remove schedulerName.',
  },
  'parallel-flags-unseen': {
    number: 24,
    title: 'parallelism flags that the operator does not read',
    why: 'To decide how vLLM spans nodes, the operator reads --tensor-parallel-size, --pipeline-parallel-size and --data-parallel-size only from args, with the value in the next argument. It does not read -tp, --flag=N or flags in command.',
    allowed: 'Long flags in args, with the value in the next argument.',
    fix: 'Write the long flag and its value as two items of args.',
  },
  'planner-account-forced': {
    number: 25,
    title: 'planner service account that is replaced',
    why: 'Without Grove, the operator always runs a planner as planner-serviceaccount.',
    allowed: 'serviceAccountName planner-serviceaccount, or Grove.',
    fix: 'Remove serviceAccountName and bind the roles of the planner to planner-serviceaccount.',
  },
  'multinode-without-orchestrator': {
    number: 26,
    title: 'multinode component without an orchestrator',
    why: 'Without LeaderWorkerSet and Volcano, the operator renders a DynamoComponentDeployment that spans nodes as one Deployment whose pods no Service selects.',
    allowed: 'LeaderWorkerSet with Volcano, or a graph on Grove.',
    fix: 'Install LeaderWorkerSet and Volcano, or deploy the component in a graph on Grove.',
  },
};

function idOf({ number }: QuirkEntry): string {
  return `DYN-QUIRK-${String(number).padStart(3, '0')}`;
}

const parity = 'This package renders the same objects as the original operator and only reports the problem.';

/** The registry entries of the renderer's quirks. */
export const quirkRules: readonly RuleDescription[] = quirks.flatMap(({ id }) => {
  const entry = entries[id];
  if (entry === undefined) return [];
  const { title, why, allowed, fix, covers } = entry;
  return [
    {
      id: idOf(entry),
      severity: 'warning' as const,
      title,
      why: `${why} ${parity}`,
      allowed,
      fix,
      ...(covers === undefined ? {} : { covers }),
    },
  ];
});

/** The findings of the quirks that apply to a resource. */
export function quirkFindings(fired: readonly FiredQuirk[]): readonly Finding[] {
  return fired.flatMap(({ id, path, message }) => {
    const entry = entries[id];
    return entry === undefined ? [] : [{ id: idOf(entry), severity: 'warning' as const, path, message }];
  });
}
