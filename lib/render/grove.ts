import { type ComponentSpec, dynamoNamespace, formatDuration, parseDuration } from '../api/index.ts';
import { mergeStringMaps, type ChildObject, type StringMap } from './child.ts';
import { modelLabel } from './base-model.ts';
import type { RenderContext } from './render-context.ts';
import { resolveFramework, type Framework } from './framework.ts';
import { discoveryBackend } from './discovery-backend.ts';
import { annotation, label } from './label-keys.ts';
import { cliqueName, serviceObjectName } from './object-names.ts';
import { deployers } from './multinode/deployer.ts';
import type { Outcome, Problem } from './outcome.ts';
import { assemblePod } from './pod/assemble.ts';
import { mergeEnvs } from './pod/env.ts';
import type { RenderedPod, PodRole } from './pod/types.ts';
import type { ComponentRequest } from './component-request.ts';

/** The PodCliques of one service, and the PodCliqueScalingGroup of a multinode service. */
export interface GroveCliques {
  readonly cliques: readonly Clique[];
  readonly scalingGroup: object | undefined;
}

interface Clique {
  readonly name: string;
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
  readonly spec: {
    readonly roleName: string;
    readonly podSpec: RenderedPod;
    readonly replicas: number;
    readonly minAvailable: number;
    readonly startsAfter?: readonly string[];
  };
}

interface RoleOfService {
  readonly name: string;
  readonly role: PodRole;
  readonly replicas: number;
}

/** Renders the PodCliques of a service: one, or a leader and a worker clique for a multinode service. `queue` is the KAI scheduler queue. */
export function renderCliques(
  request: ComponentRequest,
  queue: string | undefined,
  context: RenderContext,
): Outcome<GroveCliques> {
  const { graph, service } = request;
  const component = groveComponent(request, context);
  const framework = resolveFramework(component, graph.spec?.backendFramework);
  if ('problems' in framework)
    return {
      problems: framework.problems.map((p) => ({
        ...p,
        prefix: `failed to determine backend framework for service ${service}: `,
      })),
    };
  const nodes = component.multinode?.nodeCount ?? 1;
  const roles = rolesOf(service, component, nodes);
  const cliques: Clique[] = [];
  const pod = { component, framework: framework.value, graph: request.graphName, namespace: request.namespace, nodes };
  for (const role of roles) {
    const assembled = assemblePod({ ...pod, role: role.role, deployer: deployers.grove, serviceName: service }, context);
    if ('problems' in assembled) return { problems: assembled.problems.map((p) => podProblem(p, role.name)) };
    const scheduled = withQueue(assembled.value, queue);
    cliques.push(clique(request, component, framework.value, role, roles, scheduled));
  }
  return { value: { cliques, scalingGroup: nodes > 1 ? scalingGroup(service, component, roles) : undefined } };
}

function podProblem(p: Problem, role: string): Problem {
  return { ...p, prefix: `failed to generate podSpec for role ${role}: ` };
}

/** Adds the settings of the graph to a service: environment variables and the discovery backend. */
function groveComponent({ graph, component }: ComponentRequest, { config }: RenderContext): ComponentSpec {
  const shared = graph.spec?.envs ?? [];
  const backend = discoveryBackend(graph.metadata.annotations, config.discoveryBackend);
  return {
    ...component,
    ...(shared.length > 0 && { envs: mergeEnvs(shared, component.envs) }),
    ...(backend !== '' && { annotations: { ...component.annotations, [annotation.discoveryBackend]: backend } }),
  };
}

function rolesOf(service: string, component: ComponentSpec, nodes: number): readonly RoleOfService[] {
  if (nodes <= 1) return [{ name: service, role: 'main', replicas: component.replicas ?? 1 }];
  return [
    { name: cliqueName(service, 'leader'), role: 'leader', replicas: 1 },
    { name: cliqueName(service, 'worker'), role: 'worker', replicas: nodes - 1 },
  ];
}

/** A pod and its KAI scheduler queue, if any. */
interface Scheduled {
  readonly pod: RenderedPod;
  readonly queue: string | undefined;
}

/** Sets the KAI scheduler unless the pod names another scheduler. */
function withQueue(pod: RenderedPod, queue: string | undefined): Scheduled {
  const usesOther = pod.schedulerName !== undefined && pod.schedulerName !== 'kai-scheduler';
  return queue === undefined || usesOther
    ? { pod, queue: undefined }
    : { pod: { ...pod, schedulerName: 'kai-scheduler' }, queue };
}

function clique(
  request: ComponentRequest,
  component: ComponentSpec,
  framework: Framework,
  { name, role, replicas }: RoleOfService,
  roles: readonly RoleOfService[],
  { pod, queue }: Scheduled,
): Clique {
  const labels = cliqueLabels(request, component, queue);
  const annotations = mergeStringMaps(
    component.annotations,
    component.extraPodMetadata?.annotations,
    request.restartAt === undefined ? undefined : { [annotation.restartAt]: request.restartAt },
  );
  const workers = roles.filter((other) => other.role === 'worker').map((other) => other.name.toLowerCase());
  return {
    name: name.toLowerCase(),
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    spec: {
      roleName: name.toLowerCase(),
      podSpec: pod,
      replicas,
      minAvailable: 1,
      ...(framework === 'trtllm' && role === 'leader' && { startsAfter: workers }),
    },
  };
}

function cliqueLabels(
  { graph, graphName, namespace, service }: ComponentRequest,
  component: ComponentSpec,
  queue: string | undefined,
): StringMap | undefined {
  return mergeStringMaps(
    {
      [label.selector]: serviceObjectName(graphName, service),
      [label.graph]: graphName,
      [label.component]: service,
      [label.dynamoNamespace]: dynamoNamespace(namespace, graphName, component.globalDynamoNamespace),
    },
    component.componentType ? { [label.componentType]: component.componentType } : undefined,
    component.subComponentType ? { [label.subComponentType]: component.subComponentType } : undefined,
    modelLabel(component),
    graph.metadata.annotations?.[annotation.enableMetrics] === 'false' ? undefined : { [label.metricsEnabled]: 'true' },
    component.labels,
    component.extraPodMetadata?.labels,
    queue === undefined ? undefined : { [label.kaiQueue]: queue },
  );
}

function scalingGroup(service: string, component: ComponentSpec, roles: readonly RoleOfService[]): object {
  return {
    name: service.toLowerCase(),
    cliqueNames: roles.map((role) => role.name.toLowerCase()),
    ...(component.replicas !== undefined && { replicas: component.replicas }),
    minAvailable: 1,
  };
}

/** The PodCliqueSet of a graph. */
export function podCliqueSet(graphName: string, services: readonly GroveCliques[], terminationDelay: string): ChildObject {
  const cliques = services.flatMap((service) => service.cliques);
  const groups = services.flatMap((service) => (service.scalingGroup === undefined ? [] : [service.scalingGroup]));
  const ordered = cliques.some((one) => one.spec.startsAfter !== undefined);
  const delay = parseDuration(terminationDelay) ?? 0n;
  return {
    apiVersion: 'grove.io/v1alpha1',
    kind: 'PodCliqueSet',
    name: graphName,
    body: {
      spec: {
        replicas: 1,
        template: {
          cliques,
          cliqueStartupType: ordered ? 'CliqueStartupTypeExplicit' : 'CliqueStartupTypeAnyOrder',
          headlessServiceConfig: { publishNotReadyAddresses: true },
          ...(delay > 0n && { terminationDelay: formatDuration(delay) }),
          ...(groups.length > 0 && { podCliqueScalingGroups: groups }),
        },
      },
    },
  };
}
