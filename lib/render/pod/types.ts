import type { ComponentSpec, Container, EnvVar, ExtraPodSpec, Volume, ContainerVolumeMount } from '../../api/index.ts';
import type { Framework } from '../framework.ts';
import type { Deployer } from '../multinode/deployer.ts';

/** The role of a pod: `main` when a replica is one pod, `leader` or `worker` when it spans several nodes. */
export type PodRole = 'main' | 'leader' | 'worker';

/** A container as the operator renders it. */
export type RenderedContainer = Container;

/** A pod spec as the operator renders it. */
export type RenderedPod = Omit<ExtraPodSpec, 'mainContainer' | 'containers'> & {
  readonly containers: readonly RenderedContainer[];
};

/** The pod to render. */
export interface PodRequest {
  readonly component: ComponentSpec;
  readonly framework: Framework;
  /** Name of the graph that the component belongs to; empty for a standalone component. */
  readonly graph: string;
  readonly namespace: string;
  readonly role: PodRole;
  readonly nodes: number;
  readonly deployer: Deployer;
  /** The name that the host names of pods are built from. */
  readonly serviceName: string;
}

/** Volumes of a pod and their mounts in the main container. */
export interface Mounted {
  readonly volumes: readonly Volume[];
  readonly mounts: readonly ContainerVolumeMount[];
}

/** A list of environment variables. */
export type Env = readonly EnvVar[];
