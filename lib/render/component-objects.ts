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
import type { RenderedObject, RenderIssue, Source } from './result.ts';
import { discoveryLabels, renderModelService, renderService } from './services.ts';

/** Where a component resource was written: by a user, or as a service of a graph. */
interface ComponentOrigin {
  readonly source: Source;
  /** The part of the source that holds the component's settings. */
  readonly path: Path;
}

/** What a component resource renders to. */
export interface ComponentRendering {
  readonly objects: readonly RenderedObject[];
  readonly issues: readonly RenderIssue[];
}

/** Whether replicas that span nodes can be run as LeaderWorkerSets. */
export function hasLeaderWorkerSets({ cluster }: RenderContext): boolean {
  return cluster.hasApiGroup(apiGroup.leaderWorkerSet) && cluster.hasApiGroup(apiGroup.volcano);
}

/** Every object of a component resource: workload, Services, model Service, Ingress. What follows a failure is not rendered. */
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

/** Name of the graph that owns a component resource; empty without one. */
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
  const discovers = discoveryBackend(component.annotations, config.discoveryBackend) === 'kubernetes';
  const own = componentLabels(resource);
  const annotations = componentAnnotations(resource);
  const leader: Record<string, string> = (component.multinode?.nodeCount ?? 1) > 1 ? { [label.role]: 'leader' } : {};
  const request = {
    component,
    dynamoNamespace: component.dynamoNamespace,
    labels: discovers ? discoveryLabels(own, !frontend) : own,
    ...(annotations && { annotations }),
  };
  const names = discoveryServiceNames(name);
  const generic = renderService({ ...request, name, selector: leader });
  if (!frontend && !discovers && component.annotations?.[annotation.stealTraffic] !== 'true') return { value: [generic] };
  return {
    value: [
      generic,
      renderService({ ...request, name: names.production, selector: leader }),
      renderService({ ...request, name: names.debug, selector: { ...leader, [label.targetType]: 'debug' } }),
    ],
  };
}
