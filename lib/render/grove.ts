import type { ComponentSpec, DynamoGraphDeployment } from '../api/index.ts';
import { joinTexts, type ChildObject, type Texts } from './child.ts';
import { modelLabel } from './component-labels.ts';
import type { RenderContext } from './context.ts';
import { resolveFramework, type Framework } from './framework.ts';
import { annotation, discoveryBackend, dynamoNamespace, label, serviceObjectName } from './keys.ts';
import { deployers } from './multinode/deployer.ts';
import type { Outcome, Problem } from './outcome.ts';
import { assemblePod } from './pod/assemble.ts';
import { mergeEnvs } from './pod/env.ts';
import type { RenderedPod, Role } from './pod/types.ts';
import { formatDuration, parseDuration } from './wire/duration.ts';

/** A service of a graph that runs on Grove. */
export interface GroveService {
  readonly graph: DynamoGraphDeployment;
  readonly graphName: string;
  readonly namespace: string;
  readonly service: string;
  readonly component: ComponentSpec;
  readonly restartAt: string | undefined;
  /** The KAI scheduler queue, where that scheduler is in use. */
  readonly queue: string | undefined;
}

/** The cliques of one service and the group that scales them together. */
export interface GroveCliques {
  readonly cliques: readonly Clique[];
  readonly scalingGroup: object | undefined;
}

interface Clique {
  readonly name: string;
  readonly labels?: Texts;
  readonly annotations?: Texts;
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
  readonly role: Role;
  readonly replicas: number;
}

/** One clique for a service on single nodes, a leader's and the workers' for a service that spans them. */
export function renderCliques(request: GroveService, context: RenderContext): Outcome<GroveCliques> {
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
  for (const role of roles) {
    const pod = assemblePod(
      {
        ...{ component, framework: framework.value, graph: request.graphName, namespace: request.namespace },
        ...{ role: role.role, nodes, deployer: deployers.grove, serviceName: service },
      },
      context,
    );
    if ('problems' in pod) return { problems: pod.problems.map((p) => podProblem(p, role.name)) };
    cliques.push(clique(request, component, framework.value, role, roles, pod.value));
  }
  return { value: { cliques, scalingGroup: nodes > 1 ? scalingGroup(service, component, roles) : undefined } };
}

function podProblem(p: Problem, role: string): Problem {
  return { ...p, prefix: `failed to generate podSpec for role ${role}: ` };
}

/** A service with what the graph adds to it on Grove: shared variables and the discovery backend. */
function groveComponent({ graph, component }: GroveService, { config }: RenderContext): ComponentSpec {
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
    { name: `${service}-ldr`, role: 'leader', replicas: 1 },
    { name: `${service}-wkr`, role: 'worker', replicas: nodes - 1 },
  ];
}

function clique(
  request: GroveService,
  component: ComponentSpec,
  framework: Framework,
  { name, role, replicas }: RoleOfService,
  roles: readonly RoleOfService[],
  pod: RenderedPod,
): Clique {
  const queue = pod.schedulerName && pod.schedulerName !== 'kai-scheduler' ? undefined : request.queue;
  const labels = cliqueLabels(request, component, queue);
  const annotations = joinTexts(
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
      podSpec: queue === undefined ? pod : { ...pod, schedulerName: 'kai-scheduler' },
      replicas,
      minAvailable: 1,
      ...(framework === 'trtllm' && role === 'leader' && { startsAfter: workers }),
    },
  };
}

function cliqueLabels(
  { graph, graphName, namespace, service }: GroveService,
  component: ComponentSpec,
  queue: string | undefined,
): Texts | undefined {
  return joinTexts(
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
