import { ApiObject, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import type { Component } from './component.ts';
import type { DynamoGraph } from './graph.ts';

/** Properties of `ComputeDomain`. */
export interface ComputeDomainProps {
  /** The graph whose components share NVLink. */
  readonly graph: DynamoGraph;
  /**
   * Names of the components that share it.
   * @default - all components with GPUs
   */
  readonly components?: readonly string[];
}

const claimName = 'compute-domain-channel';

/** A multi-node NVLink domain of components of a graph; its number of nodes is derived from them. */
export class ComputeDomain extends Construct {
  /** Name of the object. */
  readonly name: string;
  private readonly members: readonly Component[];

  constructor(scope: Construct, id: string, props: ComputeDomainProps) {
    super(scope, id);
    this.name = id;
    this.members =
      props.components?.map((name) => props.graph.component(name)) ?? props.graph.components.filter((c) => c.gpusPerPod > 0);
    const template = `${id}-channel`;
    for (const member of this.members) member.addResourceClaim(claimName, template);
    new ApiObject(this, 'Default', {
      apiVersion: 'resource.nvidia.com/v1beta1',
      kind: 'ComputeDomain',
      metadata: { name: id },
      spec: { numNodes: Lazy.any({ produce: () => this.numNodes }), channel: { resourceClaimTemplate: { name: template } } },
    });
  }

  /** Number of nodes of all its components. */
  get numNodes(): number {
    return this.members.reduce((sum, c) => sum + c.pods, 0);
  }
}
