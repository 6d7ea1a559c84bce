import type { ComponentSpec, DynamoComponentDeployment, DynamoGraphDeployment } from '../../api/index.ts';
import { type Path, sortedKeys } from '../../json/index.ts';
import { hasLeaderWorkerSets, owningGraph } from '../component-objects.ts';
import type { OperatorConfig, RenderContext } from '../render-context.ts';
import { resolveFramework, type Framework } from '../framework.ts';
import { runsOnGrove } from '../graph-objects.ts';
import { typeDefaults, type TypeDefaults } from '../pod/component-type-defaults.ts';
import type { RenderableResource } from '../result.ts';

/** A component and how the operator runs it: the input of the conditions of quirks. */
export interface ComponentSetup {
  readonly resource: DynamoGraphDeployment | DynamoComponentDeployment;
  readonly base: Path;
  readonly component: ComponentSpec;
  readonly framework: Framework;
  readonly defaults: TypeDefaults;
  readonly nodes: number;
  /** The kind of workload that runs the pods. */
  readonly runner: 'grove' | 'deployment' | 'lws';
  readonly config: OperatorConfig;
}

/** The components of a resource. */
export function componentSetups(resource: RenderableResource, context: RenderContext): readonly ComponentSetup[] {
  if (resource.kind === 'DynamoGraphDeploymentRequest') return [];
  if (resource.kind === 'DynamoComponentDeployment') {
    const component = resource.spec ?? {};
    return [componentSetup(resource, ['spec'], component, component.backendFramework, owningGraph(resource), context)];
  }
  const services = resource.spec?.services ?? {};
  const graph = resource.metadata.name ?? '';
  return sortedKeys(services).map((service) =>
    componentSetup(
      resource,
      ['spec', 'services', service],
      services[service] ?? {},
      resource.spec?.backendFramework,
      graph,
      context,
    ),
  );
}

function componentSetup(
  resource: ComponentSetup['resource'],
  base: Path,
  component: ComponentSpec,
  explicit: string | undefined,
  graph: string,
  context: RenderContext,
): ComponentSetup {
  const framework = resolveFramework(component, explicit);
  const nodes = component.multinode?.nodeCount ?? 1;
  const grove = resource.kind === 'DynamoGraphDeployment' && runsOnGrove(resource, context);
  return {
    resource,
    base,
    component,
    framework: 'value' in framework ? framework.value : 'noop',
    defaults: typeDefaults(component, graph, resource.metadata.namespace ?? ''),
    nodes,
    runner: grove ? 'grove' : nodes > 1 && hasLeaderWorkerSets(context) ? 'lws' : 'deployment',
    config: context.config,
  };
}
