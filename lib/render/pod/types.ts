import type { ComponentSpec, Container, EnvVar, ExtraPodSpec, Volume, ContainerVolumeMount } from '../../api/index.ts';
import type { Framework } from '../framework.ts';
import type { Deployer } from '../multinode/deployer.ts';

/** `main`: one pod per replica; `leader` and `worker`: a replica spans several nodes. */
export type Role = 'main' | 'leader' | 'worker';

/** A container as the operator renders it. */
export type RenderedContainer = Container;

/** A pod spec as the operator renders it. */
export type RenderedPod = Omit<ExtraPodSpec, 'mainContainer' | 'containers'> & {
  readonly containers: readonly RenderedContainer[];
};

/** Which pod to render. */
export interface PodRequest {
  readonly component: ComponentSpec;
  readonly framework: Framework;
  /** Name of the graph the component belongs to; empty for a component on its own. */
  readonly graph: string;
  readonly namespace: string;
  readonly role: Role;
  readonly nodes: number;
  readonly deployer: Deployer;
  /** The name that host names are built from. */
  readonly serviceName: string;
}

/** Volumes of a pod and where the main container sees them. */
export interface Mounted {
  readonly volumes: readonly Volume[];
  readonly mounts: readonly ContainerVolumeMount[];
}

/** A list of environment variables. */
export type Env = readonly EnvVar[];
