import { discoveryServiceNames } from './object-names.ts';
import type { DynamoComponentDeployment } from '../api/index.ts';
import type { Path } from '../json/index.ts';
import { ownedChild, type ChildObject, type Parent } from './child.ts';
import { componentAnnotations, componentLabels } from './component-labels.ts';
import type { RenderContext } from './render-context.ts';
import { renderDeployments } from './deployment.ts';
import { renderIngress } from './ingress.ts';
import { apiGroup } from './api-groups.ts';
import { discoveryBackend } from './discovery-backend.ts';
import { annotation, label } from './label-keys.ts';
import { renderLeaderWorkerSets } from './leader-worker-set.ts';
import { problem, toIssue, type Outcome, type Problem } from './outcome.ts';
import type { RenderedObject, RenderIssue, RenderableResource } from './result.ts';
import { discoveryLabels, renderModelService, renderService } from './services.ts';

/** The user's resource that defines a component: a DynamoComponentDeployment, or a graph with the component as a service. */
interface ComponentOrigin {
  readonly source: RenderableResource;
  /** The path of the component in that resource. */
  readonly path: Path;
}

/** The objects of a component, and the errors of rendering them. */
export interface ComponentRendering {
  readonly objects: readonly RenderedObject[];
  readonly issues: readonly RenderIssue[];
}

/** Whether the operator can run multinode components as LeaderWorkerSets. */
export function hasLeaderWorkerSets({ cluster }: RenderContext): boolean {
  return cluster.hasApiGroup(apiGroup.leaderWorkerSet) && cluster.hasApiGroup(apiGroup.volcano);
}

/** Renders the objects of a component: workload, Services, model Service, Ingress. Rendering stops at the first step that fails. */
export function renderComponent(
  resource: DynamoComponentDeployment,
  context: RenderContext,
  origin?: ComponentOrigin,
): ComponentRendering {
  const { source, path } = origin ?? { source: resource, path: ['spec'] };
  const name = resource.metadata.name ?? '';
  const namespace = resource.metadata.namespace ?? '';
  const owner = { apiVersion: resource.apiVersion, kind: resource.kind, namespace, name, uid: resource.metadata.uid ?? '' };
  const parent: Parent = { source, namespace, owner };
  const objects: RenderedObject[] = [];
  const add = (children: readonly ChildObject[]): void => {
    for (const child of children) objects.push(ownedChild(parent, 'workload', path, child));
  };
  const fail = (problems: readonly Problem[], step: string): ComponentRendering => ({
    objects,
    issues: problems.map((p) => toIssue(path, p, step)),
  });
  const workload = renderWorkload(resource, name, namespace, context);
  if ('problems' in workload.outcome) return fail(workload.outcome.problems, workload.step);
  add(workload.outcome.value);
  const services = componentServices(resource, name, context);
  if ('problems' in services) return fail(services.problems, 'failed to create or update the service: ');
  add(services.value);
  const model = resource.spec?.modelRef?.name;
  if (model) add([renderModelService(model)]);
  add(renderIngress(name, resource.spec?.ingress, context.config));
  return { objects, issues: [] };
}

/** The name of the graph that owns a component; empty when no graph owns it. */
export function owningGraph({ metadata }: DynamoComponentDeployment): string {
  return metadata.ownerReferences?.find((owner) => owner.kind === 'DynamoGraphDeployment')?.name ?? '';
}

function renderWorkload(
  resource: DynamoComponentDeployment,
  name: string,
  namespace: string,
  context: RenderContext,
): { readonly outcome: Outcome<readonly ChildObject[]>; readonly step: string } {
  const nodes = resource.spec?.multinode?.nodeCount ?? 1;
  const request = { resource, name, namespace, graph: owningGraph(resource), nodes };
  return nodes > 1 && hasLeaderWorkerSets(context)
    ? {
        outcome: renderLeaderWorkerSets(request, context),
        step: 'failed to reconcile the resources: failed to sync the LeaderWorkerSet: ',
      }
    : {
        outcome: renderDeployments(request, context),
        step: 'failed to reconcile the resources: failed to create or update the deployment: create or update deployment: ',
      };
}

function componentServices(
  resource: DynamoComponentDeployment,
  name: string,
  { config }: RenderContext,
): Outcome<readonly ChildObject[]> {
  const component = resource.spec ?? {};
  if (component.dynamoNamespace === undefined)
    return problem(
      'required',
      ['dynamoNamespace'],
      `expected DynamoComponentDeployment ${name} to have a dynamoNamespace`,
      '; set spec.dynamoNamespace',
    );
  const frontend = component.componentType === 'frontend';
  const usesKubernetesDiscovery = discoveryBackend(component.annotations, config.discoveryBackend) === 'kubernetes';
  const own = componentLabels(resource);
  const annotations = componentAnnotations(resource);
  const leader: Record<string, string> = (component.multinode?.nodeCount ?? 1) > 1 ? { [label.role]: 'leader' } : {};
  const request = {
    component,
    dynamoNamespace: component.dynamoNamespace,
    labels: usesKubernetesDiscovery ? discoveryLabels(own, !frontend) : own,
    ...(annotations && { annotations }),
  };
  const names = discoveryServiceNames(name);
  const generic = renderService({ ...request, name, selector: leader });
  if (!frontend && !usesKubernetesDiscovery && component.annotations?.[annotation.stealTraffic] !== 'true')
    return { value: [generic] };
  return {
    value: [
      generic,
      renderService({ ...request, name: names.production, selector: leader }),
      renderService({ ...request, name: names.debug, selector: { ...leader, [label.targetType]: 'debug' } }),
    ],
  };
}
