import type { ComponentOptions } from './component-props.ts';
import { Component, type Derived } from './component.ts';
import { ingressSpec, type IngressOptions } from './ingress.ts';
import type { ModelCache } from './model-cache.ts';

/** Properties of a frontend. */
export interface FrontendProps extends ComponentOptions {
  /**
   * Arguments appended to the router's.
   * @default - none
   */
  readonly extraArgs?: readonly string[];
  /**
   * How the frontend is reached from outside the cluster.
   * @default - not reachable from outside
   */
  readonly ingress?: IngressOptions;
}

/** The HTTP frontend of a graph, which also routes requests to workers. */
export class Frontend extends Component {
  protected override defaultCache(): ModelCache | undefined {
    return this.graph.modelCache;
  }

  protected derive(): Derived {
    const { router } = this.graph;
    const options: FrontendProps = this.options;
    const args = [...(router?.args ?? []), ...(options.extraArgs ?? [])];
    const start = args.length === 0 ? {} : { command: ['python3', '-m', 'dynamo.frontend'], args };
    const ingress = options.ingress && ingressSpec(options.ingress);
    return { type: 'frontend', image: this.graph.image, env: router?.env, ingress, ...start };
  }
}
