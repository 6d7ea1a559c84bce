import { findString, isObject, type JsonObject, listAt, objectAt } from '../json/index.ts';
import { viewComponent, type ComponentView } from './component-view.ts';
import { nameOf, namespaceOf } from '../api/index.ts';

/** A graph, parsed once for all rules. A DynamoComponentDeployment is a graph of one component. */
export interface GraphView {
  readonly resource: JsonObject;
  readonly name: string;
  readonly namespace: string;
  readonly components: readonly ComponentView[];
  /** False for a DynamoComponentDeployment, which belongs to no graph. */
  readonly isGraph: boolean;
}

/** Kinds that contain components. */
export const componentKinds: readonly string[] = ['DynamoGraphDeployment', 'DynamoComponentDeployment'];

/** Parses a DynamoGraphDeployment or DynamoComponentDeployment. */
export function viewGraph(resource: JsonObject, namespace: string): GraphView {
  const isGraph = resource['kind'] === 'DynamoGraphDeployment';
  const name = nameOf(resource);
  const spec = objectAt(resource, 'spec');
  const components = isGraph
    ? Object.entries(objectAt(spec, 'services')).flatMap(([key, service]) =>
        isObject(service) ? [viewComponent(key, service, ['spec', 'services', key], listAt(spec, 'envs'))] : [],
      )
    : [viewComponent(findString(spec, 'serviceName') ?? name, spec, ['spec'], [])];
  return { resource, name, namespace: namespaceOf(resource, namespace), components, isGraph };
}

/** The components that run an engine. */
export function engineWorkers(graph: GraphView): readonly ComponentView[] {
  return graph.components.filter((c) => c.engine !== undefined);
}

const routers = /^dynamo\.(?:global_)?router\b/;

/** Whether a graph has a router component, local or global. */
export function isRouted(graph: GraphView): boolean {
  return graph.components.some((c) => routers.test(c.command.module ?? ''));
}
