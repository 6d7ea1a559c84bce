import {
  type ComponentSpec,
  type DynamoComponentDeployment,
  type DynamoGraphDeployment,
  dynamoNamespace,
  type Issue,
} from '../api/index.ts';
import { append, type Path, sortedKeys, withoutNulls } from '../json/index.ts';
import { mergeStringMaps, ownedChild, type Parent } from './child.ts';
import { hasLeaderWorkerSets } from './component-objects.ts';
import { renderComponentResource } from './component-resource.ts';
import type { RenderContext } from './render-context.ts';
import { podCliqueSet, renderCliques, type GroveCliques } from './grove.ts';
import { defaultIngress, renderIngress } from './ingress.ts';
import { apiGroup } from './api-groups.ts';
import { kaiQueue } from './kai-queue.ts';
import { discoveryBackend } from './discovery-backend.ts';
import { annotation } from './label-keys.ts';
import { serviceObjectName } from './object-names.ts';
import { toIssue } from './outcome.ts';
import type { RenderedObject, RenderIssue } from './result.ts';
import { discoveryLabels, renderModelService, renderService } from './services.ts';
import { componentRequests } from './component-request.ts';
import { endpointPickerService, renderGraphDependencies } from './graph-dependencies.ts';

/** The objects of a graph. Its DynamoComponentDeployments are rendered separately, by `renderComponent`. */
export interface GraphRendering {
  readonly objects: readonly RenderedObject[];
  readonly components: readonly ComponentOfGraph[];
  readonly issues: readonly RenderIssue[];
  readonly warnings: readonly Issue[];
}

/** The DynamoComponentDeployment of a service of a graph. */
export interface ComponentOfGraph {
  readonly service: string;
  readonly resource: DynamoComponentDeployment;
}

/** Whether a graph runs on Grove: the cluster serves its API group and no annotation of the graph disables it. */
export function runsOnGrove(graph: DynamoGraphDeployment, { cluster }: RenderContext): boolean {
  return cluster.hasApiGroup(apiGroup.grove) && graph.metadata.annotations?.[annotation.enableGrove]?.toLowerCase() !== 'false';
}

/** Renders the objects of a graph in the order in which the operator creates them; services are in byte order of their names. */
export function renderGraph(graph: DynamoGraphDeployment, context: RenderContext): GraphRendering {
  const namespace = graph.metadata.namespace ?? '';
  const name = graph.metadata.name ?? '';
  const owner = { apiVersion: graph.apiVersion, kind: graph.kind, namespace, name, uid: graph.metadata.uid ?? '' };
  const parent: Parent = { source: graph, namespace, owner };
  const dependencies = renderGraphDependencies(graph, parent, context);
  const workloads = renderWorkloads(graph, parent, context);
  return {
    objects: [...dependencies.objects, ...workloads.objects],
    components: workloads.components,
    issues: [...dependencies.issues, ...workloads.issues],
    warnings: [...dependencies.warnings, ...workloads.warnings],
  };
}

const step = 'failed to reconcile Dynamo components deployments: ';

function renderWorkloads(graph: DynamoGraphDeployment, parent: Parent, context: RenderContext): GraphRendering {
  if (runsOnGrove(graph, context)) return renderGroveGraph(graph, parent, context);
  const services = graph.spec?.services ?? {};
  const multinode = sortedKeys(services).filter((service) => (services[service]?.multinode?.nodeCount ?? 1) > 1);
  if (multinode.length === 0 || hasLeaderWorkerSets(context)) return renderComponentGraph(graph, parent, context);
  const message = 'no multinode orchestrator available';
  const advice = ': install Grove, or LeaderWorkerSet together with Volcano, or remove multinode';
  const issues = multinode.map((service) => ({
    path: ['spec', 'services', service, 'multinode'],
    code: 'no_orchestrator',
    message: `${message}${advice}`,
    chain: `${step}${message}`,
  }));
  return { objects: [], components: [], issues, warnings: [] };
}

function renderComponentGraph(graph: DynamoGraphDeployment, parent: Parent, context: RenderContext): GraphRendering {
  const picker = endpointPickerService(graph);
  const chain = `${step}failed to generate the DynamoComponentsDeployments: `;
  const issues: RenderIssue[] = [];
  const objects: RenderedObject[] = [];
  const components: ComponentOfGraph[] = [];
  for (const request of componentRequests(graph, context.live)) {
    const { service } = request;
    const path: Path = ['spec', 'services', service];
    const child = renderComponentResource(request, service === picker, context.config);
    if ('problems' in child) {
      append(
        issues,
        child.problems.map((p) => toIssue(path, p, chain)),
      );
      continue;
    }
    const rendered = ownedChild(parent, 'graph', path, child.value);
    objects.push(rendered);
    const { apiVersion, kind, body } = child.value;
    const { metadata } = rendered.object;
    components.push({ service, resource: { apiVersion, kind, metadata, spec: withoutNulls(body.spec) } });
  }
  return issues.length > 0
    ? { objects: [], components: [], issues, warnings: [] }
    : { objects, components, issues, warnings: [] };
}

function renderGroveGraph(graph: DynamoGraphDeployment, parent: Parent, context: RenderContext): GraphRendering {
  const chain = `${step}failed to reconcile the Grove PodClique Set: failed to generate the Grove GangSet: `;
  const queue = kaiQueue(graph, context, chain);
  const issues: RenderIssue[] = [...queue.issues];
  const cliques: GroveCliques[] = [];
  for (const request of componentRequests(graph, context.live)) {
    const rendered = renderCliques(request, queue.name, context);
    if ('problems' in rendered)
      append(
        issues,
        rendered.problems.map((p) => toIssue(['spec', 'services', request.service], p, chain)),
      );
    else cliques.push(rendered.value);
  }
  if (issues.length > 0) return { objects: [], components: [], issues, warnings: queue.warnings };
  const set = podCliqueSet(parent.owner.name, cliques, context.config.groveTerminationDelay);
  const objects = [ownedChild(parent, 'workload', ['spec'], set), ...groveServices(graph, parent, context)];
  return { objects, components: [], issues, warnings: queue.warnings };
}

function groveServices(graph: DynamoGraphDeployment, parent: Parent, { config }: RenderContext): readonly RenderedObject[] {
  const services = graph.spec?.services ?? {};
  const usesKubernetesDiscovery = discoveryBackend(graph.metadata.annotations, config.discoveryBackend) === 'kubernetes';
  const names = sortedKeys(services);
  const models = new Map<string, string>();
  for (const service of names) {
    const model = services[service]?.modelRef?.name;
    if (model && !models.has(model)) models.set(model, service);
  }
  const modelServices = [...models].map(([model, service]) =>
    ownedChild(parent, 'workload', ['spec', 'services', service], renderModelService(model)),
  );
  const own = names.flatMap((service) => {
    const children = groveService(parent, service, services[service] ?? {}, usesKubernetesDiscovery, config);
    return children.map((child) => ownedChild(parent, 'workload', ['spec', 'services', service], child));
  });
  return [...modelServices, ...own];
}

function groveService(
  parent: Parent,
  service: string,
  component: ComponentSpec,
  usesKubernetesDiscovery: boolean,
  config: RenderContext['config'],
) {
  const frontend = component.componentType === 'frontend';
  const graphName = parent.owner.name;
  const name = serviceObjectName(graphName, service);
  const labels = mergeStringMaps(component.labels);
  const main = renderService({
    name,
    component,
    dynamoNamespace: dynamoNamespace(parent.namespace, graphName, component.globalDynamoNamespace),
    labels: usesKubernetesDiscovery ? discoveryLabels(labels, true) : labels,
    ...(component.componentType === 'epp' && { appProtocol: 'http2' }),
  });
  return [
    ...(usesKubernetesDiscovery || frontend ? [main] : []),
    ...(frontend ? renderIngress(name, component.ingress ?? defaultIngress(graphName, config), config) : []),
  ];
}
