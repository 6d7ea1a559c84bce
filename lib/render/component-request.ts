import type { ComponentSpec, DynamoGraphDeployment } from '../api/index.ts';
import type { LiveGraph } from './render-context.ts';
import { restartTokens } from './restart-tokens.ts';
import { findNumber, sortedKeys } from '../json/index.ts';

/** One service of a graph, with the settings of the graph that it needs. */
export interface ComponentRequest {
  readonly graph: DynamoGraphDeployment;
  readonly graphName: string;
  readonly namespace: string;
  readonly service: string;
  readonly component: ComponentSpec;
  /** Restart token of this service, if any. */
  readonly restartAt: string | undefined;
}

/** The services of a graph in byte order of their names. */
export function componentRequests(graph: DynamoGraphDeployment, live: LiveGraph | undefined): readonly ComponentRequest[] {
  const { name: graphName = '', namespace = '' } = graph.metadata;
  const services = graph.spec?.services ?? {};
  const tokens = restartTokens(graph, live);
  return sortedKeys(services).map((service) => {
    const component = scaled(services[service] ?? {}, findNumber(live?.adapterReplicas, service));
    return { graph, graphName, namespace, service, component, restartAt: tokens.get(service) };
  });
}

function scaled(component: ComponentSpec, replicas: number | undefined): ComponentSpec {
  return replicas === undefined || component.scalingAdapter?.enabled !== true ? component : { ...component, replicas };
}
